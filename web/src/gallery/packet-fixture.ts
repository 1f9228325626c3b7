// A window of packets as the server gives it: flows that send in turn into a short queue, in front of a link of a constant rate.
import type { PacketWindow } from '#protocol/packets';

interface Asked {
  readonly flows: number;
  readonly duration_s: number;
  /** Of 1500 bytes each. */
  readonly limit?: number;
}

const SERVICE_NS = 1e6;
const DELAY_NS = 1e7;
/** A little faster than the link: the queue fills, and something is dropped. */
const GAP_NS = 0.8e6;

export function packetFixture({ flows, duration_s, limit = 12 }: Asked): PacketWindow {
  const to_ns = duration_s * 1e9;
  const packets: PacketWindow['packets'] = {
    ...{ flow: [], number: [], sequence: [], bytes: [], kind: [], fate: [], ce: [], copy: [] },
    ...{ sent_ns: [], queued_ns: [], departed_ns: [], ended_ns: [] },
  };
  const acks: PacketWindow['acks'] = {
    ...{ flow: [], cumulative: [], sequence: [], bytes: [], fate: [], sent_ns: [], ended_ns: [] },
  };
  const next = Array.from({ length: flows }, () => ({ number: 0, sequence: 100, owed: [] as number[] }));
  let free_ns = 0;
  for (let n = 0; n * GAP_NS < to_ns; n++) {
    const sent = Math.round(n * GAP_NS);
    const flow = n % flows;
    const own = next[flow];
    if (own === undefined) continue;
    const dropped = (free_ns - sent) / SERVICE_NS >= limit;
    // What was dropped is sent again with every seventh packet.
    const again = n % 7 === 0 ? own.owed.shift() : undefined;
    const sequence = again ?? own.sequence++;
    if (dropped) own.owed.push(sequence);
    else free_ns = Math.max(free_ns, sent) + SERVICE_NS;
    const departed = dropped ? null : free_ns;
    const ended = departed === null ? sent : departed + DELAY_NS;
    packets.flow.push(flow);
    packets.number.push(own.number++);
    packets.sequence.push(sequence);
    packets.bytes.push(1500);
    packets.kind.push(again === undefined ? 'data' : 'retransmission');
    packets.fate.push(dropped ? 'dropped' : 'received');
    packets.ce.push(n % 11 === 0);
    packets.copy.push(false);
    packets.sent_ns.push(sent);
    packets.queued_ns.push(sent);
    packets.departed_ns.push(departed);
    packets.ended_ns.push(ended);
    if (dropped) continue;
    acks.flow.push(flow);
    acks.cumulative.push(own.owed[0] ?? sequence + 1);
    acks.sequence.push(sequence);
    acks.bytes.push(52);
    acks.fate.push('received');
    acks.sent_ns.push(ended);
    acks.ended_ns.push(ended + DELAY_NS);
  }
  return { from_ns: 0, to_ns, complete_until_ns: to_ns, packets, acks };
}
