// Packet by packet: what a run in virtual time tells when it is made again with somebody watching.
import { z } from 'zod';

const Ns = z.int().min(0);
const Fate = z.enum(['under_way', 'received', 'dropped', 'lost']);

/** How much of a run is told of at once. */
export const PACKET_LIMITS = { window_s: 600, packets: 100_000 } as const;

/** One entry a packet in each array, in the order in which they were sent; times since the run began. */
export const PacketColumns = z.strictObject({
  flow: z.array(z.int().min(0)),
  /** Of the transmission, counted per flow. */
  number: z.array(z.int().min(0)),
  /** Of the segment: a retransmission repeats it. */
  sequence: z.array(z.int().min(0)),
  bytes: z.array(z.int().min(0)),
  kind: z.array(z.enum(['data', 'retransmission', 'opening'])),
  /** under_way: when the run ended; dropped: by the queue of the link; lost: anywhere else. */
  fate: z.array(Fate),
  /** Had a congestion-experienced mark when it arrived. */
  ce: z.array(z.boolean()),
  /** A second arrival of a packet that the path had made two of. */
  copy: z.array(z.boolean()),
  sent_ns: z.array(Ns),
  /** Reached the queue of the link; null: it did not. */
  queued_ns: z.array(Ns.nullable()),
  /** Had left the link to its last byte. */
  departed_ns: z.array(Ns.nullable()),
  /** Was received, dropped or lost. */
  ended_ns: z.array(Ns.nullable()),
});
export type PacketColumns = z.infer<typeof PacketColumns>;

export const AckColumns = z.strictObject({
  flow: z.array(z.int().min(0)),
  /** Every segment below it had arrived. */
  cumulative: z.array(z.int().min(0)),
  /** Of the segment that called for it. */
  sequence: z.array(z.int().min(0)),
  bytes: z.array(z.int().min(0)),
  fate: z.array(Fate),
  sent_ns: z.array(Ns),
  /** The sender took it, or it was dropped or lost. */
  ended_ns: z.array(Ns.nullable()),
});
export type AckColumns = z.infer<typeof AckColumns>;

export const PacketWindow = z.strictObject({
  from_ns: Ns,
  to_ns: Ns,
  /** Of what was sent from here on, nothing is told: there was too much. */
  complete_until_ns: Ns,
  packets: PacketColumns,
  acks: AckColumns,
});
export type PacketWindow = z.infer<typeof PacketWindow>;

/** Bytes of each flow in the queue of the link, the packet that is being sent among them: means over each period. */
export const QueueByFlow = z.strictObject({
  period_ms: z.number().positive(),
  /** By flow, then by period. */
  mean_bytes: z.array(z.array(z.int().min(0))),
});
export type QueueByFlow = z.infer<typeof QueueByFlow>;
