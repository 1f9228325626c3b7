// Segment numbers over time, flow by flow, counted from where each flow stands when the window begins.
import type { PacketFacts } from '../packets/facts';

export interface SequencePoint {
  readonly time_s: number;
  readonly segment: number;
}
export interface SequenceWay extends SequencePoint {
  /** When it was received. */
  readonly ended_s: number;
}
export interface SequenceOfFlow {
  readonly flow: number;
  /** The segment that counts as none. */
  readonly base: number;
  readonly sent: readonly SequenceWay[];
  readonly again: readonly SequenceWay[];
  /** Dropped or lost, where they were sent. */
  readonly gone: readonly SequencePoint[];
  /** Every segment below it has arrived, as the sender learns it. */
  readonly acked: readonly SequencePoint[];
}

export const sequencesOf = (facts: PacketFacts, flows: number): SequenceOfFlow[] =>
  Array.from({ length: flows }, (_, flow) => sequenceOf(facts, flow));

function sequenceOf({ packets, acks, from_s, to_s }: PacketFacts, flow: number): SequenceOfFlow {
  const base = baseOf({ packets, acks, from_s, to_s }, flow);
  const sent: SequenceWay[] = [];
  const again: SequenceWay[] = [];
  const gone: SequencePoint[] = [];
  for (let i = 0; i < packets.count; i++) {
    const time_s = packets.sent[i] ?? 0;
    if (packets.flow[i] !== flow || packets.kind[i] === 'opening' || time_s < from_s) continue;
    const segment = (packets.sequence[i] ?? 0) - base;
    const received = packets.fate[i] === 'received';
    const way = { time_s, segment, ended_s: received ? (packets.ended[i] ?? time_s) : time_s };
    (packets.kind[i] === 'retransmission' ? again : sent).push(way);
    if (packets.fate[i] === 'dropped' || packets.fate[i] === 'lost') gone.push({ time_s, segment });
  }
  const acked: SequencePoint[] = [];
  for (const { time_s, segment } of learned({ acks, from_s, to_s }, flow))
    acked.push({ time_s, segment: segment - base });
  return { flow, base, sent, again, gone, acked };
}

/** What the sender learns, in the order in which it does; it never takes anything back. */
function learned({ acks, from_s, to_s }: Pick<PacketFacts, 'acks' | 'from_s' | 'to_s'>, flow: number): SequencePoint[] {
  const found: SequencePoint[] = [];
  for (let i = 0; i < acks.count; i++) {
    const time_s = acks.ended[i] ?? Infinity;
    if (acks.flow[i] !== flow || acks.fate[i] !== 'received' || time_s < from_s || time_s > to_s) continue;
    found.push({ time_s, segment: acks.cumulative[i] ?? 0 });
  }
  found.sort((a, b) => a.time_s - b.time_s || a.segment - b.segment);
  let highest = -Infinity;
  return found.filter(({ segment }) => segment > highest && ((highest = segment), true));
}

function baseOf(facts: Pick<PacketFacts, 'packets' | 'acks' | 'from_s' | 'to_s'>, flow: number): number {
  const first = learned(facts, flow)[0]?.segment;
  if (first !== undefined) return first;
  let least = Infinity;
  for (let i = 0; i < facts.packets.count; i++)
    if (facts.packets.flow[i] === flow) least = Math.min(least, facts.packets.sequence[i] ?? Infinity);
  return least === Infinity ? 0 : least;
}
