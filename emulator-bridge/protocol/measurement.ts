// Measurements of live connections that are laid over a run.
import { z } from 'zod';

/** What was measured over one interval. Rates and windows are of the wire, as everywhere: IP and TCP or UDP headers included. */
export const MeasuredInterval = z.object({
  start_s: z.number(),
  end_s: z.number(),
  throughput_mbps: z.number(),
  /** Only the sending side knows its window and RTT. */
  cwnd_bytes: z.number().nullable(),
  rtt_ms: z.number().nullable(),
  retransmits: z.number().nullable(),
  lost_packets: z.number().nullable(),
});

export const Measurement = z.object({
  source: z.literal('iperf3'),
  version: z.string().nullable(),
  protocol: z.enum(['tcp', 'udp']),
  /** Which end wrote the file. */
  side: z.enum(['sender', 'receiver']),
  /** The sender's congestion control, by the kernel's name. */
  cca: z.string().nullable(),
  started_at: z.string().nullable(),
  /** Bytes on the wire for each byte that iperf3 counts. */
  wire_factor: z.number(),
  duration_s: z.number(),
  /** The usual length of an interval. */
  interval_s: z.number(),
  mean_mbps: z.number(),
  /** False: the file was cut short, and these are the intervals before that. */
  complete: z.boolean(),
  /** What whoever reads the figures should know. */
  notes: z.array(z.string()),
  /** All connections together: rates and windows added up, RTTs averaged. */
  total: z.array(MeasuredInterval),
  /**
   * What the receiver counted, where a sender's report holds it (`--get-server-output`): throughput alone, on the receiver's clock. Measurements
   * that earlier versions kept lack it.
   */
  received: z.array(MeasuredInterval).optional(),
  /** Each connection, when there are several. */
  streams: z.array(z.object({ socket: z.number(), intervals: z.array(MeasuredInterval) })),
});

export const MeasurementRecord = z.object({
  /** Made from the run and the file's content. */
  id: z.string(),
  run: z.string(),
  name: z.string(),
  created_at: z.string(),
  measurement: Measurement,
});
export const MeasurementList = z.object({ measurements: z.array(MeasurementRecord) });

export type MeasuredInterval = z.infer<typeof MeasuredInterval>;
export type Measurement = z.infer<typeof Measurement>;
export type MeasurementRecord = z.infer<typeof MeasurementRecord>;
export type MeasurementList = z.infer<typeof MeasurementList>;
