// The datagrams of a flow over QUIC. What is in them would be encrypted: a comment says what the engine knows of it.
import type { FlowManifest } from '#protocol/manifest';
import type { Frame } from './blocks.ts';
import type { FlowFrames } from './flow-frames.ts';
import { fateOf, PLACE, said, TWICE, Ways, type Place } from './frame-of.ts';
import { ECN, LEAST_DATAGRAM, udpHeaders, type Ecn, type IpPacket } from './headers.ts';
import type { TracedAck, TracedPacket } from './moments.ts';

const nameOf = ({ kind, number, sequence }: TracedPacket): string =>
  kind === 'opening' ? 'of the handshake' : `packet ${number}, ${kind === 'data' ? '' : 'again '}segment ${sequence}`;

const saidBy = ({ cumulative, sequence }: TracedAck): string =>
  `acknowledges segment ${sequence} and all below ${cumulative}`;

export class QuicFlow implements FlowFrames {
  readonly #ways: Ways;
  readonly #ecn: Ecn;
  readonly #ids = new Map<TracedAck, number>();
  #acks = 0;

  constructor(flow: number, { ecn }: FlowManifest) {
    this.#ways = new Ways(flow);
    this.#ecn = ecn === true ? ECN.ect0 : ECN.not_ect;
  }

  sent(packet: TracedPacket): Frame | null {
    if (packet.copy) return null;
    return this.#forward(PLACE.sender, packet.sent_ns, packet, said(nameOf(packet), fateOf(packet)));
  }

  received(packet: TracedPacket, at_ns: number): Frame {
    return this.#forward(PLACE.receiver, at_ns, packet, said(nameOf(packet), packet.copy ? TWICE : null));
  }

  acknowledged(ack: TracedAck): Frame {
    const id = this.#acks++;
    if (ack.fate === 'received') this.#ids.set(ack, id);
    return this.#back(PLACE.receiver, ack.sent_ns, ack, id, said(saidBy(ack), fateOf(ack)));
  }

  taken(ack: TracedAck, at_ns: number): Frame {
    const id = this.#ids.get(ack) ?? 0;
    this.#ids.delete(ack);
    return this.#back(PLACE.sender, at_ns, ack, id, saidBy(ack));
  }

  #forward(place: Place, at_ns: number, packet: TracedPacket, comment: string | null): Frame {
    const { number: id, kind, ce } = packet;
    const bytes = Math.max(packet.bytes, LEAST_DATAGRAM);
    const opened = kind === 'opening' ? ECN.not_ect : this.#ecn;
    const ecn = place === PLACE.receiver && ce ? ECN.ce : opened;
    return this.#seen(place, PLACE.sender, at_ns, { id, bytes, ecn }, comment);
  }

  #back(place: Place, at_ns: number, { bytes }: TracedAck, id: number, comment: string | null): Frame {
    return this.#seen(place, PLACE.receiver, at_ns, { id, bytes, ecn: ECN.not_ect }, comment);
  }

  #seen(place: Place, origin: Place, at_ns: number, datagram: IpPacket, comment: string | null): Frame {
    const headers = udpHeaders(datagram, this.#ways.at(place, origin));
    return { interface: place, at_ns, headers, bytes: datagram.bytes, comment };
  }
}
