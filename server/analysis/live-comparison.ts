// A measurement of a live connection against an emulated run: the run's throughput over the measurement's own intervals, and
// whether the two distributions can be told apart.
//
// Zeus (section 4.3, figures 3 to 5) calls runs similar when their means and spreads are, and marks differences as significant
// or not without naming the test. Here it is Kolmogorov and Smirnov's, which sees means, spreads and shapes alike. Intervals that
// follow each other are alike, so a connection of n intervals tells less than n independent ones would: the test's p is also
// given for the number of independent values that the correlation of neighbours leaves (Bartlett).
import { independentOf } from '#analysis/independence';
import { asymptoticP, kolmogorovSmirnov, type KolmogorovSmirnov } from '#analysis/kolmogorov-smirnov';
import type { ComparedIntervals, Span } from '#analysis/live-intervals';
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
  readonly interval_s: number;
  /** By so much the live rate of an interval may be wrong; the tests take no notice of less. */
  readonly resolution_mbps: number;
  readonly kolmogorovSmirnov: KolmogorovSmirnov;
  /** The same p for as many values as are independent. */
  readonly pIndependent: number;
  readonly mannWhitney: MannWhitney;
}

/** Fewer say nothing. */
export const FEWEST_INTERVALS = 5;
/** How often two runs of one link may be called different. */
export const SIGNIFICANT = 0.05;
/** Worth less, no difference is believed: the estimate of what they are worth is itself too good then. */
export const FEWEST_INDEPENDENT = 8;

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

/** Null when fewer than five intervals lie within the run. */
export function compareLive(
  { intervals, interval_s, resolution_mbps }: ComparedIntervals,
  throughput: TimeSeries,
  offset_s: number,
): LiveComparison | null {
  const means = meansOver(throughput, intervals, offset_s);
  const pairs = intervals.flatMap(({ throughput_mbps }, i) => {
    const emulated = means[i] ?? null;
    return emulated === null ? [] : [{ live: throughput_mbps, emulated }];
  });
  if (pairs.length < FEWEST_INTERVALS) return null;
  const live = sampleOf(
    pairs.map((pair) => pair.live),
    resolution_mbps,
  );
  const emulated = sampleOf(
    pairs.map((pair) => pair.emulated),
    resolution_mbps,
  );
  const ks = kolmogorovSmirnov(live.values, emulated.values, resolution_mbps);
  const u = mannWhitney(live.values, emulated.values);
  if (ks === null || u === null) return null;
  // Of two estimates of how long one link remembers, the longer: the shorter one has missed it.
  const independent = Math.min(live.independent, emulated.independent);
  return {
    live,
    emulated,
    interval_s,
    resolution_mbps,
    kolmogorovSmirnov: ks,
    pIndependent: Math.max(ks.p, asymptoticP(ks.d, independent, independent)),
    mannWhitney: u,
  };
}

const sampleOf = (values: readonly number[], grain: number): Sample => ({
  values,
  mean: mean(values) ?? 0,
  sd: standardDeviation(values),
  independent: independentOf(values, grain),
});

/** Share of values at or below `limit`. */
export const shareAtMost = (values: readonly number[], limit: number): number =>
  values.filter((value) => value <= limit).length / values.length;

export interface Verdict {
  readonly similar: boolean;
  /** False: too little was measured to find a difference, were there one. */
  readonly decided: boolean;
  readonly sentence: string;
}

/** Whole percents, but small ones to a digit that says something: 0.3 %. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(share < 0.01 ? 1 : 2))} %`;
const rateText = (mbps: number): string => `${Number(mbps.toPrecision(3))} Mbps`;

/** What the test says, in a sentence. */
export function verdictOf(comparison: LiveComparison): Verdict {
  const { live, emulated, pIndependent, resolution_mbps } = comparison;
  const { d, at } = comparison.kolmogorovSmirnov;
  const n = live.values.length;
  const larger = Math.max(live.mean, emulated.mean);
  const apart = percent(larger === 0 ? 0 : Math.abs(live.mean - emulated.mean) / larger);
  const beyond = `beyond the ${rateText(resolution_mbps)} by which iperf3 may misjudge an interval`;
  const worth = Math.min(live.independent, emulated.independent);
  const enough = worth >= FEWEST_INDEPENDENT;
  // Known no better than that, a rate and its half are the same.
  const decided = enough && resolution_mbps <= larger / 2;
  if (pIndependent < SIGNIFICANT && enough) {
    const [livePart, emulatedPart] = [shareAtMost(live.values, at), shareAtMost(emulated.values, at)];
    return {
      similar: false,
      decided: true,
      sentence: `Different: ${percent(livePart)} of the live intervals have at most ${rateText(at)}, but ${percent(emulatedPart)} of the emulated ones, ${beyond}; the means lie ${apart} apart.`,
    };
  }
  return {
    similar: true,
    decided,
    sentence: decided
      ? `Similar: ${n} intervals show no difference that chance would not; the shares of time differ by at most ${percent(d)} ${beyond}, the means by ${apart}.`
      : `Not shown to differ: ${n} intervals ${enough ? 'are known too badly' : `are worth only ${Math.round(worth)} independent values, too few`} to tell; the shares of time differ by at most ${percent(d)} ${beyond}, the means by ${apart}.`,
  };
}
