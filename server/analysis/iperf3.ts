// iperf3's reports as measurements: throughput of the wire, window and RTT over time. The engine reads them (`paceline-trace iperf3`, the
// bridge's `readIperf3`); units, and what whoever reads the figures should know, are said here.
import type { Iperf3Interval, Iperf3Report, Iperf3Span, Iperf3Stream } from '#protocol/iperf3';
import type { MeasuredInterval, Measurement } from '#protocol/measurement';
import { mean, sortedQuantile, sum } from '#analysis/statistics';

/** A file that holds no measurement: why, and what to do. */
export class MeasurementRefused extends Error {
  override readonly name = 'MeasurementRefused';
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const ASK = 'Make one with `iperf3 -c HOST -J -i 0.1 > live.json`.';

/** Throws MeasurementRefused. */
export function measurementOf(report: Iperf3Report): Measurement {
  const { start, end } = report;
  const protocol = start.test_start.protocol.toLowerCase();
  if (protocol !== 'tcp' && protocol !== 'udp')
    throw new MeasurementRefused(`this is a test of ${start.test_start.protocol}`, 'Only TCP and UDP can be compared.');
  if (start.test_start.bidir !== 0)
    throw new MeasurementRefused(
      'this test sent in both directions at once (--bidir)',
      'Measure one direction at a time.',
    );
  const intervals = measuredOf(report.intervals);
  if (intervals.length === 0)
    throw new MeasurementRefused(
      report.error === undefined ? 'no interval was measured' : `iperf3 says: ${report.error}`,
      ASK,
    );
  const sender = sendsOf(intervals, report);
  const wire = wireFactor(start, protocol);
  const total = intervals.map((interval) => totalOf(interval, wire.factor));
  const lengths = total.map((one) => one.end_s - one.start_s).sort((a, b) => a - b);
  // A server that sent has nothing to say of what arrived.
  const received = sender
    ? measuredOf(report.server_intervals ?? []).filter(({ streams }) => streams[0]?.sender === false)
    : [];
  const complete = report.complete && end !== undefined && report.error === undefined;
  const seconds = sum(lengths);
  return {
    source: 'iperf3',
    version: start.version ?? null,
    protocol,
    side: sender ? 'sender' : 'receiver',
    cca: (end?.sender_tcp_congestion ?? '') === '' ? null : (end?.sender_tcp_congestion ?? null),
    started_at: start.timestamp === undefined ? null : new Date(start.timestamp.timesecs * 1000).toISOString(),
    wire_factor: wire.factor,
    duration_s: total.at(-1)?.end_s ?? 0,
    interval_s: sortedQuantile(lengths, 0.5) ?? 0,
    mean_mbps: sum(total.map((one) => one.throughput_mbps * (one.end_s - one.start_s))) / seconds,
    complete,
    notes: [
      ...(complete ? [] : ['The file was cut short: these are the intervals before that.']),
      ...(sender && protocol === 'tcp' ? [received.length > 0 ? BY_BOTH : BY_SENDER] : []),
      ...(sender && report.server_told_text === true ? [AS_TEXT] : []),
      ...wire.notes,
    ],
    total,
    ...(received.length > 0 && { received: received.map((interval) => totalOf(interval, wire.factor)) }),
    streams: streamsOf(intervals, wire.factor),
  };
}

const BY_SENDER = 'Measured by the sender: what it handed to its socket, which is ahead of what arrived.';
const BY_BOTH = 'Throughput is what the receiver counted; window and RTT are the sender’s.';
const AS_TEXT = 'The receiver’s report is text, and not read: start its iperf3 with `-J -i 0.1`.';

/** Those that count, in order. */
function measuredOf(all: readonly Iperf3Interval[]): Iperf3Interval[] {
  const intervals = all
    .filter(({ streams, sum: total }) => streams.length > 0 && (total ?? streams[0])?.omitted !== true)
    .filter(({ streams, sum: total }) => spanOf(total ?? streams[0]) > 0)
    .sort((a, b) => startOf(a) - startOf(b));
  dropRemainder(intervals);
  return intervals;
}

/** A test ends some milliseconds after its last whole interval: a rate over so short a time means nothing. */
function dropRemainder(intervals: Iperf3Interval[]): void {
  const [before, last] = intervals.slice(-2).map(({ streams, sum: all }) => spanOf(all ?? streams[0]));
  if (before !== undefined && last !== undefined && last < before / 2) intervals.pop();
}

const startOf = ({ streams, sum: all }: Iperf3Interval): number => (all ?? streams[0])?.start ?? 0;
const spanOf = (span: Iperf3Span | undefined): number => (span === undefined ? 0 : span.end - span.start);

function sendsOf(intervals: readonly Iperf3Interval[], { start }: Iperf3Report): boolean {
  const stream = intervals[0]?.streams[0];
  // Old versions do not say it; but only a sender has a window.
  return stream?.sender ?? (stream?.snd_cwnd !== undefined && start.test_start.reverse === 0);
}

function totalOf({ streams, sum: all }: Iperf3Interval, factor: number): MeasuredInterval {
  const first = streams[0];
  const added = (read: (stream: Iperf3Stream) => number | undefined): number | null => {
    const values = streams.map(read);
    return values.every((value) => value !== undefined) ? sum(values) : null;
  };
  const start = all?.start ?? first?.start ?? 0;
  const end = all?.end ?? first?.end ?? 0;
  return {
    start_s: start,
    end_s: end,
    throughput_mbps: mbps(all?.bytes ?? sum(streams.map(({ bytes }) => bytes)), end - start, factor),
    cwnd_bytes: added(({ snd_cwnd }) => (snd_cwnd === undefined ? undefined : snd_cwnd * factor)),
    rtt_ms: mean(streams.flatMap(({ rtt }) => (rtt === undefined || rtt === 0 ? [] : [rtt / 1000]))),
    retransmits: added(({ retransmits }) => retransmits),
    lost_packets: added(({ lost_packets }) => lost_packets),
  };
}

const mbps = (bytes: number, seconds: number, factor: number): number => (bytes * 8 * factor) / seconds / 1e6;

function streamsOf(intervals: readonly Iperf3Interval[], factor: number): Measurement['streams'] {
  const sockets = new Map<number, MeasuredInterval[]>();
  for (const { streams } of intervals)
    for (const stream of streams) {
      if (spanOf(stream) <= 0) continue;
      const own = sockets.get(stream.socket) ?? [];
      own.push(totalOf({ streams: [stream] }, factor));
      sockets.set(stream.socket, own);
    }
  return sockets.size < 2 ? [] : [...sockets].map(([socket, own]) => ({ socket, intervals: own }));
}

const IP_AND_TCP = 52; // with time stamps, which Linux always uses and which its segment size leaves out
const IP_AND_UDP = 28;
const FRAGMENT = 1480;
const IP = 20;

/** iperf3 counts what programs wrote and read; a link carries headers as well. */
function wireFactor(start: Iperf3Report['start'], protocol: 'tcp' | 'udp'): { factor: number; notes: string[] } {
  if (protocol === 'udp') {
    const block = start.test_start.blksize ?? 0;
    if (block <= 0) return { factor: 1, notes: [unknownSize] };
    const extra = block + IP_AND_UDP <= 1500 ? IP_AND_UDP : 8 + IP * Math.ceil((block + 8) / FRAGMENT);
    return { factor: (block + extra) / block, notes: [] };
  }
  const segment = [start.tcp_mss, start.tcp_mss_default].find((size) => size !== undefined && size > 0);
  // The accepting side does not report it.
  if (segment === undefined)
    return {
      factor: (USUAL_SEGMENT + IP_AND_TCP) / USUAL_SEGMENT,
      notes: ['The segment size is not in the file: 1448 bytes are assumed.'],
    };
  return { factor: (segment + IP_AND_TCP) / segment, notes: [] };
}
const USUAL_SEGMENT = 1448;
const unknownSize = 'The datagrams’ size is not in the file: rates are without headers.';
