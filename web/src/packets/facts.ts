// Packets and acknowledgements of a window as typed arrays, in seconds since the run began: what pictures read sixty times a second.
import type { AckColumns, PacketColumns, PacketWindow } from '#protocol/packets';

/** Things that begin in the order of the array and end in any. `ended`: Infinity while it is under way. */
export interface Lives {
  readonly count: number;
  readonly flow: Uint8Array;
  readonly sent: Float64Array;
  readonly ended: Float64Array;
  /** The longest of those that ended. */
  readonly longest_s: number;
}

export interface PacketLives extends Lives {
  /** Infinity: never. */
  readonly queued: Float64Array;
  readonly departed: Float64Array;
  /** Of those that leave the queue at once, as a trace's opportunities of a millisecond let them: which share of them is before it. */
  readonly burst: Float64Array;
  readonly fate: PacketColumns['fate'];
  readonly kind: PacketColumns['kind'];
  readonly ce: readonly boolean[];
  readonly sequence: readonly number[];
  readonly number: readonly number[];
  readonly bytes: readonly number[];
}

export interface AckLives extends Lives {
  readonly fate: AckColumns['fate'];
  readonly cumulative: readonly number[];
}

export interface PacketFacts {
  readonly from_s: number;
  readonly to_s: number;
  /** Of what was sent from here on, nothing is known. */
  readonly complete_until_s: number;
  readonly packets: PacketLives;
  readonly acks: AckLives;
}

const seconds = (ns: readonly (number | null)[]): Float64Array =>
  Float64Array.from(ns, (value) => (value === null ? Infinity : value / 1e9));

function livesOf({ flow, sent_ns, ended_ns }: Pick<PacketColumns, 'flow' | 'sent_ns' | 'ended_ns'>): Lives {
  const sent = seconds(sent_ns);
  const ended = seconds(ended_ns);
  let longest_s = 0;
  for (let i = 0; i < sent.length; i++) {
    const life = (ended[i] ?? Infinity) - (sent[i] ?? 0);
    if (life !== Infinity) longest_s = Math.max(longest_s, life);
  }
  return { count: sent.length, flow: Uint8Array.from(flow), sent, ended, longest_s };
}

function burstsOf(departed_ns: PacketColumns['departed_ns']): Float64Array {
  const sizes = new Map<number, number>();
  const places = departed_ns.map((time) => {
    if (time === null) return 0;
    const before = sizes.get(time) ?? 0;
    sizes.set(time, before + 1);
    return before;
  });
  return Float64Array.from(departed_ns, (time, i) => (places[i] ?? 0) / Math.max(1, sizes.get(time ?? -1) ?? 1));
}

export function factsOf({ packets, acks, ...span }: PacketWindow): PacketFacts {
  return {
    from_s: span.from_ns / 1e9,
    to_s: span.to_ns / 1e9,
    complete_until_s: span.complete_until_ns / 1e9,
    packets: {
      ...livesOf(packets),
      queued: seconds(packets.queued_ns),
      departed: seconds(packets.departed_ns),
      burst: burstsOf(packets.departed_ns),
      fate: packets.fate,
      kind: packets.kind,
      ce: packets.ce,
      sequence: packets.sequence,
      number: packets.number,
      bytes: packets.bytes,
    },
    acks: { ...livesOf(acks), fate: acks.fate, cumulative: acks.cumulative },
  };
}

/** Moments at which something happens that a picture shows, each once, in order. */
export function momentsOf({ packets, from_s, to_s }: PacketFacts): Float64Array {
  const found: number[] = [];
  const add = (time: number | undefined): void => {
    if (time !== undefined && time >= from_s && time <= to_s) found.push(time);
  };
  for (const times of [packets.sent, packets.departed, packets.ended]) for (const time of times) add(time);
  return Float64Array.from(new Set(found)).sort();
}
