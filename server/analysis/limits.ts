// Queue limits in all their units. 1 BDP = mean capacity of the trace, or of its part that runs, x base RTT (propagation only); where the
// limit says so x the delay of the link, one way, of which the base RTT has two.
import { tracePart, windowsOf, type PartSpec as TracePartSpec, type PartWindow } from '#analysis/trace-part';
import type { BufferSpec, ExperimentSpec } from '#protocol/spec';

/** A full packet on the wire, IP header included. */
export const PACKET_BYTES = 1500;
/** Below two packets a queue drops the second packet of every burst: derived limits are not made smaller. */
export const MIN_DERIVED_LIMIT_BYTES = 2 * PACKET_BYTES;

type PartSpec = Pick<ExperimentSpec, 'bdp_of'> & TracePartSpec;

/**
 * Whether limits are of the `duration_s` of a trace that run. Where repetitions begin all over it, each runs another part and all of them
 * together cover the whole: then the whole is what a limit can be of.
 */
export const limitsOfPart = (spec: PartSpec, period_ms: number): boolean =>
  spec.bdp_of === 'part' && tracePart(spec, period_ms).kind === 'stretch';

/** What of the trace has to be measured for limits of its part; none: they are of the whole. */
export function limitWindows(spec: PartSpec, period_ms: number): PartWindow[] {
  const part = tracePart(spec, period_ms);
  return spec.bdp_of === 'part' && part.kind === 'stretch' ? windowsOf(part, period_ms) : [];
}

/** Bytes that `mbps` carries in `ms`. */
export const bytesIn = (mbps: number, ms: number): number => (mbps * 1e3 * ms) / 8;

/** What its BDP are of: a round trip, or the link’s own delay. */
const bdpDelayMs = ({ delay }: Extract<BufferSpec, { bdp: number }>, baseRttMs: number): number =>
  delay === 'link' ? baseRttMs / 2 : baseRttMs;

/** Of a limit in BDP or ms: what was asked for, before it is rounded and raised. */
export const askedBytes = (
  buffer: Extract<BufferSpec, { bdp: number } | { ms: number }>,
  meanMbps: number,
  baseRttMs: number,
): number => bytesIn(meanMbps, 'bdp' in buffer ? buffer.bdp * bdpDelayMs(buffer, baseRttMs) : buffer.ms);

export interface ResolvedLimit {
  /** null: infinite. */
  readonly bytes: number | null;
  /** Set only when the limit was asked for in packets. */
  readonly packets: number | null;
  /** The derived limit was below two packets and was raised to two. */
  readonly raised: boolean;
}

/** The limit in whole bytes on a link of this mean capacity. Limits given in bytes or packets are taken as they are. */
export function resolveLimit(buffer: BufferSpec, meanMbps: number, baseRttMs: number): ResolvedLimit {
  if ('infinite' in buffer) return { bytes: null, packets: null, raised: false };
  if ('bytes' in buffer) return { bytes: buffer.bytes, packets: null, raised: false };
  if ('packets' in buffer) return { bytes: buffer.packets * PACKET_BYTES, packets: buffer.packets, raised: false };
  const bytes = Math.round(askedBytes(buffer, meanMbps, baseRttMs));
  return { bytes: Math.max(bytes, MIN_DERIVED_LIMIT_BYTES), packets: null, raised: bytes < MIN_DERIVED_LIMIT_BYTES };
}

/** One queue limit on one trace, in every unit a person may think in; null where infinite or not defined. */
export interface LimitUnits {
  readonly bdp_bytes: number;
  readonly limit_bytes: number | null;
  readonly limit_packets: number | null;
  readonly limit_ms: number | null;
  readonly limit_bdp: number | null;
}

export function limitUnits(buffer: BufferSpec, meanMbps: number, baseRttMs: number): LimitUnits {
  const { bytes } = resolveLimit(buffer, meanMbps, baseRttMs);
  const bdp = bytesIn(meanMbps, baseRttMs);
  if (bytes === null)
    return { bdp_bytes: bdp, limit_bytes: null, limit_packets: null, limit_ms: null, limit_bdp: null };
  return {
    bdp_bytes: bdp,
    limit_bytes: bytes,
    limit_packets: bytes / PACKET_BYTES,
    limit_ms: meanMbps > 0 ? bytes / bytesIn(meanMbps, 1) : null,
    limit_bdp: bdp > 0 ? bytes / bdp : null,
  };
}

/** How a limit is written where space is short: in the point of a figure, in a table cell. */
export function bufferLabel(buffer: BufferSpec): string {
  if ('infinite' in buffer) return '∞';
  if ('bdp' in buffer) return `${buffer.bdp} BDP${buffer.delay === 'link' ? ' (link)' : ''}`;
  if ('packets' in buffer) return `${buffer.packets} pkts`;
  if ('bytes' in buffer) return `${buffer.bytes} B`;
  return `${buffer.ms} ms`;
}

/** No experiment makes more runs than this: beyond it a slip of the pen fills the queue for weeks. */
export const MAX_RUNS = 100_000;
