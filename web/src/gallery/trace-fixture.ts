// A made-up trace: its facts, its thumbnail, and its capacity at any zoom.
import type { TraceRecord } from '#protocol/api';
import type { TraceDynamics, TraceMarks, TracePreview } from '#protocol/trace';
import { random } from './ccas';

export function traceFixture(name: string, mbps: number, seed: number, seconds = 120): TraceRecord {
  const draw = random(seed);
  let walk = 0;
  const spark = Array.from({ length: 200 }, () => {
    walk = 0.93 * walk + 0.4 * (draw() - 0.5);
    return draw() < 0.04 ? 0 : mbps * Math.exp(walk);
  });
  return {
    id: String(seed).padStart(64, '0'),
    name,
    origin: 'library',
    description: '',
    licence: '',
    source: '',
    technology: '',
    place: '',
    formerly: [],
    created_at: '2026-01-01T00:00:00Z',
    spark,
    info: {
      sha256: String(seed).padStart(64, '0'),
      format: 'ms-count',
      gzip: false,
      period_ms: seconds * 1000,
      opportunities: Math.round((mbps * seconds * 1e6) / 12_000),
      first_ms: 0,
      last_ms: seconds * 1000,
      mean_mbps: mbps,
      peak_10ms_mbps: mbps * 4,
      peak_1s_mbps: mbps * 2,
      std_10ms_mbps: mbps * 0.8,
      std_1s_mbps: mbps * 0.4,
      p5_1s_mbps: mbps * 0.2,
      p95_1s_mbps: mbps * 1.8,
      longest_gap_ms: 900,
      wrap_gap_ms: 1,
      empty_seconds: 1,
      share_below_5mbps_10ms: 0.1,
      share_below_5mbps_1s: 0.05,
      max_per_ms: 8,
      acf_1e_s: 1.2,
      resolution_ms: 1,
      flags: [],
      warnings: [],
    },
  };
}

/** A user who changes cells every ten seconds. */
export const marksFixture = (seconds = 120): TraceMarks => {
  const marks = Array.from({ length: Math.floor(seconds / 10) }, (_, i) => ({
    kind: 'handover' as const,
    at_s: 4 + 10 * i,
    lasts_s: 0.03,
  }));
  return { count: marks.length, marks, snr: null };
};

/** How it moves: made up as well. */
export function dynamicsFixture(mbps: number, seconds = 120): TraceDynamics {
  const lags = (bin: number, end: number): number[] => {
    const all = [];
    for (let lag = bin; lag < end; lag = Math.max(lag + bin, lag * 1.1)) all.push(lag);
    return all;
  };
  const memory = (bin_ms: number, end: number, tau: number, at_once: number): TraceDynamics['memory'][number] => ({
    bin_ms,
    acf: lags(bin_ms / 1000, end).map((lag) => [lag, at_once * Math.exp(-lag / tau) + 0.1 * Math.sin(lag)]),
    below_1e_s: tau / 2,
  });
  const at = Array.from({ length: 14 }, (_, i): [number, number] => [
    Math.floor(((i + 0.3) * seconds * 1000) / 15),
    100 + 37 * i * (i % 4),
  ]);
  const outages = (below_mbps: number, list: [number, number][]): TraceDynamics['outages'][number] => {
    const edges = [200, 500, 1000, 2000, 5000, 10_000, Infinity];
    const sorted = list.map(([, length]) => length).sort((a, b) => a - b);
    return {
      below_mbps,
      count: list.length,
      share: sorted.reduce((a, b) => a + b, 0) / seconds / 1000,
      longest_ms: sorted.at(-1) ?? 0,
      median_ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
      lengths: edges.map((edge, i) => sorted.filter((l) => l < edge && l >= (edges[i - 1] ?? 0)).length),
      at: list,
    };
  };
  const falls = Array.from({ length: 9 }, (_, i): [number, number, number, number] => [
    i * 9000,
    i * 9000 + 60 + 45 * i,
    mbps * (1.6 - 0.05 * i),
    mbps * (0.1 + 0.02 * i),
  ]);
  return {
    memory: [memory(10, 60, 3, 0.7), memory(100, 120, 6, 0.95)],
    coherence_s: 1.5,
    outages: [outages(0, at.slice(0, 5)), outages(5, at)],
    falls: {
      count: falls.length,
      steepest_mbps_per_s: mbps * 25,
      median_mbps_per_s: mbps * 5,
      largest_3s_mbps: mbps * 1.5,
      at: falls,
    },
    usual_ms: { packets: 2, share: 0.4 },
  };
}

export interface PreviewRequest {
  readonly bins: number;
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** Rates of 10 ms: the thumbnail's level with noise that is the same whichever range is asked for. */
const rateAt = ({ spark, info }: TraceRecord, index: number): number => {
  const level = spark[Math.floor((index * 10 * spark.length) / info.period_ms)] ?? 0;
  return level * (0.4 + 1.2 * random(index + 1)());
};

/** Most 10 ms rates that are drawn for one bin: enough to look like extremes. */
const MOST_DRAWN = 12;

export function previewFixture(
  trace: TraceRecord,
  { bins, fromMs = 0, toMs = trace.info.period_ms }: PreviewRequest,
): TracePreview {
  const bin_ms = Math.max(10, Math.ceil((toMs - fromMs) / bins));
  const preview: { bin_ms: number; mean_mbps: number[]; min_mbps: number[]; max_mbps: number[] } = {
    bin_ms,
    mean_mbps: [],
    min_mbps: [],
    max_mbps: [],
  };
  for (let start = fromMs; start < toMs; start += bin_ms) {
    const count = Math.max(1, Math.min(MOST_DRAWN, Math.floor(bin_ms / 10)));
    const rates = Array.from({ length: count }, (_, i) =>
      rateAt(trace, Math.floor((start + (i * bin_ms) / count) / 10)),
    );
    preview.mean_mbps.push(rates.reduce((a, b) => a + b, 0) / count);
    preview.min_mbps.push(Math.min(...rates));
    preview.max_mbps.push(Math.max(...rates));
  }
  return preview;
}
