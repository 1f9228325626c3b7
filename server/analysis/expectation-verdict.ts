// What came of an expectation: the words that bounds and comparisons share.
import { bufferLabel } from '#analysis/limits';
import { ccaLabel } from '#analysis/cca-label';
import { plural } from '#analysis/format';
import { METRIC_IDS, METRICS, type MetricId } from '#analysis/metrics';
import type { Interval } from '#analysis/statistics';
import type { Cell, RunRef } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';

export interface Verdict {
  readonly kind: 'bound' | 'not_worse';
  readonly name: string;
  readonly verdict: 'ok' | 'broken' | 'undecided';
  readonly metric: MetricId;
  readonly expected: string;
  /** What came out where it is worst. */
  readonly found: string;
  readonly where: string;
  /** Of a bound the metric's value; of a comparison how much worse it is, less than 0: better. null: nothing came out. */
  readonly value: number | null;
  /** 95 %, of `value`; null: of too few. */
  readonly interval: Interval | null;
  readonly n: number;
  /** What n counts, and what was exchanged or averaged. */
  readonly basis: string;
  /** Of a comparison, in view of all of them. */
  readonly p: number | null;
  /** Why it is undecided, or what is worth knowing. */
  readonly reason: string | null;
}

/** An expectation that says nothing of this experiment: it is told with its place. */
export class ExpectationFault extends Error {
  override readonly name = 'ExpectationFault';
}

export interface ChosenRun {
  readonly ref: RunRef;
  readonly cell: Cell;
  readonly cca: CcaDescriptor | null;
}

const ROLES = { solo: '', self_pair: ' beside its own kind', baseline_pair: ' beside the baseline' } as const;

export const whereOf = ({ cell, cca, ref: { role } }: ChosenRun): string =>
  `${ccaLabel(cell, cca)}${ROLES[role]} · ${bufferLabel(cell.buffer)} · ${cell.trace_name}${cell.sweep === undefined ? '' : ` · ${cell.sweep.path} ${String(cell.sweep.value)}`}`;

export function metricOf(id: string): MetricId {
  const known = METRIC_IDS.find((metric) => metric === id);
  if (known === undefined)
    throw new ExpectationFault(`there is no metric ${JSON.stringify(id)}: there are ${METRIC_IDS.join(', ')}`);
  return known;
}

export const valueOf = (metric: MetricId, { ref: { state, summary } }: ChosenRun): number | null =>
  state === 'done' && summary !== null ? METRICS[metric].of(summary) : null;

/** Nothing is said of runs that do not count: null where all of them do. */
export function lacking(metric: MetricId, runs: readonly ChosenRun[]): string | null {
  const out = runs.filter(({ ref }) => ref.state !== 'done');
  const [first] = out;
  if (first !== undefined)
    return `${out.length} of ${plural(runs.length, 'run')} did not end well: ${first.ref.id} is ${first.ref.state}: ${first.ref.reason ?? 'no reason given'}`;
  const silent = runs.filter((run) => valueOf(metric, run) === null);
  if (silent.length === runs.length)
    throw new ExpectationFault(
      `${METRICS[metric].label} is not measured in any of the ${plural(runs.length, 'run')}: ${METRICS[metric].definition}`,
    );
  return silent.length === 0
    ? null
    : `${METRICS[metric].label} is not measured in ${silent.length} of ${plural(runs.length, 'run')}`;
}
