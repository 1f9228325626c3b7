// iperf3's reports (`iperf3 -J`, or `--json-stream`) as a measurement: throughput, window and RTT over time.
import { z } from 'zod';
import type { MeasuredInterval, Measurement } from '#protocol/measurement';
import { Line } from '#protocol/text';
import { readReport } from '#analysis/iperf3-text';
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

/** Seconds: some thirty years. */
const Second = z.number().min(-1e9).max(1e9);
const Span = z.object({
  start: Second,
  end: Second,
  bytes: z.number().min(0).max(1e18),
  omitted: z.boolean().default(false),
  sender: z.boolean().optional(),
});
const Stream = Span.extend({
  socket: z.number(),
  retransmits: z.number().optional(),
  snd_cwnd: z.number().optional(),
  /** Microseconds. */
  rtt: z.number().optional(),
  lost_packets: z.number().optional(),
});
const Interval = z.object({ streams: z.array(Stream), sum: Span.optional() });
const Start = z.object({
  version: Line.optional(),
  timestamp: z.object({ timesecs: z.number().min(0).max(8.64e12) }).optional(),
  tcp_mss: z.number().optional(),
  tcp_mss_default: z.number().optional(),
  test_start: z.object({
    protocol: z.string(),
    blksize: z.number().optional(),
    reverse: z.number().default(0),
    bidir: z.number().default(0),
  }),
});
const End = z.object({ sender_tcp_congestion: Line.optional(), receiver_tcp_congestion: Line.optional() });
const Report = z.object({
  start: Start,
  intervals: z.array(Interval),
  end: End.optional(),
  error: Line.optional(),
});
type Report = z.infer<typeof Report>;

const ASK = 'Make one with `iperf3 -c HOST -J -i 0.1 > live.json`.';
/** A day at iperf3's shortest interval. */
const MOST_INTERVALS = 1_000_000;

/** Throws MeasurementRefused. */
export function parseIperf3(text: string): Measurement {
  const { value, complete, several } = readReport(text);
  if (value === null) throw new MeasurementRefused('this is not JSON', ASK);
  if (several)
    throw new MeasurementRefused(
      'the file holds the reports of several tests',
      'Keep one of them in a file of its own.',
    );
  const parsed = Report.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const known = typeof value === 'object' && 'start' in value;
    throw known
      ? new MeasurementRefused(`${issue?.path.join('.') ?? 'the report'}: ${issue?.message ?? 'not valid'}`, ASK)
      : new MeasurementRefused('this is JSON, but not a report of iperf3: it has no "start"', ASK);
  }
  return measurementOf(parsed.data, complete);
}

function measurementOf(report: Report, whole: boolean): Measurement {
  const { start, end } = report;
  const protocol = start.test_start.protocol.toLowerCase();
  if (protocol !== 'tcp' && protocol !== 'udp')
    throw new MeasurementRefused(`this is a test of ${start.test_start.protocol}`, 'Only TCP and UDP can be compared.');
  if (start.test_start.bidir !== 0)
    throw new MeasurementRefused(
      'this test sent in both directions at once (--bidir)',
      'Measure one direction at a time.',
    );
  if (report.intervals.length > MOST_INTERVALS)
    throw new MeasurementRefused(
      `the file has ${report.intervals.length} intervals`,
      'Cut the test into shorter ones.',
    );
  const intervals = report.intervals
    .filter(({ streams, sum: all }) => streams.length > 0 && (all ?? streams[0])?.omitted !== true)
    .filter(({ streams, sum: all }) => spanOf(all ?? streams[0]) > 0)
    .sort((a, b) => startOf(a) - startOf(b));
  dropRemainder(intervals);
  if (intervals.length === 0)
    throw new MeasurementRefused(
      report.error === undefined ? 'no interval was measured' : `iperf3 says: ${report.error}`,
      ASK,
    );
  const sender = sendsOf(intervals, report);
  const wire = wireFactor(start, protocol);
  const total = intervals.map((interval) => totalOf(interval, wire.factor));
  const lengths = total.map((one) => one.end_s - one.start_s).sort((a, b) => a - b);
  const complete = whole && end !== undefined && report.error === undefined;
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
      ...(sender && protocol === 'tcp'
        ? ['Measured by the sender: what it handed to its socket, which is ahead of what arrived.']
        : []),
      ...wire.notes,
    ],
    total,
    streams: streamsOf(intervals, wire.factor),
  };
}

/** A test ends some milliseconds after its last whole interval: a rate over so short a time means nothing. */
function dropRemainder(intervals: z.infer<typeof Interval>[]): void {
  const [before, last] = intervals.slice(-2).map(({ streams, sum: all }) => spanOf(all ?? streams[0]));
  if (before !== undefined && last !== undefined && last < before / 2) intervals.pop();
}

const startOf = ({ streams, sum: all }: z.infer<typeof Interval>): number => (all ?? streams[0])?.start ?? 0;
const spanOf = (span: z.infer<typeof Span> | undefined): number => (span === undefined ? 0 : span.end - span.start);

function sendsOf(intervals: readonly z.infer<typeof Interval>[], { start }: Report): boolean {
  const stream = intervals[0]?.streams[0];
  // Old versions do not say it; but only a sender has a window.
  return stream?.sender ?? (stream?.snd_cwnd !== undefined && start.test_start.reverse === 0);
}

function totalOf({ streams, sum: all }: z.infer<typeof Interval>, factor: number): MeasuredInterval {
  const first = streams[0];
  const added = (read: (stream: z.infer<typeof Stream>) => number | undefined): number | null => {
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

function streamsOf(intervals: readonly z.infer<typeof Interval>[], factor: number): Measurement['streams'] {
  const sockets = new Map<number, MeasuredInterval[]>();
  for (const { streams } of intervals)
    for (const stream of streams)
      if (spanOf(stream) > 0)
        sockets.set(stream.socket, [...(sockets.get(stream.socket) ?? []), totalOf({ streams: [stream] }, factor)]);
  return sockets.size < 2 ? [] : [...sockets].map(([socket, own]) => ({ socket, intervals: own }));
}

const IP_AND_TCP = 52; // with time stamps, which Linux always uses and which its segment size leaves out
const IP_AND_UDP = 28;
const FRAGMENT = 1480;
const IP = 20;

/** iperf3 counts what programs wrote and read; a link carries headers as well. */
function wireFactor(start: z.infer<typeof Start>, protocol: 'tcp' | 'udp'): { factor: number; notes: string[] } {
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
