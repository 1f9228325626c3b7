// Bytes in flight, and throughput, against RTT: points at several spacings, of which sums are kept that an ellipse is made from (Uplink,
// figures 2 to 4).
import type { ColumnOf } from '#analysis/run-dynamics';
import { correlationOf, joinedMoments, momentsOf } from '#analysis/moments';
import type { Family } from '#analysis/sampled-parts';
import {
  known,
  NOTHING,
  POSITIVE,
  sharing,
  spanOf,
  STEP_WINDOWS,
  windowsIn,
  type FlowTime,
} from '#analysis/sampled-parts';
import { meanBetween, type MeanBetween } from '#analysis/series-mean';
import { mean, sortedQuantile } from '#analysis/statistics';
import { receiverStream, senderStream } from '#protocol/columns';
import type { RunManifest } from '#protocol/manifest';
import type { Moments } from '#protocol/sampled';

/** Seconds from one point to the next, each the mean of what lies between. */
export const SPACINGS = { '10 ms': 0.01, '100 ms': 0.1, '1 s': 1, '5 s': 5 } as const;
export type Spacing = keyof typeof SPACINGS;
export const SPACING_NAMES = Object.keys(SPACINGS) as [Spacing, ...Spacing[]];

export const PLANES = ['inflight', 'throughput'] as const;
export type Plane = (typeof PLANES)[number];

/** What the correlation and the quantile are of. */
const USUAL: Spacing = '100 ms';

const KILO = 1000;

export interface PlanePoints {
  readonly rtt_ms: readonly number[];
  /** kB, or Mbps. */
  readonly y: readonly number[];
}

interface Sending extends FlowTime {
  readonly rtt: MeanBetween;
  readonly inflight: MeanBetween | null;
  readonly throughput: MeanBetween | null;
}

export function sendingOf(manifest: RunManifest, column: ColumnOf): Sending[] {
  return sharing(manifest).flatMap((flow): Sending[] => {
    const rtt = column(senderStream(flow.flow), 'latest_rtt_ms');
    if (rtt === null) return [];
    const inflight = column(senderStream(flow.flow), 'inflight_bytes');
    const throughput = column(receiverStream(flow.flow), 'throughput_mbps');
    return [
      {
        ...flow,
        rtt: meanBetween(rtt),
        inflight: inflight === null ? null : meanBetween(inflight),
        throughput: throughput === null ? null : meanBetween(throughput),
      },
    ];
  });
}

/** Bytes in flight of one flow against its RTT, while it sends. */
export function* inflightSteps(flow: Sending, spacing_s: number): Generator<void, PlanePoints, undefined> {
  const [rtt_ms, y]: [number[], number[]] = [[], []];
  const { inflight } = flow;
  if (inflight === null) return { rtt_ms, y };
  for (const from_s of windowsIn(flow, spacing_s)) {
    const [x, bytes] = [flow.rtt(from_s, from_s + spacing_s), inflight(from_s, from_s + spacing_s)];
    if (x !== null && bytes !== null) {
      rtt_ms.push(x);
      y.push(bytes / KILO);
    }
    if (rtt_ms.length % STEP_WINDOWS === 0) yield;
  }
  return { rtt_ms, y };
}

/** Throughput of all flows together against the mean of their RTTs. */
export function* throughputSteps(
  flows: readonly Sending[],
  spacing_s: number,
): Generator<void, PlanePoints, undefined> {
  const [rtt_ms, y]: [number[], number[]] = [[], []];
  if (flows.length === 0) return { rtt_ms, y };
  for (const from_s of windowsIn(spanOf(flows), spacing_s)) {
    const to_s = from_s + spacing_s;
    const x = mean(flows.flatMap(({ rtt }) => rtt(from_s, to_s) ?? []));
    const rates = flows.map(({ throughput }) => throughput?.(from_s, to_s) ?? null);
    if (x !== null && rates.some((rate) => rate !== null)) {
      rtt_ms.push(x);
      y.push(rates.reduce<number>((total, rate) => total + (rate ?? 0), 0));
    }
    if (rtt_ms.length % STEP_WINDOWS === 0) yield;
  }
  return { rtt_ms, y };
}

/** Points as near as samples are, and no nearer. */
export const spacingsOf = ({ sample_period_ms }: Pick<RunManifest, 'sample_period_ms'>): Spacing[] =>
  SPACING_NAMES.filter((name) => SPACINGS[name] >= sample_period_ms / 1000 - 1e-9);

export const PLANE: Family = {
  values: {
    inflight_kb: { label: 'bytes in flight of a flow, mean', unit: 'kB', range: POSITIVE },
    inflight_p95_kb: { label: 'bytes in flight of a flow, p95', unit: 'kB', range: POSITIVE },
    inflight_rtt_correlation: { label: 'correlation of bytes in flight and RTT', unit: '', range: [-1, 1] },
  },
  needs: ({ flows }) =>
    flows.flatMap((_, flow) => [
      [senderStream(flow), 'latest_rtt_ms'] as const,
      [senderStream(flow), 'inflight_bytes'] as const,
      [receiverStream(flow), 'throughput_mbps'] as const,
    ]),
  *steps(manifest, column) {
    const flows = sendingOf(manifest, column);
    yield;
    const moments: Record<string, Moments> = {};
    const usual: number[] = [];
    for (const spacing of spacingsOf(manifest)) {
      const own: Moments[] = [];
      for (const flow of flows) {
        const { rtt_ms, y } = yield* inflightSteps(flow, SPACINGS[spacing]);
        own.push(momentsOf(rtt_ms, y));
        if (spacing === USUAL) usual.push(...y);
        yield;
      }
      const { rtt_ms, y } = yield* throughputSteps(flows, SPACINGS[spacing]);
      const all = { inflight: joinedMoments(own), throughput: momentsOf(rtt_ms, y) };
      for (const plane of PLANES) if (all[plane].n > 0) moments[`${plane}:${spacing}`] = all[plane];
      yield;
    }
    const whole = moments[`inflight:${USUAL}`];
    return {
      ...NOTHING,
      values: known({
        inflight_kb: mean(usual),
        inflight_p95_kb: sortedQuantile(Float64Array.from(usual).sort(), 0.95),
        inflight_rtt_correlation: whole === undefined ? null : correlationOf(whole),
      }),
      moments,
    };
  },
};
