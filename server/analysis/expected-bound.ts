// Whether runs keep a bound: every cell's mean, every single run, or the mean of all. In virtual time runs are what their seeds make them, so
// nothing is tested: the interval beside the value says what other seeds might have given.
import { rounded } from '#analysis/baseline';
import { lacking, metricOf, valueOf, whereOf, type ChosenRun, type Verdict } from '#analysis/expectation-verdict';
import { plural } from '#analysis/format';
import { formatMetric, shortMetric } from '#analysis/metric-text';
import { METRICS, type MetricId } from '#analysis/metrics';
import { groupBy } from '#analysis/results';
import { estimate, mean, type Estimate } from '#analysis/statistics';
import type { Bound } from '#protocol/expectations';

interface Group {
  readonly where: string;
  readonly estimate: Estimate;
  /** Beyond the bound by so much; 0 or less: kept. */
  readonly beyond: number;
  /** Runs of it are missing. */
  readonly partial: boolean;
}

const KEYS: Readonly<Record<Bound['of'], (run: ChosenRun) => string>> = {
  cells: ({ ref }) => `${ref.role} ${ref.cell}`,
  runs: ({ ref }) => `${ref.role} ${ref.cell} ${ref.repetition}`,
  all: () => '',
};

const UNITS: Readonly<Record<Bound['of'], string>> = { cells: 'cell', runs: 'run', all: 'mean' };

/** A value a repetition: what repetitions have in common is no spread. */
function valuesOf(metric: MetricId, runs: readonly ChosenRun[]): number[] {
  const byRepetition = groupBy(runs, ({ ref }) => String(ref.repetition));
  return [...byRepetition.values()].flatMap((own) => mean(own.flatMap((run) => valueOf(metric, run) ?? [])) ?? []);
}

/** Where nothing varies, repetitions are one run: it counts once. */
const distinct = (runs: readonly ChosenRun[]): readonly ChosenRun[] => [
  ...new Map(runs.map((run) => [`${run.ref.role} ${run.ref.cell} ${run.ref.id}`, run])).values(),
];

export function boundText(metric: MetricId, { at_least, at_most, of }: Bound): string {
  const bounds = [
    ...(at_least === undefined ? [] : [`≥ ${formatMetric(metric, at_least)}`]),
    ...(at_most === undefined ? [] : [`≤ ${formatMetric(metric, at_most)}`]),
  ].join(' and ');
  return `${METRICS[metric].label} ${bounds} ${{ cells: 'in every cell', runs: 'in every run', all: 'on the mean of all' }[of]}`;
}

function groupsOf(
  metric: MetricId,
  { at_least = -Infinity, at_most = Infinity, of }: Bound,
  runs: readonly ChosenRun[],
): Group[] {
  return [...groupBy(distinct(runs), KEYS[of]).values()].flatMap((own) => {
    const [first] = own;
    const found = first === undefined ? null : estimate(valuesOf(metric, own), METRICS[metric].range(first.cell));
    if (first === undefined || found === null) return [];
    const value = rounded(found.mean);
    const where = of === 'all' ? `all ${plural(own.length, 'run')}` : whereOf(first);
    return [
      {
        where: of === 'runs' ? `run ${first.ref.id}: ${where}` : where,
        estimate: found,
        beyond: Math.max(at_least - value, value - at_most),
        partial: own.some((run) => valueOf(metric, run) === null),
      },
    ];
  });
}

export function judgeBound(bound: Bound, runs: readonly ChosenRun[]): Verdict {
  const metric = metricOf(bound.metric);
  const reason = lacking(metric, runs);
  const groups = groupsOf(metric, bound, runs).toSorted((a, b) => b.beyond - a.beyond);
  const [worst] = groups;
  const broken = groups.filter(({ beyond, partial }) => beyond > 0 && !partial).length;
  const expected = boundText(metric, bound);
  const common = { kind: 'bound', name: bound.name ?? expected, metric, expected, p: null } as const;
  if (worst === undefined)
    return {
      ...common,
      verdict: 'undecided',
      found: 'nothing',
      where: '',
      value: null,
      interval: null,
      n: 0,
      basis: 'no run',
      reason,
    };
  const { mean: value, low, high, n } = worst.estimate;
  const interval = low === null || high === null ? null : { low, high };
  const spread =
    interval === null ? '' : ` (${shortMetric(metric, interval.low)} … ${shortMetric(metric, interval.high)})`;
  const units = plural(groups.length, UNITS[bound.of]);
  const among =
    groups.length === 1 ? '' : broken === 0 ? `, the worst of ${units}` : `, ${broken} of ${units} beyond it`;
  return {
    ...common,
    verdict: broken > 0 ? 'broken' : reason === null ? 'ok' : 'undecided',
    found: `${formatMetric(metric, value)}${spread}${among}`,
    where: worst.where,
    value,
    interval,
    n,
    basis: bound.of === 'runs' ? 'one run' : `mean of ${plural(n, 'repetition')}`,
    reason,
  };
}
