// The same cells under two engines: which metric moved, and by how much beside the spread of repetitions.
import { canonicalJson } from '#analysis/identity';
import { plural } from '#analysis/format';
import { METRIC_IDS, METRICS, type Metric, type MetricId } from '#analysis/metrics';
import { mean, standardDeviation } from '#analysis/statistics';
import type { Cell, RunRef, RunRole } from '#protocol/api';
import type { ExperimentSpec } from '#protocol/spec';
import type { RunSummary } from '#protocol/summary';

export interface RegressionSide {
  readonly engine_version: string | null;
  readonly spec: ExperimentSpec;
  readonly cells: readonly Cell[];
  readonly runs: Iterable<RunRef>;
}

export interface Movement {
  readonly cell: Cell;
  readonly role: RunRole;
  readonly metric: MetricId;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** Of `before`; null where that is 0. */
  readonly percent: number | null;
  /** Pooled standard deviation of the repetitions of both; null: there are no repetitions. */
  readonly spread: number | null;
  /** The difference in spreads; Infinity: repetitions are all alike. null: there are no repetitions. */
  readonly spreads: number | null;
  /** Runs that count, of each. */
  readonly n: readonly [number, number];
}

export interface Regression {
  readonly sameSpec: boolean;
  readonly engines: readonly [string | null, string | null];
  /** Beyond the spread of repetitions, or without any: the largest first. */
  readonly moved: readonly Movement[];
  /** Not the same, yet within the spread. */
  readonly within: readonly Movement[];
  /** Metrics of cells that are the same. */
  readonly unmoved: number;
  /** Cells that were held against each other, by role; and those that only one of the two has. */
  readonly compared: number;
  readonly missing: readonly [number, number];
}

/** Smaller than what rounding leaves of sums over millions of packets is no difference. */
const ROUNDING = 1e-9;
/** From here on a difference is beyond the spread. */
const BEYOND = 1;

/** Names and notes say nothing of what is run. */
export const sameSpec = (a: ExperimentSpec, b: ExperimentSpec): boolean => {
  const bare = ({ name: _name, note: _note, ...spec }: ExperimentSpec): string => canonicalJson(spec);
  return bare(a) === bare(b);
};

interface Place {
  readonly cell: Cell;
  readonly role: RunRole;
  readonly summaries: RunSummary[];
}

/** Runs that count, by cell and role. */
function placesOf({ cells, runs }: RegressionSide): Map<string, Place> {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  const places = new Map<string, Place>();
  for (const { cell: key, role, state, summary } of runs) {
    const cell = byKey.get(key);
    if (cell === undefined || state !== 'done' || summary === null) continue;
    const place = places.get(`${role} ${key}`) ?? { cell, role, summaries: [] };
    place.summaries.push(summary);
    places.set(`${role} ${key}`, place);
  }
  return places;
}

const valuesOf = (metric: Metric, { summaries }: Place): number[] =>
  summaries.flatMap((summary) => metric.of(summary) ?? []);

function pooled(a: readonly number[], b: readonly number[]): number | null {
  const freedom = a.length + b.length - 2;
  if (freedom < 1) return null;
  const squares = (values: readonly number[]): number => (standardDeviation(values) ?? 0) ** 2 * (values.length - 1);
  return Math.sqrt((squares(a) + squares(b)) / freedom);
}

function movementOf(metric: MetricId, a: Place, b: Place): Movement | null {
  const [before, after] = [valuesOf(METRICS[metric], a), valuesOf(METRICS[metric], b)];
  const [from, to] = [mean(before), mean(after)];
  if (from === null || to === null) return null;
  const difference = to - from;
  const size = Math.max(Math.abs(from), Math.abs(to));
  const spread = pooled(before, after);
  const same = Math.abs(difference) <= ROUNDING * size;
  return {
    cell: b.cell,
    role: b.role,
    metric,
    before: from,
    after: to,
    difference: same ? 0 : difference,
    percent: from === 0 ? null : (100 * difference) / Math.abs(from),
    spread,
    spreads: spread === null ? null : spread <= ROUNDING * size ? (same ? 0 : Infinity) : Math.abs(difference) / spread,
    n: [before.length, after.length],
  };
}

/** In spreads; where there is none by per cent, behind those. */
const larger = (a: Movement, b: Movement): number =>
  Number(b.spreads !== null) - Number(a.spreads !== null) ||
  (a.spreads === b.spreads ? 0 : (b.spreads ?? 0) - (a.spreads ?? 0)) ||
  Math.abs(b.percent ?? 0) - Math.abs(a.percent ?? 0);

export function regressionOf(before: RegressionSide, after: RegressionSide): Regression {
  const [old, now] = [placesOf(before), placesOf(after)];
  const shared = [...now].flatMap(([key, place]) => {
    const was = old.get(key);
    return was === undefined ? [] : [[was, place] as const];
  });
  const all = shared.flatMap(([a, b]) => METRIC_IDS.flatMap((metric) => movementOf(metric, a, b) ?? []));
  const changed = all.filter(({ difference }) => difference !== 0);
  const isBeyond = ({ spreads }: Movement): boolean => spreads === null || spreads >= BEYOND;
  return {
    sameSpec: sameSpec(before.spec, after.spec),
    engines: [before.engine_version, after.engine_version],
    moved: changed.filter(isBeyond).sort(larger),
    within: changed.filter((one) => !isBeyond(one)).sort(larger),
    unmoved: all.length - changed.length,
    compared: shared.length,
    missing: [old.size - shared.length, now.size - shared.length],
  };
}

/** In one sentence. */
export function regressionSentence({ moved, within, compared, unmoved }: Regression): string {
  if (compared === 0) return 'No cell has runs that count under both engines.';
  if (moved.length === 0 && within.length === 0)
    return `Nothing moved: all ${unmoved} metrics of ${plural(compared, 'cell')} are the same.`;
  const places = new Set(moved.map(({ cell, role }) => `${role} ${cell.key}`)).size;
  const rest = within.length === 0 ? '' : `; ${within.length} more changed within it`;
  return moved.length === 0
    ? `Nothing moved beyond the spread of repetitions: ${within.length} metrics changed within it.`
    : `${plural(moved.length, 'metric')} of ${places} of ${plural(compared, 'cell')} moved beyond the spread of repetitions${rest}.`;
}
