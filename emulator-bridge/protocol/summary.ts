// The exact figures of a run, from every packet (not from samples). Null: not measured. The engine's structs, their JSON and the QUIC
// helper's are generated from this: metrics/summary.gen.hh, summary.gen.rs.
import { z } from 'zod';

/** What programs count from 0; what is stored is read as it always was. */
export const count = z.int();
/** Whole ones where they are counted; the average of some is a number. */
export const bytes = z.number();

/** Distribution over packets, milliseconds. Mean and max are exact; percentiles are nearest-rank from a histogram with at most 0.4 % relative error. */
export const DelayStats = z.strictObject({
  count,
  mean_ms: z.number().nullable(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  p99_ms: z.number().nullable(),
  max_ms: z.number().nullable(),
  spread: z
    .array(z.number())
    .optional()
    .describe(
      'the histogram: a delay in ms and its packets in turn. Of a link’s queueing delay in eighths of an octave, each by the delay that none of it exceeds (absent where the engine was older); of flows only on its way from a process of a run of several to where they are joined',
    ),
});

/** One element of a path: entered + copied = passed + lost + held. */
export const ElementSummary = z.strictObject({
  element: z.string(),
  entered_packets: count,
  passed_packets: count,
  lost_packets: count.describe('or dropped'),
  copied_packets: count,
  held_packets: count.describe('still in it at the end'),
  figures: z
    .record(z.string(), z.number().nullable())
    .optional()
    .describe('its own, by the names that paceline-list has; absent where it has none or the engine was older'),
});

/** A flow's packets at a link: data on the way there, acknowledgements on the way back. */
export const LinkFlow = z.strictObject({
  flow: z.int(),
  queueing_delay: DelayStats.describe('as the link’s; none of a flow that joins the path behind it'),
});

export const LinkSummary = z.strictObject({
  direction: z.enum(['forward', 'reverse']),
  /** From the first flow's start to the end of the run. */
  from_s: z.number(),
  to_s: z.number(),
  capacity_bytes: z.number(),
  delivered_bytes: bytes,
  utilisation: z.number().nullable(),
  capacity_mean_mbps: z.number().nullable(),
  arrived_packets: count,
  delivered_packets: count,
  dropped_packets: count,
  lost_packets: count.describe('by any element but the bottleneck that these figures are of'),
  marked_packets: count
    .default(0)
    .describe('given a congestion-experienced mark by the queue; 0 where the engine was older'),
  queued_packets: count.describe('still waiting at the end'),
  queueing_delay: DelayStats.describe('arrival at the queue to the packet’s opportunity, per delivered packet'),
  flows: z.array(LinkFlow).optional().describe('one per flow; absent where the engine was older'),
  queue_mean_bytes: z.number().describe('time-weighted'),
  queue_max_bytes: bytes,
  path: z.array(ElementSummary).optional().describe('in order; absent where the path is loss, bottleneck, delay'),
});

/** Of a flow whose application writes messages (transfers, frames, a replay). */
export const OfferedMessages = z.strictObject({
  count: count.describe('written before the flow’s end'),
  due: count.describe('of them, with a deadline before it'),
});
export const ReceivedMessages = z.strictObject({
  completed: count,
  bytes: bytes.describe('of the completed ones'),
  on_time: count.describe('of those that were due'),
  delay: DelayStats.describe('from a message’s birth to its last byte at the receiver'),
  percentiles_ms: z.array(z.number()).describe('of the same, 1 to 100; empty without any'),
});

export const SenderSummary = z.strictObject({
  flow: z.int(),
  cca: z.string(),
  sent_packets: count,
  sent_bytes: bytes,
  delivered_packets: count,
  lost_packets: count.describe('declared lost'),
  spurious_packets: count
    .nullable()
    .describe('declared lost but arrived; null: QUIC and external programs do not tell'),
  retransmitted_packets: count.nullable().describe('null: an external program’s that does not use TCP'),
  inflight_packets: count.describe('at the end'),
  loss_episodes: count
    .nullable()
    .describe('null: an external program’s, which the link cannot see; the same holds for timeouts'),
  timeouts: count.nullable(),
  rtt: DelayStats,
  /** Mean RTT / base RTT of this flow. */
  delay_inflation: z.number().nullable(),
  messages: OfferedMessages.optional(),
  cpu_s: z
    .number()
    .optional()
    .describe(
      'processor time of this end in real time (docs/telemetry.md says what is counted); absent in virtual time, where nobody measured it and where the engine was older',
    ),
});

export const ReceiverSummary = z.strictObject({
  flow: z.int(),
  received_packets: count,
  received_bytes: bytes.describe('first arrivals'),
  duplicate_packets: count,
  throughput_mbps: z.number().describe('first arrivals over the flow’s time from start to stop'),
  owd: DelayStats.describe('from sending to arrival, of every packet that arrived'),
  base_owd_ms: z.number().optional().describe('least one-way delay of its path; absent where the engine was older'),
  base_rtt_ms: z.number().optional().describe('the same there and back'),
  messages: ReceivedMessages.optional(),
  cpu_s: z.number().optional().describe('as the sender’s'),
});

/**
 * Jain's index over rolling windows of k base RTTs while all flows run; windows in which no flow moved are left out. 0 windows: they run for
 * less than that, or none moved. 1 window may be all their time, which may be shorter than it by a hundredth.
 */
export const FairnessSummary = z.strictObject({
  k: z.int(),
  window_ms: z.number(),
  windows: count,
  mean: z.number().nullable(),
  p25: z.number().nullable(),
  p50: z.number().nullable(),
  p75: z.number().nullable(),
});

export const WriteLateness = z.strictObject({ p50_us: z.number(), p99_us: z.number(), max_us: z.number() });

/** How well real time kept up; null in virtual time. */
export const LatenessSummary = z.strictObject({
  wakeups: count,
  p50_us: z.number(),
  p99_us: z.number(),
  max_us: z.number(),
  writes: WriteLateness.optional().describe('how late packets left the emulator after their scheduled time'),
  late_opportunities: z.number().describe('share of opportunities served more than 1 ms late'),
  unmodelled_losses: count.describe('packets lost anywhere but in the modelled queue and loss element'),
  overrun: z.boolean(),
});

/** Of a run of several flows: the packets of all of them, from their merged histograms. Nothing where a flow's are not known. */
export const AllFlows = z.strictObject({
  rtt: DelayStats,
  owd: DelayStats,
  message_delay: DelayStats,
});

/** An external program with all that it has started, from its flow's start to its end, as it was last seen. */
export const ProgramSummary = z.strictObject({
  flow: z.int(),
  end: z.enum(['sender', 'receiver']),
  looked_s: z.number().describe('for how long it was looked at'),
  ran_s: z.number().describe('processor time of all its threads'),
  waited_s: z.number().describe('ready to run without a processor, all its threads together'),
  kept_waiting_s: z
    .number()
    .describe(
      'of the thread that others than the program itself kept waiting most: while none of its own ran in its place',
    ),
});

/** The machine of a run with external programs: its load averages of one minute. */
export const HostSummary = z.strictObject({
  processors: count,
  load_before: z.number(),
  load_after: z.number(),
});

export const RunSummary = z.strictObject({
  duration_s: z.number(),
  base_rtt_ms: z.number(),
  links: z.array(LinkSummary),
  senders: z.array(SenderSummary),
  receivers: z.array(ReceiverSummary),
  fairness: z.array(FairnessSummary),
  all_flows: AllFlows.optional().describe('absent of a single flow and where the engine was older'),
  lateness: LatenessSummary.nullable(),
  programs: z.array(ProgramSummary).optional().describe('external ones; absent where the engine was older'),
  host: HostSummary.optional().describe('absent without external programs and where the engine was older'),
});

export type DelayStats = z.infer<typeof DelayStats>;
export type ElementSummary = z.infer<typeof ElementSummary>;
export type LinkFlow = z.infer<typeof LinkFlow>;
export type LinkSummary = z.infer<typeof LinkSummary>;
export type OfferedMessages = z.infer<typeof OfferedMessages>;
export type ReceivedMessages = z.infer<typeof ReceivedMessages>;
export type SenderSummary = z.infer<typeof SenderSummary>;
export type ReceiverSummary = z.infer<typeof ReceiverSummary>;
export type ProgramSummary = z.infer<typeof ProgramSummary>;
export type HostSummary = z.infer<typeof HostSummary>;
export type FairnessSummary = z.infer<typeof FairnessSummary>;
export type AllFlows = z.infer<typeof AllFlows>;
export type RunSummary = z.infer<typeof RunSummary>;
