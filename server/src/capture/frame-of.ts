// A packet as it is seen at one end of a link: addresses, ports, and what became of it in words.
import type { FlowManifest } from '#protocol/manifest';
import type { End, Way } from './headers.ts';
import type { TracedAck, TracedPacket } from './moments.ts';

/** Each end of the path is an interface of the file, with addresses of its own as behind a NAT: a reader would otherwise take the second
 * sight of a packet for a retransmission. */
export const PLACES = [
  { name: 'sender', description: 'at the senders, before the link: 10.0.0.1 to 10.0.0.2' },
  { name: 'receiver', description: 'at the receivers, behind the link: 10.0.1.1 to 10.0.1.2' },
] as const;
export const PLACE = { sender: 0, receiver: 1 } as const;
export type Place = (typeof PLACE)[keyof typeof PLACE];

/** Ports that no protocol claims: nobody shall guess what is inside. */
const SENDER_PORT = 50_000;
const RECEIVER_PORT = 60_000;
const TTL = 64;
const NETWORK = 0x0a_00_00_00;

export const portOf = (flow: number): number => SENDER_PORT + flow;

const addressOf = (place: Place, host: 1 | 2): number => NETWORK + place * 0x100 + host;

/** One hop lies between the ends. */
const ttlAt = (place: Place, origin: Place): number => (place === origin ? TTL : TTL - 1);

/** What a flow's packets, and what comes back, have in their headers at each place. */
export class Ways {
  readonly #ways: readonly (readonly Way[])[];

  constructor(flow: number) {
    this.#ways = Object.values(PLACE).map((place) => {
      const sender: End = { address: addressOf(place, 1), port: portOf(flow) };
      const receiver: End = { address: addressOf(place, 2), port: RECEIVER_PORT + flow };
      return [
        { from: sender, to: receiver, ttl: ttlAt(place, PLACE.sender) },
        { from: receiver, to: sender, ttl: ttlAt(place, PLACE.receiver) },
      ];
    });
  }

  /** `origin`: the end that sends. */
  at(place: Place, origin: Place): Way {
    const way = this.#ways[place]?.[origin];
    if (way === undefined) throw new RangeError('there are two places');
    return way;
  }
}

export const isQuic = ({ transport }: FlowManifest): boolean => transport !== 'tcp';

const seconds = (ns: number): string => `${(ns / 1e9).toFixed(9)} s`;

/** Where it set out; what came along is seen at the other end. */
export function fateOf({ fate, ended_ns }: TracedPacket | TracedAck): string | null {
  if (fate === 'received') return null;
  if (fate === 'under_way') return 'under way when the run ended';
  if (ended_ns === null) return 'lost on its way';
  return fate === 'dropped'
    ? `dropped by the queue of the link at ${seconds(ended_ns)}`
    : `lost on its way at ${seconds(ended_ns)}`;
}

export const TWICE = 'once more: the path had made two of it';

export const said = (...parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null).join('; ') || null;
