// A measurement of a live connection against an emulated run: the run's throughput over the measurement's own intervals, and
// whether the two distributions can be told apart.
//
// Zeus (section 4.3, figures 3 to 5) calls runs similar when their means and spreads are, and marks differences as significant
// or not without naming the test. Here it is Kolmogorov and Smirnov's, which sees means, spreads and shapes alike. Intervals that
// follow each other are alike, so a connection of n intervals tells less than n independent ones would: the test's p is also
// given for the number of independent values that the correlation of neighbours leaves (Bartlett).
import type { MeasuredInterval } from '#protocol/measurement';
import { asymptoticP, kolmogorovSmirnov, type KolmogorovSmirnov } from '#analysis/kolmogorov-smirnov';
import { mannWhitney, type MannWhitney } from '#analysis/mann-whitney';
import { mean, standardDeviation } from '#analysis/statistics';

/** Rows of telemetry: a value holds from the row before to its own time. NaN: not known. */
export interface TimeSeries {
  readonly time: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly rows: number;
}

export interface Sample {
  readonly values: readonly number[];
  readonly mean: number;
  readonly sd: number | null;
  /** Independent values that these are worth. */
  readonly independent: number;
}

export interface LiveComparison {
  readonly live: Sample;
  readonly emulated: Sample;
  readonly kolmogorovSmirnov: KolmogorovSmirnov;
  /** The same p for as many values as are independent. */
  readonly pIndependent: number;
  readonly mannWhitney: MannWhitney;
}

/** Fewer say nothing. */
export const FEWEST_INTERVALS = 5;
/** The usual threshold of significance. */
export const SIGNIFICANT = 0.05;

/** Mean of the series over each interval moved by `offset_s`; null where the series does not cover it. */
export function meansOver(
  { time, values, rows }: TimeSeries,
  intervals: readonly Pick<Span, 'start_s' | 'end_s'>[],
  offset_s: number,
): (number | null)[] {
  const period = rows > 1 ? (time[1] ?? 0) - (time[0] ?? 0) : 0;
  const begin = (time[0] ?? 0) - period;
  const end = time[rows - 1] ?? 0;
  const slack = period / 2;
  let row = 0;
  return intervals.map(({ start_s, end_s }) => {
    const [from, to] = [start_s + offset_s, end_s + offset_s];
    if (rows === 0 || from < begin - slack || to > end + slack) return null;
    while (row > 0 && (time[row - 1] ?? 0) > from) row--;
    while (row < rows && (time[row] ?? 0) <= from) row++;
    let [total, covered] = [0, 0];
    for (let i = row; i < rows; i++) {
      const rowStart = i === 0 ? begin : (time[i - 1] ?? 0);
      if (rowStart >= to) break;
      const value = values[i] ?? Number.NaN;
      const length = Math.min(time[i] ?? 0, to) - Math.max(rowStart, from);
      if (Number.isNaN(value) || length <= 0) continue;
      total += value * length;
      covered += length;
    }
    return covered > (to - from) / 2 ? total / covered : null;
  });
}

/**
 * The same throughput by longer intervals: neighbours are joined until they are about so long. Writes of 128 KB at the sender and
 * holes that the receiver waits to see filled make short intervals uneven where the network is not.
 */
export function coarsen(intervals: readonly MeasuredInterval[], seconds: number): Span[] {
  const joined: Span[] = [];
  let group: MeasuredInterval[] = [];
  for (const interval of intervals) {
    const gap = interval.start_s - (group.at(-1)?.end_s ?? interval.start_s);
    const length = interval.end_s - interval.start_s;
    // What follows a hole begins anew, and what was left before it is too short.
    if (gap > length / 2) group = [];
    group.push(interval);
    const start_s = group[0]?.start_s ?? 0;
    if (interval.end_s - start_s < seconds - length / 2) continue;
    const total = group.reduce((sum, one) => sum + one.throughput_mbps * (one.end_s - one.start_s), 0);
    joined.push({ start_s, end_s: interval.end_s, throughput_mbps: total / (interval.end_s - start_s) });
    group = [];
  }
  return joined;
}

export type Span = Pick<MeasuredInterval, 'start_s' | 'end_s' | 'throughput_mbps'>;

/** Null when fewer than five intervals lie within the run. */
export function compareLive(
  intervals: readonly Span[],
  throughput: TimeSeries,
  offset_s: number,
): LiveComparison | null {
  const means = meansOver(throughput, intervals, offset_s);
  const pairs = intervals.flatMap(({ throughput_mbps }, i) => {
    const emulated = means[i] ?? null;
    return emulated === null ? [] : [{ live: throughput_mbps, emulated }];
  });
  if (pairs.length < FEWEST_INTERVALS) return null;
  const live = sampleOf(pairs.map((pair) => pair.live));
  const emulated = sampleOf(pairs.map((pair) => pair.emulated));
  const ks = kolmogorovSmirnov(live.values, emulated.values);
  const u = mannWhitney(live.values, emulated.values);
  if (ks === null || u === null) return null;
  return {
    live,
    emulated,
    kolmogorovSmirnov: ks,
    pIndependent: Math.max(ks.p, asymptoticP(ks.d, live.independent, emulated.independent)),
    mannWhitney: u,
  };
}

const sampleOf = (values: readonly number[]): Sample => ({
  values,
  mean: mean(values) ?? 0,
  sd: standardDeviation(values),
  independent: independentOf(values),
});

/** n (1 - r) / (1 + r) with the correlation r of neighbours; no more than n, no fewer than two. */
export function independentOf(values: readonly number[]): number {
  const centre = mean(values) ?? 0;
  let [products, squares] = [0, 0];
  values.forEach((value, i) => {
    squares += (value - centre) ** 2;
    if (i > 0) products += (value - centre) * ((values[i - 1] ?? 0) - centre);
  });
  const r = squares === 0 ? 0 : Math.max(0, products / squares);
  return Math.max(Math.min(2, values.length), (values.length * (1 - r)) / (1 + r));
}

/** Share of values at or below `limit`. */
export const shareAtMost = (values: readonly number[], limit: number): number =>
  values.filter((value) => value <= limit).length / values.length;

export interface Verdict {
  readonly similar: boolean;
  readonly sentence: string;
}

/** Whole percents, but small ones to a digit that says something: 0.3 %. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(share < 0.01 ? 1 : 2))} %`;

/** What the test says, in a sentence. */
export function verdictOf({ live, emulated, kolmogorovSmirnov: { d, at }, pIndependent }: LiveComparison): Verdict {
  const n = live.values.length;
  const rate = `${Number(at.toPrecision(3))} Mbps`;
  const [livePart, emulatedPart] = [shareAtMost(live.values, at), shareAtMost(emulated.values, at)];
  const larger = Math.max(live.mean, emulated.mean);
  const apart = percent(larger === 0 ? 0 : Math.abs(live.mean - emulated.mean) / larger);
  if (pIndependent >= SIGNIFICANT)
    return {
      similar: true,
      sentence: `Similar: ${n} intervals show no difference that chance would not; the shares of time differ by at most ${percent(d)}, the means by ${apart}.`,
    };
  return {
    similar: false,
    sentence: `Different: ${percent(livePart)} of the live intervals have at most ${rate}, but ${percent(emulatedPart)} of the emulated ones; the means lie ${apart} apart.`,
  };
}
