// How many independent values a series is worth: values that follow each other are alike, so n of them tell less than n draws.
//
// Two estimates, and the smaller counts. Geyer's initial monotone sequence (Practical Markov chain Monte Carlo, 1992) adds up the
// autocorrelations in pairs until they are lost in their own noise. A slow wave under loud noise is lost there at once; batch means
// (Schmeiser, Batch size effects in the analysis of simulation output, 1982) still see it: how far means of whole stretches of the
// series lie apart. Both look at ranks, so that a few bursts or a slow start do not stand for the rest.
import { mean, sum } from '#analysis/statistics';

/** Stretches whose means are compared: few see long waves, many are sure of themselves. */
const BATCHES = [5, 10, 20];
/** Products that are added up at most; what is left out of a series of a day, batch means see. */
const MOST_PRODUCTS = 50_000_000;

/** No more than n, no fewer than two. What is less apart than `grain` is not known to differ, and passes for equal. */
export function independentOf(values: readonly number[], grain = 0): number {
  const n = values.length;
  const centred = centredRanks(grain > 0 ? values.map((value) => Math.round(value / grain)) : values);
  const variance = sum(centred.map((value) => value ** 2)) / n;
  if (!(variance > 0)) return n;
  const worth = [initialSequence(centred, variance), ...BATCHES.map((count) => batchMeans(centred, variance, count))];
  return Math.max(Math.min(2, n), Math.min(n, ...worth));
}

/** Equal values share the mean of their ranks. */
function centredRanks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to++;
    for (let i = from; i < to; i++) ranks[order[i] ?? 0] = (from + to - 1) / 2;
    from = to;
  }
  const centre = (values.length - 1) / 2;
  return ranks.map((rank) => rank - centre);
}

function initialSequence(centred: readonly number[], variance: number): number {
  const n = centred.length;
  const correlation = (lag: number): number => {
    let products = 0;
    for (let i = lag; i < n; i++) products += (centred[i] ?? 0) * (centred[i - lag] ?? 0);
    return products / n / variance;
  };
  let [total, before] = [0, Infinity];
  const longest = Math.min(n, MOST_PRODUCTS / n);
  for (let lag = 0; lag + 1 < longest; lag += 2) {
    const pair = Math.min(before, correlation(lag) + correlation(lag + 1));
    if (pair <= 0) break;
    total += pair;
    before = pair;
  }
  const each = Math.max(1, 2 * total - 1);
  // The mean is that of the same values, which makes them look less alike than they are: by about twice what one stands for, of n.
  return n / (each * (1 + (2 * each) / n));
}

function batchMeans(centred: readonly number[], variance: number, count: number): number {
  const length = Math.floor(centred.length / count);
  if (length < 2) return centred.length;
  const means = Array.from({ length: count }, (_, i) => mean(centred.slice(i * length, (i + 1) * length)) ?? 0);
  const between = sum(means.map((one) => one ** 2)) / (count - 1);
  return between === 0 ? centred.length : (centred.length * variance) / (length * between);
}
