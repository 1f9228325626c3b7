// The intervals over which a measurement of a live connection is compared with a run, and how far their rates can be trusted.
//
// A sender counts what it hands to its socket. The kernel takes no more until a third of the socket's buffer is free (sk_stream_is_writeable),
// and that buffer holds two windows with their book-keeping, nearly three of payload (tcp_sndbuf_expand): so a window and the block that was
// being written come and go at once, and at 0.1 s a constant 48 Mbps is 63, 63, 63 and 0 Mbps. A receiver counts what it reads, some of them
// in whole blocks. What is ahead in one interval is missing in the next, so over longer ones it vanishes.
import type { MeasuredInterval, Measurement } from '#protocol/measurement';
import { sortedQuantile } from '#analysis/statistics';

export type Span = Pick<MeasuredInterval, 'start_s' | 'end_s' | 'throughput_mbps'>;

export interface ComparedIntervals {
  readonly intervals: readonly Span[];
  readonly interval_s: number;
  /** So many measured ones are in each. */
  readonly joined: number;
  /** By so much a rate may be wrong. */
  readonly resolution_mbps: number;
  readonly side: Counted['side'];
}

/** Of what iperf3 hands over and takes at once, TCP's by default. */
const BLOCK_BYTES = 131_072;
const PACKET_BYTES = 1500;
/** Finer than this, as a share of the mean, a rate need not be known. */
const FINE_ENOUGH = 0.05;
/** Longer intervals than leave so many tell nothing of their distribution. */
const FEWEST_LEFT = 10;

export interface Counted {
  readonly intervals: readonly MeasuredInterval[];
  readonly interval_s: number;
  /** Which end counted. */
  readonly side: Measurement['side'];
}

/** What the receiver counted, where the report tells it; else what its writer did. */
export function countedOf({ received = [], total, side, interval_s }: Measurement): Counted {
  if (received.length === 0) return { intervals: total, interval_s, side };
  return { intervals: received, interval_s: usualLength(received), side: 'receiver' };
}

/**
 * By `seconds`; when nothing is asked for, by the shortest whole number of the measurement's own intervals over which its rates are known to
 * 5 % of their mean, as long as ten are left.
 */
export function comparedIntervals(measurement: Measurement, seconds?: number): ComparedIntervals {
  const { intervals, interval_s: own_s, side } = countedOf(measurement);
  const ahead = aheadBytes(measurement);
  const resolution = (length_s: number): number => (ahead * 8) / Math.max(length_s, 1e-3) / 1e6;
  const wanted = Math.ceil(resolution(own_s) / (FINE_ENOUGH * Math.max(meanOf(intervals), 1e-9)));
  const chosen = Math.max(1, Math.min(wanted, Math.floor(intervals.length / FEWEST_LEFT)));
  const joined = seconds === undefined ? chosen : Math.max(1, Math.round(seconds / own_s));
  const interval_s = joined * own_s;
  return {
    intervals: joined === 1 ? intervals : coarsen(intervals, interval_s),
    interval_s,
    joined,
    resolution_mbps: resolution(interval_s),
    side,
  };
}

const usualLength = (intervals: readonly Span[]): number =>
  sortedQuantile(
    intervals.map(({ start_s, end_s }) => end_s - start_s).sort((a, b) => a - b),
    0.5,
  ) ?? 0;

function meanOf(intervals: readonly Span[]): number {
  let [megabits, seconds] = [0, 0];
  for (const { start_s, end_s, throughput_mbps } of intervals) {
    megabits += throughput_mbps * (end_s - start_s);
    seconds += end_s - start_s;
  }
  return seconds > 0 ? megabits / seconds : 0;
}

/** How far a count of bytes may be off what had arrived at that moment. */
function aheadBytes(measurement: Measurement): number {
  const { protocol, wire_factor, streams, total } = measurement;
  const { intervals, side } = countedOf(measurement);
  const connections = Math.max(1, streams.length);
  const block = BLOCK_BYTES * wire_factor;
  // A packet at each end of the interval.
  const packets = 2 * PACKET_BYTES * connections;
  if (protocol === 'udp') return packets;
  if (side === 'receiver')
    return intervals.every((one) => isWhole(bytesOf(one) / block)) ? block * connections : packets;
  let window = 0;
  for (const { cwnd_bytes } of total) window = Math.max(window, cwnd_bytes ?? 0);
  return window + block * connections;
}

const bytesOf = ({ start_s, end_s, throughput_mbps }: Span): number => (throughput_mbps * 1e6 * (end_s - start_s)) / 8;
const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-4;

/**
 * The same throughput by longer intervals: neighbours are joined until they are about so long. Writes of 128 KB at the sender and
 * holes that the receiver waits to see filled make short intervals uneven where the network is not.
 */
export function coarsen(intervals: readonly Span[], seconds: number): Span[] {
  const joined: Span[] = [];
  let group: Span[] = [];
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
