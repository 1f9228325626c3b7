// By how much the retransmission timeout is longer than the RTT at the moment (Uplink, figure 8): what a lost packet that only the timer
// finds costs beyond a round trip.
import type { TimeSeries } from '#analysis/live-comparison';
import type { ColumnOf } from '#analysis/run-dynamics';
import type { Family, SampledValue } from '#analysis/sampled-parts';
import { known, NOTHING, sharing } from '#analysis/sampled-parts';
import { mean, sortedQuantile, type Range } from '#analysis/statistics';
import { finish } from '#analysis/steps';
import { senderStream } from '#protocol/columns';
import type { RunManifest } from '#protocol/manifest';

/** It is below zero while the latest RTT is longer than the timer knew. */
const ANYWHERE: Range = [-Infinity, Infinity];
const value = (label: string): SampledValue => ({ label: `RTO less RTT, ${label}`, unit: 'ms', range: ANYWHERE });

/** Rows of a flow in which both are known, while it sends. */
export function* rtoLessRtt(
  manifest: RunManifest,
  column: ColumnOf,
  flow: number,
): Generator<void, number[], undefined> {
  const [rto, rtt]: (TimeSeries | null)[] = [
    column(senderStream(flow), 'rto_ms'),
    column(senderStream(flow), 'latest_rtt_ms'),
  ];
  const found: number[] = [];
  const sends = sharing(manifest).find((one) => one.flow === flow);
  if (rto === null || rtt === null || rto === undefined || rtt === undefined || sends === undefined) return found;
  for (let i = 0; i < Math.min(rto.rows, rtt.rows); i++) {
    const [time, less] = [rto.time[i] ?? 0, (rto.values[i] ?? NaN) - (rtt.values[i] ?? NaN)];
    if (time > sends.from_s && time <= sends.to_s && Number.isFinite(less)) found.push(less);
    if (i % ROWS === ROWS - 1) yield;
  }
  return found;
}
const ROWS = 10_000;

/** 32nds of an octave from 1/4 ms on, 3 % wide: timers differ by little. What is less, or below zero, together. */
const PARTS = 32;
const LEAST_MS = 0.25;

/** The bound that it does not exceed. */
export function bucketOf(ms: number): number {
  if (!(ms > LEAST_MS)) return LEAST_MS;
  const octave = Math.floor(Math.log2(ms / LEAST_MS));
  const base = LEAST_MS * 2 ** octave;
  const bound = (k: number): number => (base * (PARTS + k)) / PARTS;
  const k = Math.ceil((ms / base) * PARTS - 1e-9) - PARTS;
  return bound(k);
}

/** A bound and how many in turn, rising. */
export const histogramOf = (values: readonly number[]): number[] => finish(histogramSteps(values));

function* histogramSteps(values: readonly number[]): Generator<void, number[], undefined> {
  const counts = new Map<number, number>();
  for (const [i, one] of values.entries()) {
    const bound = bucketOf(one);
    counts.set(bound, (counts.get(bound) ?? 0) + 1);
    if (i % ROWS === ROWS - 1) yield;
  }
  return [...counts].sort(([a], [b]) => a - b).flat();
}

export const RTO: Family = {
  values: {
    rto_less_rtt_ms: value('mean'),
    rto_less_rtt_p95_ms: value('p95'),
    rto_less_rtt_max_ms: value('max'),
  },
  needs: ({ flows }) =>
    flows.flatMap((_, flow) => [
      [senderStream(flow), 'rto_ms'] as const,
      [senderStream(flow), 'latest_rtt_ms'] as const,
    ]),
  *steps(manifest, column) {
    const all: number[] = [];
    for (const { flow } of sharing(manifest)) {
      for (const less of yield* rtoLessRtt(manifest, column, flow)) all.push(less);
      yield;
    }
    if (all.length === 0) return NOTHING;
    const sorted = Float64Array.from(all).sort();
    yield;
    const rto = yield* histogramSteps(all);
    return {
      ...NOTHING,
      values: known({
        rto_less_rtt_ms: mean(all),
        rto_less_rtt_p95_ms: sortedQuantile(sorted, 0.95),
        rto_less_rtt_max_ms: sortedQuantile(sorted, 1),
      }),
      histograms: { rto },
    };
  },
};
