// The exact figures of a run, from every packet (not from samples). Null: not measured.
import { z } from 'zod';

/** Distribution over packets, milliseconds. Mean and max are exact; percentiles are nearest-rank from a histogram with at most 0.4 % relative error. */
export const DelayStats = z.strictObject({
  count: z.int().min(0),
  mean_ms: z.number().nullable(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  p99_ms: z.number().nullable(),
  max_ms: z.number().nullable(),
});

/** One element of a path: entered + copied = passed + lost + held. */
export const ElementSummary = z.strictObject({
  element: z.string(),
  entered_packets: z.int(),
  passed_packets: z.int(),
  lost_packets: z.int().describe('or dropped'),
  copied_packets: z.int(),
  held_packets: z.int().describe('still in it at the end'),
});

export const LinkSummary = z.strictObject({
  direction: z.enum(['forward', 'reverse']),
  /** From the first flow's start to the end of the run. */
  from_s: z.number(),
  to_s: z.number(),
  capacity_bytes: z.number(),
  delivered_bytes: z.number(),
  utilisation: z.number().nullable(),
  capacity_mean_mbps: z.number().nullable(),
  arrived_packets: z.int(),
  delivered_packets: z.int(),
  dropped_packets: z.int(),
  lost_packets: z.int().describe('by any element but the bottleneck that these figures are of'),
  marked_packets: z
    .int()
    .default(0)
    .describe('given a congestion-experienced mark by the queue; 0 where the engine was older'),
  queued_packets: z.int().describe('still waiting at the end'),
  queueing_delay: DelayStats.describe('arrival at the queue to the packet’s opportunity, per delivered packet'),
  queue_mean_bytes: z.number().describe('time-weighted'),
  queue_max_bytes: z.number(),
  path: z.array(ElementSummary).optional().describe('in order; absent where the path is loss, bottleneck, delay'),
});

/** Of a flow whose application writes messages (transfers, frames, a replay). */
export const OfferedMessages = z.strictObject({
  count: z.int().describe('written before the flow’s end'),
  due: z.int().describe('of them, with a deadline before it'),
});
export const ReceivedMessages = z.strictObject({
  completed: z.int(),
  bytes: z.number().describe('of the completed ones'),
  on_time: z.int().describe('of those that were due'),
  delay: DelayStats.describe('from a message’s birth to its last byte at the receiver'),
  percentiles_ms: z.array(z.number()).describe('of the same, 1 to 100; empty without any'),
});

export const SenderSummary = z.strictObject({
  flow: z.int(),
  cca: z.string(),
  sent_packets: z.int(),
  sent_bytes: z.number(),
  delivered_packets: z.int(),
  lost_packets: z.int().describe('declared lost'),
  spurious_packets: z
    .int()
    .nullable()
    .describe('declared lost but arrived; null: QUIC and external programs do not tell'),
  retransmitted_packets: z.int().nullable().describe('null: an external program’s that does not use TCP'),
  inflight_packets: z.int().describe('at the end'),
  loss_episodes: z
    .int()
    .nullable()
    .describe('null: an external program’s, which the link cannot see; the same holds for timeouts'),
  timeouts: z.int().nullable(),
  rtt: DelayStats,
  /** Mean RTT / base RTT of this flow. */
  delay_inflation: z.number().nullable(),
  messages: OfferedMessages.optional(),
});

export const ReceiverSummary = z.strictObject({
  flow: z.int(),
  received_packets: z.int(),
  received_bytes: z.number().describe('first arrivals'),
  duplicate_packets: z.int(),
  throughput_mbps: z.number().describe('first arrivals over the flow’s time from start to stop'),
  owd: DelayStats,
  messages: ReceivedMessages.optional(),
});

/** Jain's index over rolling windows of k base RTTs while all flows run; windows in which no flow moved are left out. */
export const FairnessSummary = z.strictObject({
  k: z.int(),
  window_ms: z.number(),
  windows: z.int(),
  mean: z.number().nullable(),
  p25: z.number().nullable(),
  p50: z.number().nullable(),
  p75: z.number().nullable(),
});

/** How well real time kept up; null in virtual time. */
export const LatenessSummary = z.strictObject({
  wakeups: z.int(),
  p50_us: z.number(),
  p99_us: z.number(),
  max_us: z.number(),
  writes: z
    .strictObject({ p50_us: z.number(), p99_us: z.number(), max_us: z.number() })
    .optional()
    .describe('how late packets left the emulator after their scheduled time'),
  late_opportunities: z.number().describe('share of opportunities served more than 1 ms late'),
  unmodelled_losses: z.int().describe('packets lost anywhere but in the modelled queue and loss element'),
  overrun: z.boolean(),
});

export const RunSummary = z.strictObject({
  duration_s: z.number(),
  base_rtt_ms: z.number(),
  links: z.array(LinkSummary),
  senders: z.array(SenderSummary),
  receivers: z.array(ReceiverSummary),
  fairness: z.array(FairnessSummary),
  lateness: LatenessSummary.nullable(),
});

export type DelayStats = z.infer<typeof DelayStats>;
export type ElementSummary = z.infer<typeof ElementSummary>;
export type LinkSummary = z.infer<typeof LinkSummary>;
export type OfferedMessages = z.infer<typeof OfferedMessages>;
export type ReceivedMessages = z.infer<typeof ReceivedMessages>;
export type SenderSummary = z.infer<typeof SenderSummary>;
export type ReceiverSummary = z.infer<typeof ReceiverSummary>;
export type FairnessSummary = z.infer<typeof FairnessSummary>;
export type RunSummary = z.infer<typeof RunSummary>;
