// Whether runs are worse than those of a baseline, beyond chance. Runs of the same conditions, seed and repetition meet the same starts, phases
// and losses: they are pairs, and what is exchanged are the two sides of all pairs that share these draws at once. Where the seeds differ, what
// is exchanged is which repetition came before and which after. All comparisons together are held to one error rate (Holm).
import { type Place, type PlacedRun, type Side } from '#analysis/baseline';
import { metricOf, type Verdict } from '#analysis/expectation-verdict';
import { plural } from '#analysis/format';
import { holm } from '#analysis/holm';
import { canonicalJson } from '#analysis/identity';
import { bufferLabel } from '#analysis/limits';
import { formatMetric } from '#analysis/metric-text';
import { METRICS, type MetricId } from '#analysis/metrics';
import { generator } from '#analysis/seeds';
import { relabel, signFlip, type ExchangeTest, type Stratum } from '#analysis/sign-flip';
import { estimate, mean, sum, type Estimate } from '#analysis/statistics';
import type { NotWorse } from '#protocol/expectations';

/** What is held against each other: places of the matrix, and in each the runs that were chosen. */
export interface Comparison {
  readonly expectation: NotWorse;
  readonly before: Side;
  readonly now: readonly Place[];
  /** Why it could not be decided whatever came out. */
  readonly lacking: string | null;
}

interface Hypothesis {
  readonly where: string;
  readonly test: ExchangeTest;
  /** How much worse, on average; in parts of the value, or of shares as it is. */
  readonly worse: Estimate | null;
  readonly means: readonly [before: number, now: number];
  /** Pairs, or runs after. */
  readonly n: number;
  readonly units: number;
  readonly paired: boolean;
  /** All pairs are the same. */
  readonly equal: boolean;
}

interface Pair {
  readonly repetition: number;
  readonly before: number;
  readonly now: number;
}

const isShare = (metric: MetricId): boolean => (METRICS[metric].unit as string) === '';
const valuesOf = (runs: readonly PlacedRun[], metric: MetricId): number[] =>
  runs.flatMap(({ figures }) => figures[metric] ?? []);

const towardsWorse = (metric: MetricId): number => (METRICS[metric].better === 'more' ? -1 : 1);

/** What a place's values are divided by, so that fast and slow links count alike. */
function scaleOf(metric: MetricId, values: readonly number[]): number {
  const size = isShare(metric) ? 1 : (mean(values.map(Math.abs)) ?? 1);
  return towardsWorse(metric) * (size === 0 ? 1 : size);
}

/** The worst that a value before allows: what is now is held against it, as if it had been so. */
const allowed = (metric: MetricId, before: number, margin: number): number =>
  isShare(metric) ? before + towardsWorse(metric) * margin : before * (1 + towardsWorse(metric) * margin);

function pairsOf(metric: MetricId, before: Place, now: Place): Pair[] {
  const old = new Map(before.runs.map(({ repetition, figures }) => [repetition, figures[metric]]));
  return now.runs.flatMap(({ repetition, figures }) => {
    const [from, to] = [old.get(repetition), figures[metric]];
    return from === undefined || to === undefined ? [] : [{ repetition, before: from, now: to }];
  });
}

type Places = readonly (readonly [before: Place, now: Place])[];

function paired(metric: MetricId, places: Places, margin: number): Omit<Hypothesis, 'where'> | null {
  const units = new Map<string, { tested: number[]; shown: number[] }>();
  const all: Pair[] = [];
  for (const [before, now] of places) {
    const pairs = pairsOf(metric, before, now).map((pair) => ({
      ...pair,
      least: allowed(metric, pair.before, margin),
    }));
    // By nothing that an exchange would change; but what a person reads is in parts of what it was.
    const scale = scaleOf(
      metric,
      pairs.flatMap((pair) => [pair.least, pair.now]),
    );
    const was = scaleOf(
      metric,
      pairs.map((pair) => pair.before),
    );
    all.push(...pairs);
    for (const pair of pairs) {
      // Phases are drawn by trace, seeds and starts by trace, base RTT and loss: within a trace a repetition is one draw.
      const unit = `${pair.repetition} ${canonicalJson(now.at.trace)}`;
      const own = units.get(unit) ?? { tested: [], shown: [] };
      own.tested.push((pair.now - pair.least) / scale);
      own.shown.push((pair.now - pair.before) / was);
      units.set(unit, own);
    }
  }
  if (all.length === 0) return null;
  return {
    test: signFlip(
      [...units.values()].map(({ tested }) => mean(tested) ?? 0),
      generator(1),
    ),
    worse: estimate([...units.values()].map(({ shown }) => mean(shown) ?? 0)),
    means: [mean(all.map(({ before }) => before)) ?? 0, mean(all.map(({ now }) => now)) ?? 0],
    n: all.length,
    units: units.size,
    paired: true,
    equal: all.every(({ before, now }) => before === now),
  };
}

/** A value a repetition that has all places, oriented and scaled. */
function byRepetition(
  places: readonly { readonly runs: readonly PlacedRun[]; readonly scale: number }[],
  metric: MetricId,
): number[] {
  const totals = new Map<number, number[]>();
  for (const { runs, scale } of places)
    for (const { repetition, figures } of runs) {
      const value = figures[metric];
      if (value === undefined) continue;
      const own = totals.get(repetition) ?? [];
      own.push(value / scale);
      totals.set(repetition, own);
    }
  return [...totals.values()].filter((own) => own.length === places.length).map((own) => mean(own) ?? 0);
}

/** A place whose runs had been as bad as is allowed. */
const atWorst = (metric: MetricId, { runs, ...place }: Place, margin: number): Place => ({
  ...place,
  runs: runs.map(({ figures, ...run }) => {
    const value = figures[metric];
    return {
      ...run,
      figures: value === undefined ? figures : { ...figures, [metric]: allowed(metric, value, margin) },
    };
  }),
});

/** How much worse a place is, in parts of what it was. */
function placeWorse(metric: MetricId, [before, now]: Places[number]): number {
  const [old, fresh] = [valuesOf(before.runs, metric), valuesOf(now.runs, metric)];
  return ((mean(fresh) ?? 0) - (mean(old) ?? 0)) / scaleOf(metric, old);
}

function unpaired(metric: MetricId, places: Places, margin: number): Omit<Hypothesis, 'where'> | null {
  const traces = new Map<string, { before: Place; now: Place; scale: number }[]>();
  for (const [was, now] of places) {
    const before = atWorst(metric, was, margin);
    const key = canonicalJson(now.at.trace);
    const own = traces.get(key) ?? [];
    own.push({
      before,
      now,
      scale: scaleOf(metric, [...valuesOf(before.runs, metric), ...valuesOf(now.runs, metric)]),
    });
    traces.set(key, own);
  }
  const strata = [...traces.values()].flatMap((own): Stratum[] => {
    const before = byRepetition(
      own.map(({ before: { runs }, scale }) => ({ runs, scale })),
      metric,
    );
    const after = byRepetition(
      own.map(({ now: { runs }, scale }) => ({ runs, scale })),
      metric,
    );
    return before.length === 0 || after.length === 0 ? [] : [{ before, after }];
  });
  if (strata.length === 0) return null;
  const centre = mean(places.map((pair) => placeWorse(metric, pair))) ?? 0;
  const all = (side: 0 | 1): number => mean(places.flatMap((pair) => valuesOf(pair[side].runs, metric))) ?? 0;
  return {
    test: relabel(strata, generator(1)),
    worse: { mean: centre, low: null, high: null, sd: null, n: strata.length, values: [] },
    means: [all(0), all(1)],
    n: sum(strata.map(({ before, after }) => before.length + after.length)),
    units: strata.length,
    paired: false,
    equal: false,
  };
}

const placeText = ({ cca, role, buffer, trace_name }: Place['at']): string =>
  `${cca}${role === 'solo' ? '' : ` ${role.replace('_', ' ')}`} · ${bufferLabel(buffer)} · ${trace_name}`;

function hypothesesOf({ expectation, before, now }: Comparison, seed: number): Hypothesis[] {
  const metric = metricOf(expectation.metric);
  const places = now.flatMap((place) => {
    const old = before.places.get(place.key);
    return old === undefined ? [] : [[old, place] as const];
  });
  const groups = expectation.of === 'all' ? [places] : places.map((pair) => [pair]);
  const test = before.seed === seed ? paired : unpaired;
  return groups.flatMap((group) => {
    const found = test(metric, group, expectation.margin);
    const [first] = group;
    if (found === null || first === undefined) return [];
    return [{ ...found, where: group.length === 1 ? placeText(first[1].at) : `all ${plural(group.length, 'cell')}` }];
  });
}

const number = (value: number): string => String(Number((100 * value).toPrecision(3)));
/** `2.1 %` of values, `2.1 points` of shares. */
const amount = (metric: MetricId, value: number): string => `${number(value)} ${isShare(metric) ? 'points' : '%'}`;

function foundText(metric: MetricId, { worse, means: [before, now], equal }: Hypothesis): string {
  if (equal || worse === null) return `the same, ${formatMetric(metric, now)}`;
  const { mean: centre, low, high } = worse;
  const spread = low === null || high === null ? '' : ` (${number(low)} … ${number(high)})`;
  const change = `${formatMetric(metric, before)} → ${formatMetric(metric, now)}`;
  const away = amount(metric, Math.abs(centre));
  return centre > 0
    ? `${away} worse${spread}, ${change}`
    : `${away} better${spread === '' ? '' : `, worse by${spread}`}, ${change}`;
}

function basisOf({ paired: isPaired, n, units, test, equal }: Hypothesis): string {
  if (equal) return plural(n, 'pair');
  return isPaired
    ? `${plural(n, 'pair')}, signs of ${plural(units, 'draw')} exchanged (${test.method})`
    : `other seeds, no pairs: before and after exchanged among ${plural(n, 'repetition')} of ${plural(units, 'trace')} (${test.method})`;
}

interface Judged extends Hypothesis {
  readonly p: number;
  readonly verdict: Verdict['verdict'];
  /** What it would have to be smaller than. */
  readonly against: number;
}

/** `errorRate`: of all of them together. `seed`: of those that were made now. */
export function judgeNotWorse(comparisons: readonly Comparison[], errorRate: number, seed: number): Verdict[] {
  const sets = comparisons.map((comparison) => hypothesesOf(comparison, seed));
  const all = sets.flat();
  // What is the same in all pairs cannot be called worse, whichever sides are exchanged: it is no comparison that could err.
  const family = all.filter(({ equal }) => !equal);
  const adjusted = holm(family.map(({ test }) => test.p));
  const left = adjusted.filter((p) => p > errorRate).length;
  let at = 0;
  const judged = sets.map((set) =>
    set.map((one): Judged => {
      const p = one.equal ? 1 : (adjusted[at++] ?? 1);
      const against = errorRate / Math.max(left, 1);
      const verdict = p <= errorRate ? 'broken' : one.equal || one.test.least <= against ? 'ok' : 'undecided';
      return { ...one, p, verdict, against };
    }),
  );
  return comparisons.map((comparison, i) => verdictOf(comparison, judged[i] ?? [], family.length));
}

function tooFewText({ test, against, paired: isPaired }: Judged): string {
  const two = (value: number): string => String(Number(value.toPrecision(2)));
  const enough = isPaired ? `: ${Math.ceil(Math.log2(1 / against))} would do where no pair is the same` : '';
  return `too few repetitions${enough} (the smallest p that they can give is ${two(test.least)}, and ${two(against)} is asked for)`;
}

const chance = (p: number, all: number): string =>
  `p ${p < 0.001 ? '< 0.001' : `= ${Number(p.toPrecision(2))}`}${all === 1 ? '' : ` in view of ${all} comparisons`}`;

const ORDER = ['broken', 'undecided', 'ok'] as const;

function verdictOf({ expectation, before, now, lacking }: Comparison, judged: readonly Judged[], all: number): Verdict {
  const metric = metricOf(expectation.metric);
  const allowed = expectation.margin === 0 ? '' : ` by more than ${amount(metric, expectation.margin)}`;
  const expected = `${METRICS[metric].label} not worse than ${before.called}${allowed}${expectation.of === 'cells' ? ' in any cell' : ''}`;
  const common = { kind: 'not_worse', name: expectation.name ?? expected, metric, expected } as const;
  const [worst] = judged.toSorted(
    (a, b) =>
      ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || a.p - b.p || (b.worse?.mean ?? 0) - (a.worse?.mean ?? 0),
  );
  const missing = now.filter(({ key }) => !before.places.has(key)).length;
  const gone = missing === 0 ? null : `the baseline has nothing of ${missing} of ${plural(now.length, 'cell')}`;
  const reason = lacking ?? gone;
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
      p: null,
      reason: reason ?? 'no run of the baseline is like these',
    };
  const { worse, n, p } = worst;
  const tooFew = tooFewText(worst);
  return {
    ...common,
    verdict: reason === null ? worst.verdict : 'undecided',
    found: `${foundText(metric, worst)}${worst.equal ? '' : `; ${chance(p, all)}`}`,
    where: worst.where,
    value: worse?.mean ?? null,
    interval: worse === null || worse.low === null || worse.high === null ? null : { low: worse.low, high: worse.high },
    n,
    basis: basisOf(worst),
    p,
    reason: reason ?? (worst.verdict === 'undecided' ? tooFew : null),
  };
}
