// A part of a trace's capacity over time, made of the whole in bins: as fine as those bins, and no finer.
import type { TracePreview } from '#protocol/trace';

export interface WantedPart {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bins: number;
}

/** Means weigh each bin by how much of it is within; the extremes are those of every bin that is touched. */
export function previewPart(whole: TracePreview, { fromMs, toMs, bins }: WantedPart): TracePreview {
  const { bin_ms: step } = whole;
  const bin_ms = Math.max(step, Math.ceil((toMs - fromMs) / bins));
  const [mean_mbps, min_mbps, max_mbps]: [number[], number[], number[]] = [[], [], []];
  for (let start = fromMs; start < toMs; start += bin_ms) {
    const end = Math.min(toMs, start + bin_ms);
    let [sum, weight, least, most] = [0, 0, Infinity, 0];
    for (let i = Math.floor(start / step); i * step < end; i++) {
      const within = Math.min(end, (i + 1) * step) - Math.max(start, i * step);
      const mean = whole.mean_mbps[i];
      if (mean === undefined) break;
      sum += mean * within;
      weight += within;
      least = Math.min(least, whole.min_mbps[i] ?? mean);
      most = Math.max(most, whole.max_mbps[i] ?? mean);
    }
    if (weight === 0) break;
    mean_mbps.push(sum / weight);
    min_mbps.push(least);
    max_mbps.push(most);
  }
  return { bin_ms, mean_mbps, min_mbps, max_mbps };
}
