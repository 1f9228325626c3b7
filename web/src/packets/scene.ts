// Where every packet and acknowledgement of a window is at one moment, on a picture of the path: from the sender through the queue over
// the link to the receiver, and back. A pure function of the facts and the time: the screen and what is saved show the same.
import { bisectRight } from 'd3';
import type { AckLives, PacketFacts, PacketLives } from './facts';

export interface Geometry {
  readonly width: number;
  readonly height: number;
  /** Where the sender ends, the queue begins and ends, and the receiver begins. */
  readonly sender: number;
  readonly queueFrom: number;
  readonly queueTo: number;
  readonly receiver: number;
  /** Middle lines of what goes there and of what comes back. */
  readonly dataY: number;
  readonly ackY: number;
  /** Of one packet in the queue. */
  readonly slot: number;
  readonly flows: number;
  /** No room for many words. */
  readonly narrow: boolean;
  /** How long what is gone is still seen falling, in seconds of the link. */
  readonly fall_s: number;
  /** From the queue to the receiver, for what was under way when the run ended. */
  readonly delay_s: number;
}

export const PACKET = { width: 5, height: 18, tall: 28 } as const;
export const ACK = { width: 3, height: 7 } as const;
/** Of the box around the queue, from its middle line. */
export const QUEUE_HALF = 26;
/** How far what is dropped falls. */
export const FALL_PX = 34;

interface Room {
  readonly width: number;
  readonly height: number;
  /** Packets that the queue has room for on the picture. */
  readonly places: number;
  readonly flows: number;
  readonly delay_s: number;
}

export function geometryOf({ width, height, places, flows, delay_s }: Room): Geometry {
  const narrow = width < 560;
  const side = narrow ? 34 : 74;
  const [sender, receiver] = [side, width - side];
  const way = receiver - sender;
  const queueFrom = sender + way * 0.1;
  const queueTo = sender + way * 0.48;
  return {
    ...{ width, height, narrow, sender, queueFrom, queueTo, receiver, flows, delay_s },
    dataY: Math.round(height * 0.33),
    ackY: Math.round(height * 0.76),
    // Beside those that wait stands the one that is being sent.
    slot: (queueTo - queueFrom - 4) / Math.max(places + 1, 8),
    fall_s: Math.max(delay_s, 1e-3),
  };
}

/** What is drawn of one flow, as x, y, width, height one after the other. */
export interface FlowShapes {
  readonly packets: number[];
  readonly acks: number[];
  /** x and y of marks above packets that carry a congestion mark. */
  readonly marks: number[];
}
export interface Cross {
  readonly x: number;
  readonly y: number;
  readonly flow: number;
  /** From 1 when it happens to 0. */
  readonly fresh: number;
}
export interface Counts {
  readonly queued: number;
  readonly queuedBytes: number;
  readonly flying: number;
  readonly acks: number;
}
export interface Scene extends Counts {
  readonly flows: readonly FlowShapes[];
  readonly crosses: readonly Cross[];
}

const share = (time: number, from: number, to: number): number =>
  to > from ? Math.min(1, Math.max(0, (time - from) / (to - from))) : 1;

/** Flows beside one another, so that none hides another: `step` pixels apart, within `most`. */
const laneOf = (flow: number, flows: number, step: number, most: number): number =>
  flows < 2 ? 0 : (flow / (flows - 1) - 0.5) * Math.min(most, step * (flows - 1));

/** Middle of a flow's packets on the way. */
export const dataLane = (flow: number, { dataY, flows }: Geometry): number => dataY + laneOf(flow, flows, 14, 40);
export const ackLane = (flow: number, { ackY, flows }: Geometry): number => ackY + laneOf(flow, flows, 9, 24);

/** A burst leaves within so long, and is drawn so: one packet behind the other. */
export const BURST_S = 1e-3;
export function onLink({ queueTo, receiver }: Geometry, way: number, burst: number, takes_s: number): number {
  const length = receiver - PACKET.width - queueTo;
  return Math.max(queueTo, queueTo + length * way - (burst * BURST_S * length) / Math.max(takes_s, BURST_S));
}

const emptyFlows = (count: number): FlowShapes[] =>
  Array.from({ length: count }, () => ({ packets: [], acks: [], marks: [] }));

export function sceneAt({ packets, acks }: PacketFacts, at: number, geometry: Geometry): Scene {
  const flows = emptyFlows(geometry.flows);
  const crosses: Cross[] = [];
  const queue: number[] = [];
  let flying = 0;
  const { sender, queueFrom, fall_s, delay_s } = geometry;
  const put = (i: number, x: number): void => {
    const own = flows[packets.flow[i] ?? 0];
    if (own === undefined) return;
    const tall = packets.kind[i] === 'retransmission' ? PACKET.tall : PACKET.height;
    const height = geometry.flows > 3 ? tall / 2 : tall;
    own.packets.push(x, dataLane(packets.flow[i] ?? 0, geometry) - height / 2, PACKET.width, height);
  };
  const until = bisectRight(packets.sent, at);
  for (let i = bisectRight(packets.sent, at - packets.longest_s - fall_s - 1e-9); i < until; i++) {
    const [queued = Infinity, departed = Infinity, ended = Infinity] = [
      packets.queued[i],
      packets.departed[i],
      packets.ended[i],
    ];
    if (ended <= at) {
      if (ended + fall_s > at) fallen(packets, i, at, geometry, crosses);
    } else if (queued > at) {
      put(i, sender + (queueFrom - PACKET.width - sender) * share(at, packets.sent[i] ?? 0, Math.min(queued, ended)));
    } else if (departed > at) queue.push(i);
    else {
      flying += 1;
      const arrives = ended === Infinity ? departed + delay_s : ended;
      put(i, onLink(geometry, share(at, departed, arrives), packets.burst[i] ?? 0, arrives - departed));
    }
  }
  const queuedBytes = stack(packets, queue, geometry, flows);
  const back = ackShapes(acks, at, geometry, flows);
  return { flows, crosses, queued: queue.length, queuedBytes, flying, acks: back };
}

/** The queue in order of arrival, its head where the link begins. Gives back how many bytes wait. */
function stack(packets: PacketLives, queue: number[], geometry: Geometry, flows: readonly FlowShapes[]): number {
  // Elements before the queue may let packets overtake.
  queue.sort((a, b) => (packets.queued[a] ?? 0) - (packets.queued[b] ?? 0) || a - b);
  const { queueFrom, queueTo, dataY, slot } = geometry;
  const width = slot > 3 ? Math.min(slot - 1, PACKET.width * 2) : Math.max(slot, 0.5);
  let bytes = 0;
  for (const [place, i] of queue.entries()) {
    bytes += packets.bytes[i] ?? 0;
    const own = flows[packets.flow[i] ?? 0];
    const x = Math.max(queueFrom, queueTo - 2 - (place + 1) * slot);
    if (own === undefined) continue;
    const height = packets.kind[i] === 'retransmission' ? PACKET.tall : PACKET.height;
    own.packets.push(x, dataY - height / 2, width, height);
    if (packets.ce[i] === true) own.marks.push(x + width / 2, dataY - PACKET.tall / 2 - 4);
  }
  return bytes;
}

function fallen(packets: PacketLives, i: number, at: number, geometry: Geometry, crosses: Cross[]): void {
  const fate = packets.fate[i];
  if (fate !== 'dropped' && fate !== 'lost') return;
  const ended = packets.ended[i] ?? at;
  const gone = share(at, ended, ended + geometry.fall_s);
  const { queueFrom, queueTo, receiver, dataY } = geometry;
  // Lost behind the link, or before the queue; dropped by it.
  const onLink = fate === 'lost' && (packets.departed[i] ?? Infinity) <= ended;
  const x = onLink ? (queueTo + receiver) / 2 : fate === 'lost' ? queueFrom - 12 : queueFrom;
  crosses.push({ x, y: dataY + PACKET.tall / 2 + 4 + gone * FALL_PX, flow: packets.flow[i] ?? 0, fresh: 1 - gone });
}

function ackShapes(acks: AckLives, at: number, geometry: Geometry, flows: readonly FlowShapes[]): number {
  const { sender, receiver, delay_s } = geometry;
  let count = 0;
  const until = bisectRight(acks.sent, at);
  for (let i = bisectRight(acks.sent, at - acks.longest_s - 1e-9); i < until; i++) {
    const sent = acks.sent[i] ?? 0;
    const ended = acks.ended[i] ?? Infinity;
    if (ended <= at) continue;
    count += 1;
    const x =
      receiver -
      ACK.width -
      (receiver - sender - ACK.width) * share(at, sent, ended === Infinity ? sent + delay_s : ended);
    const y = ackLane(acks.flow[i] ?? 0, geometry) - ACK.height / 2;
    flows[acks.flow[i] ?? 0]?.acks.push(x, y, ACK.width, ACK.height);
  }
  return count;
}

/** The most packets that wait in the window at once. */
export function deepest({ packets }: PacketFacts): number {
  const steps: (readonly [time: number, by: 1 | -1])[] = [];
  for (let i = 0; i < packets.count; i++) {
    const [queued = Infinity, departed = Infinity, ended = Infinity] = [
      packets.queued[i],
      packets.departed[i],
      packets.ended[i],
    ];
    const left = Math.min(departed, ended);
    if (queued === Infinity || queued === left) continue;
    steps.push([queued, 1]);
    if (left !== Infinity) steps.push([left, -1]);
  }
  steps.sort(([a, up], [b, down]) => a - b || up - down);
  let [now, most] = [0, 0];
  for (const [, by] of steps) most = Math.max(most, (now += by));
  return most;
}
