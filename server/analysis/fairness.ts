// Jain's index, and which of its rolling windows make the fairness terms of the scores.
//
// A run with two flows reports Jain's index over rolling windows of k base RTTs, for k short (1, 2, 5, 10, 20) and long
// (50, 100, 500, 1000, 3000), as Zeus does in section 6.3. Zeus prints one number per CCA in table 2 and does not say how
// it came from the ten. Ours: the mean of the short-term and the long-term figure, each the mean over those of its k that
// fit into the run. Why: with all ten present it is the plain mean over k, and it does not tip towards the short term when
// a short run or a long RTT leaves out the largest k. It agrees with what Zeus says of its own figures: short-term intra-
// fairness of 0.8 or more, long-term 0.9 or more, and table 2 between them (0.84 to 0.92 for most CCAs).
// A run without any window of 50 base RTTs has no long-term figure, and then the term is not measured. Which of the ten are missing is
// said wherever the figure stands.
//
// Flows that join behind the link's bottleneck compete for nothing with those that pass it: then the index is that of the throughputs of the
// others, over the whole run, as the rolling windows are over all flows.
import { mean } from '#analysis/statistics';
import type { FairnessSummary, RunSummary } from '#protocol/summary';

export const SHORT_TERM_K: readonly number[] = [1, 2, 5, 10, 20];
export const LONG_TERM_K: readonly number[] = [50, 100, 500, 1000, 3000];
export const WINDOWS_K: readonly number[] = [...SHORT_TERM_K, ...LONG_TERM_K];

/** (sum x)^2 / (n sum x^2): from 1/n (one flow has all) to 1 (equal shares). null when nothing moved. */
export function jainIndex(rates: readonly number[]): number | null {
  // Scaled by the largest, so that squares of huge or tiny rates neither overflow nor vanish.
  const largest = Math.max(0, ...rates);
  if (largest === 0) return null;
  let total = 0;
  let squares = 0;
  for (const rate of rates) {
    const share = rate / largest;
    total += share;
    squares += share * share;
  }
  return (total * total) / (rates.length * squares);
}

export interface FairnessTerm {
  /** Mean of short and long term; null: not measured. */
  readonly value: number | null;
  readonly short: number | null;
  readonly long: number | null;
  /** The k that had at least one window in which anything moved. */
  readonly measured_k: readonly number[];
  /** Those of the ten that the figure stands without; none where there is no figure. */
  readonly missing_k: readonly number[];
}

const meanOver = (windows: readonly FairnessSummary[], ks: readonly number[]): number | null =>
  mean(windows.flatMap(({ k, mean: value }) => (value !== null && ks.includes(k) ? [value] : [])));

/** The fairness of one run between its flows. */
export function fairnessTerm({ fairness }: Pick<RunSummary, 'fairness'>): FairnessTerm {
  const short = meanOver(fairness, SHORT_TERM_K);
  const long = meanOver(fairness, LONG_TERM_K);
  const measured_k = fairness.filter((window) => window.mean !== null).map((window) => window.k);
  return {
    value: short === null || long === null ? null : (short + long) / 2,
    short,
    long,
    measured_k,
    missing_k: short === null && long === null ? [] : WINDOWS_K.filter((k) => !measured_k.includes(k)),
  };
}

/** Those of several runs together: the mean over them stands on runs that lack these. */
export const missingOfAll = (runs: readonly Pick<FairnessTerm, 'missing_k'>[]): readonly number[] =>
  WINDOWS_K.filter((k) => runs.some(({ missing_k }) => missing_k.includes(k)));

/** “9 of 10”; null: none is missing. */
export const windowsText = (missing: readonly number[]): string | null =>
  missing.length === 0 ? null : `${WINDOWS_K.length - missing.length} of ${WINDOWS_K.length}`;

/** Why, for people. */
export const missingText = (missing: readonly number[]): string =>
  missing.length === 0
    ? ''
    : `Without the window${missing.length === 1 ? '' : 's'} of ${missing.join(', ')} base RTTs: the flows ran together for less, or none moved`;

export interface SharedFairness extends FairnessTerm {
  /** The flows whose shares are compared, from 0. */
  readonly flows: readonly number[];
  /** Of their throughputs over the whole run. */
  readonly throughput: number | null;
}

/** Jain's index of the flows that share the link; `beside`: those that join behind it. When all do, of all. */
export function sharedFairness(
  summary: Pick<RunSummary, 'fairness' | 'receivers'>,
  beside: readonly number[],
): SharedFairness {
  const sharing = summary.receivers.filter(({ flow }) => !beside.includes(flow));
  const apart = sharing.length > 0 && sharing.length < summary.receivers.length;
  const receivers = apart ? sharing : summary.receivers;
  const throughput = receivers.length < 2 ? null : jainIndex(receivers.map(({ throughput_mbps }) => throughput_mbps));
  const flows = receivers.map(({ flow }) => flow);
  if (apart) return { value: throughput, short: null, long: null, measured_k: [], missing_k: [], throughput, flows };
  return { ...fairnessTerm(summary), throughput, flows };
}
