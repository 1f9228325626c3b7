// The way of each box through the picture: where it is at which time, with straight lines between.
import type { AckLives, PacketFacts, PacketLives } from './facts';
import { ACK, ackLane, BURST_S, dataLane, onLink, PACKET, type Geometry } from './scene';

export interface Place {
  readonly time: number;
  readonly x: number;
}

export interface Mover {
  readonly flow: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly opacity: number;
  /** In order of time, within the window. */
  readonly path: readonly Place[];
  /** From when on it falls: it was dropped or lost. */
  readonly falls: number | null;
}

/** Closer to its way than this, a place need not be said. */
const TOLERANCE_PX = 0.5;

export function moversOf(facts: PacketFacts, geometry: Geometry): Mover[] {
  const { from_s, to_s, packets, acks } = facts;
  const ahead = queues(packets);
  const movers: Mover[] = [];
  const add = (mover: Mover): void => {
    const path = cut(thinned(mover.path), from_s, to_s);
    if (path.length > 1 || (mover.falls !== null && path.length > 0)) movers.push({ ...mover, path });
  };
  for (let i = 0; i < packets.count; i++) add(packetMover(packets, i, ahead.get(i) ?? [], geometry));
  for (let i = 0; i < acks.count; i++) add(ackMover(acks, i, geometry));
  return movers;
}

function packetMover(packets: PacketLives, i: number, leaving: readonly number[], geometry: Geometry): Mover {
  const [sent = 0, queued = Infinity, departed = Infinity] = [packets.sent[i], packets.queued[i], packets.departed[i]];
  const ended = packets.ended[i] ?? Infinity;
  const { sender, queueFrom, queueTo, slot, delay_s } = geometry;
  const flow = packets.flow[i] ?? 0;
  const falls = packets.fate[i] === 'dropped' || packets.fate[i] === 'lost' ? ended : null;
  const path: Place[] = [{ time: sent, x: sender }];
  if (queued === Infinity || queued >= ended) {
    path.push({ time: Math.min(ended, sent + delay_s), x: queueFrom - PACKET.width });
  } else {
    for (const [gone, time] of [queued, ...leaving].entries())
      path.push({ time, x: Math.max(queueFrom, queueTo - 2 - (leaving.length - gone + 1) * slot) });
    if (departed <= ended) {
      path.push({ time: departed, x: queueTo });
      if (falls === null) path.push(...flight(packets, i, geometry));
    }
  }
  const height = packets.kind[i] === 'retransmission' ? PACKET.tall : PACKET.height;
  return { flow, y: dataLane(flow, geometry) - height / 2, width: PACKET.width, height, opacity: 1, path, falls };
}

/** Over the link: its place in a burst is where its way bends, twice. */
function flight(packets: PacketLives, i: number, geometry: Geometry): Place[] {
  const departed = packets.departed[i] ?? 0;
  const ended = packets.ended[i] ?? Infinity;
  const arrives = ended === Infinity ? departed + geometry.delay_s : ended;
  const burst = packets.burst[i] ?? 0;
  const at = (way: number): Place => ({
    time: departed + (arrives - departed) * way,
    x: onLink(geometry, way, burst, arrives - departed),
  });
  return [at(Math.min(1, (burst * BURST_S) / Math.max(arrives - departed, BURST_S))), at(1)];
}

function ackMover(acks: AckLives, i: number, geometry: Geometry): Mover {
  const { sender, receiver, delay_s } = geometry;
  const flow = acks.flow[i] ?? 0;
  const sent = acks.sent[i] ?? 0;
  const ended = acks.ended[i] ?? Infinity;
  const path = [
    { time: sent, x: receiver - ACK.width },
    { time: ended === Infinity ? sent + delay_s : ended, x: sender },
  ];
  const y = ackLane(flow, geometry) - ACK.height / 2;
  return { flow, y, width: ACK.width, height: ACK.height, opacity: 0.75, path, falls: null };
}

/** For each packet that waits: when those leave, one after the other, that are before it. */
function queues(packets: PacketLives): Map<number, number[]> {
  const left = (i: number): number => Math.min(packets.departed[i] ?? Infinity, packets.ended[i] ?? Infinity);
  const waiting = Array.from({ length: packets.count }, (_, i) => i)
    .filter((i) => (packets.queued[i] ?? Infinity) < left(i))
    .sort((a, b) => (packets.queued[a] ?? 0) - (packets.queued[b] ?? 0) || a - b);
  const found = new Map<number, number[]>();
  let before: number[] = [];
  for (const i of waiting) {
    before = before.filter((other) => left(other) > (packets.queued[i] ?? 0));
    found.set(
      i,
      before
        .map(left)
        .filter((time) => time <= left(i))
        .sort((a, b) => a - b),
    );
    before.push(i);
  }
  return found;
}

/** Without the places that are on the straight way between others. */
export function thinned(path: readonly Place[]): Place[] {
  const [first] = path;
  if (first === undefined) return [];
  const kept = [first];
  let start = 0;
  for (let end = 2; end < path.length; end++) {
    if (isStraight(path, start, end)) continue;
    start = end - 1;
    const corner = path[start];
    if (corner !== undefined) kept.push(corner);
  }
  const last = path.at(-1);
  if (last !== undefined && path.length > 1) kept.push(last);
  return kept;
}

function isStraight(path: readonly Place[], start: number, end: number): boolean {
  const [from, to] = [path[start], path[end]];
  if (from === undefined || to === undefined) return true;
  for (let i = start + 1; i < end; i++) {
    const place = path[i];
    if (place !== undefined && Math.abs(placeAt(from, to, place.time) - place.x) > TOLERANCE_PX) return false;
  }
  return true;
}

const placeAt = (from: Place, to: Place, time: number): number =>
  to.time > from.time ? from.x + ((to.x - from.x) * (time - from.time)) / (to.time - from.time) : to.x;

/** What of it is within the window. */
function cut(path: readonly Place[], from_s: number, to_s: number): Place[] {
  const inside: Place[] = [];
  for (const [i, place] of path.entries()) {
    const before = path[i - 1];
    if (before !== undefined)
      for (const edge of [from_s, to_s])
        if (before.time < edge && edge < place.time) inside.push({ time: edge, x: placeAt(before, place, edge) });
    if (place.time >= from_s && place.time <= to_s) inside.push(place);
  }
  return inside;
}
