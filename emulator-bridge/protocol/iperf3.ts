// A report of iperf3 as `paceline-trace iperf3` prints it: iperf3's own names, what is of use of it. An interval's part may lack what that
// version of iperf3, or that end, does not tell.
import { z } from 'zod';
import { Line } from './text.ts';

/** Seconds: some thirty years. */
const Second = z.number().min(-1e9).max(1e9);

export const Iperf3Span = z.object({
  start: Second,
  end: Second,
  bytes: z.number().min(0).max(1e18),
  omitted: z.boolean().default(false),
  sender: z.boolean().optional(),
});
const Iperf3Stream = Iperf3Span.extend({
  socket: z.number(),
  retransmits: z.number().optional(),
  snd_cwnd: z.number().optional(),
  /** Microseconds. */
  rtt: z.number().optional(),
  lost_packets: z.number().optional(),
});
export const Iperf3Interval = z.object({ streams: z.array(Iperf3Stream), sum: Iperf3Span.optional() });

export const Iperf3Report = z.object({
  /** False: the file was cut short, and these are the intervals before that. */
  complete: z.boolean(),
  start: z.object({
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
  }),
  intervals: z.array(Iperf3Interval),
  /** Of the other end, which the client asked for (`--get-server-output`). */
  server_intervals: z.array(Iperf3Interval).optional(),
  /** The other end told them for people to read. */
  server_told_text: z.boolean().optional(),
  end: z.object({ sender_tcp_congestion: Line.optional() }).optional(),
  error: Line.optional(),
});

export type Iperf3Span = z.infer<typeof Iperf3Span>;
export type Iperf3Stream = z.infer<typeof Iperf3Stream>;
export type Iperf3Interval = z.infer<typeof Iperf3Interval>;
export type Iperf3Report = z.infer<typeof Iperf3Report>;
