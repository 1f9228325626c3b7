import type { Frame } from './blocks.ts';
import type { TracedAck, TracedPacket } from './moments.ts';

/** A flow of which is told in the order of time; what the file has of it. */
export interface FlowFrames {
  /** Null: a copy, which only its receiver sees. */
  sent(packet: TracedPacket): Frame | null;
  received(packet: TracedPacket, at_ns: number): Frame;
  acknowledged(ack: TracedAck): Frame;
  taken(ack: TracedAck, at_ns: number): Frame;
}
