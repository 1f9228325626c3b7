// A trace in its canonical text (docs/traces.md), and its rates over any part of it: the same figures as `paceline-trace` gives.
import { PACKET_BYTES } from '#analysis/limits';
import type { TracePreview } from '#protocol/trace';

/** Opportunities by millisecond; the last entry is that of the period, which is the first of the next lap as well. */
export function countsOf(text: string): Uint32Array {
  const lines = text.trimEnd().split('\n');
  const [last = '0'] = (lines.at(-1) ?? '').split(' ');
  const counts = new Uint32Array(Number(last) + 1);
  for (const line of lines) {
    const [ms = '', count = ''] = line.split(' ');
    counts[Number(ms)] = Number(count);
  }
  return counts;
}

/** Opportunities before each millisecond of a lap: those of its end count at its beginning. */
function before(counts: Uint32Array): Float64Array {
  const period = counts.length - 1;
  const sums = new Float64Array(period + 1);
  for (let ms = 0; ms < period; ms++)
    sums[ms + 1] = (sums[ms] ?? 0) + (counts[ms] ?? 0) + (ms === 0 ? (counts[period] ?? 0) : 0);
  return sums;
}

/** Mbps of so many opportunities in so many milliseconds. */
const mbpsOf = (opportunities: number, ms: number): number => (opportunities * PACKET_BYTES * 8) / 1000 / ms;

const PIECE_MS = 10;

/** Below a piece: what divides it, so that bins of all zooms lie on one grid. */
function binOf(ms: number, bins: number): number {
  const wanted = Math.floor((ms + bins - 1) / bins);
  if (wanted <= 1) return 1;
  if (wanted <= 2) return 2;
  return wanted <= 5 ? 5 : Math.ceil(wanted / PIECE_MS) * PIECE_MS;
}

/** Means of bins over [fromMs, toMs), and the least and most of the pieces of 10 ms in each. */
export function previewOf(
  counts: Uint32Array,
  { bins, fromMs, toMs }: { readonly bins: number; readonly fromMs: number; readonly toMs: number },
): TracePreview {
  const sums = before(counts);
  const sum = (from: number, to: number): number => (sums[to] ?? 0) - (sums[from] ?? 0);
  const to = Math.min(toMs, counts.length - 1);
  const from = Math.min(fromMs, to);
  const bin_ms = binOf(to - from, Math.max(1, bins));
  const [mean_mbps, min_mbps, max_mbps]: [number[], number[], number[]] = [[], [], []];
  for (let start = from; start < to; start += bin_ms) {
    const end = Math.min(start + bin_ms, to);
    const mean = mbpsOf(sum(start, end), end - start);
    let [least, most] = [mean, mean];
    for (let piece = start; piece + PIECE_MS <= end; piece += PIECE_MS) {
      const rate = mbpsOf(sum(piece, piece + PIECE_MS), PIECE_MS);
      least = Math.min(least, rate);
      most = Math.max(most, rate);
    }
    mean_mbps.push(mean);
    min_mbps.push(least);
    max_mbps.push(most);
  }
  return { bin_ms, mean_mbps, min_mbps, max_mbps };
}
