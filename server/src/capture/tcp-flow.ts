// The segments of a flow over TCP, made of what the engine tells of its packets.
import type { FlowManifest } from '#protocol/manifest';
import type { Frame } from './blocks.ts';
import type { FlowFrames } from './flow-frames.ts';
import { fateOf, PLACE, TWICE, Ways, type Place } from './frame-of.ts';
import { ECN, FLAGS, IP_BYTES, TCP_BYTES, tcpHeaders, type Ecn, type TcpSegment } from './headers.ts';
import type { TracedAck, TracedPacket } from './moments.ts';
import { Receiving } from './receiving.ts';
import { Segments } from './segments.ts';
import { openingOptions, openingWithDataOptions, segmentOptions } from './tcp-options.ts';

/** IP and TCP headers with timestamps, as the engine counts them; of a SYN with all its options. */
const HEADER_BYTES = 52;
const OPENING_BYTES = 60;
/** To the engine the end of a message may be smaller than its headers; here it has a byte to number. */
const LEAST_BYTES = HEADER_BYTES + 1;
const CARRIED_BYTES = OPENING_BYTES - HEADER_BYTES;
/** Both ends begin with 0: a SYN takes it, or stands before what is told. */
const FIRST = 1;
/** What TCP can offer at most (RFC 7323 section 2.3). */
const LARGEST_WINDOW = 2 ** 30;
const LARGEST_SCALE = 14;

const milliseconds = (ns: number): number => Math.floor(ns / 1e6) + 1;

export class TcpFlow implements FlowFrames {
  readonly #ways: Ways;
  readonly #opens: boolean;
  readonly #ecn: Ecn;
  readonly #window: { readonly field: number; readonly scale: number };
  readonly #segments = new Segments();
  readonly #receiving = new Receiving();
  readonly #under_way = new Map<TracedPacket | TracedAck, TcpSegment>();
  readonly #isFast: boolean;
  #asked = false;
  /** A SYN with eight bytes of data is as long as one with all its options: only what follows tells which it was. */
  #mayCarry = false;
  /** Timestamps that each end has seen last. */
  #senderSaw = 0;
  #receiverSaw = 0;
  #acks = 0;

  constructor(flow: number, { handshake, ecn, window_limit_bytes }: FlowManifest) {
    this.#ways = new Ways(flow);
    this.#isFast = handshake === 'early_data';
    this.#opens = handshake !== undefined && handshake !== 'none';
    this.#ecn = ecn === true ? ECN.ect0 : ECN.not_ect;
    const window = window_limit_bytes ?? LARGEST_WINDOW;
    const scale = Math.min(LARGEST_SCALE, Math.max(0, Math.ceil(Math.log2((window + 1) / 0x10000))));
    this.#window = { scale, field: Math.min(0xffff, Math.floor(window / 2 ** scale)) };
  }

  sent(packet: TracedPacket): Frame | null {
    const seen = packet.kind === 'opening' ? this.#openingOf(packet) : this.#dataOf(packet);
    if (packet.fate === 'received') this.#under_way.set(packet, seen);
    if (packet.copy) return null;
    return this.#seen(PLACE.sender, PLACE.sender, packet.sent_ns, seen, fateOf(packet));
  }

  received(packet: TracedPacket, at_ns: number): Frame {
    const seen = this.#arrival(packet);
    if (seen.bytes > IP_BYTES + TCP_BYTES + seen.options.length) this.#receiving.receive(packet.sequence);
    this.#receiverSaw = milliseconds(packet.sent_ns);
    const arrived = packet.ce ? { ...seen, ecn: ECN.ce } : seen;
    return this.#seen(PLACE.receiver, PLACE.sender, at_ns, arrived, packet.copy ? TWICE : null);
  }

  acknowledged(ack: TracedAck): Frame {
    if (this.#mayCarry && this.#receiving.cumulative === 0 && ack.cumulative > 0) {
      this.#segments.place(0, CARRIED_BYTES);
      this.#receiving.receive(0);
    }
    const seen = this.#isAnswer(ack) ? this.#answerTo(ack) : this.#acknowledgement(ack);
    if (ack.fate === 'received') this.#under_way.set(ack, seen);
    return this.#seen(PLACE.receiver, PLACE.receiver, ack.sent_ns, seen, fateOf(ack));
  }

  taken(ack: TracedAck, at_ns: number): Frame {
    this.#senderSaw = milliseconds(ack.sent_ns);
    this.#segments.forget(ack.cumulative, () => this.#leastNeeded());
    return this.#seen(PLACE.sender, PLACE.receiver, at_ns, this.#arrival(ack), null);
  }

  /** One that comes once more, late, is told of when it has come. */
  #leastNeeded(): number {
    let least = this.#receiving.again ?? Infinity;
    for (const one of this.#under_way.keys()) if ('sequence' in one) least = Math.min(least, one.sequence);
    return least;
  }

  #arrival(of: TracedPacket | TracedAck): TcpSegment {
    const seen = this.#under_way.get(of);
    if (seen === undefined) throw new Error('it arrives and has not set out');
    this.#under_way.delete(of);
    return seen;
  }

  #dataOf({ sequence, bytes: counted, number, kind, sent_ns }: TracedPacket): TcpSegment {
    const bytes = Math.max(counted, LEAST_BYTES);
    if (sequence === 0) this.#mayCarry = false;
    else if (this.#mayCarry) this.#segments.place(0, CARRIED_BYTES);
    return {
      id: number,
      bytes,
      seq: FIRST + this.#segments.place(sequence, bytes - HEADER_BYTES),
      ack: FIRST,
      flags: FLAGS.ack,
      // Linux marks no retransmission as capable (RFC 3168 section 6.1.5).
      ecn: kind === 'retransmission' ? ECN.not_ect : this.#ecn,
      window: this.#window.field,
      options: segmentOptions({ value: milliseconds(sent_ns), echo: this.#senderSaw }),
    };
  }

  /** SYNs, the first of which may take a segment along, and what ends the handshake. */
  #openingOf({ bytes, number, sent_ns }: TracedPacket): TcpSegment {
    const first = !this.#asked;
    this.#asked = true;
    const timestamps = { value: milliseconds(sent_ns), echo: this.#senderSaw };
    const common = { id: number, bytes, ecn: ECN.not_ect, window: this.#window.field };
    if (!first && bytes === HEADER_BYTES)
      return { ...common, seq: FIRST, ack: FIRST, flags: FLAGS.ack, options: segmentOptions(timestamps) };
    const asks = { ...common, seq: 0, ack: 0, flags: FLAGS.syn, window: 0xffff };
    if (first && bytes === OPENING_BYTES) this.#mayCarry = this.#isFast;
    if (bytes === OPENING_BYTES) return { ...asks, options: openingOptions(timestamps, this.#window.scale) };
    const withData = Math.max(bytes, LEAST_BYTES);
    this.#segments.place(0, withData - HEADER_BYTES);
    return { ...asks, bytes: withData, options: openingWithDataOptions(this.#window.scale) };
  }

  /** To a SYN. */
  #isAnswer({ bytes, cumulative }: TracedAck): boolean {
    return this.#opens && bytes === OPENING_BYTES && cumulative === this.#receiving.cumulative && cumulative <= 1;
  }

  #answerTo({ cumulative, sent_ns }: TracedAck): TcpSegment {
    return {
      id: this.#acks++,
      bytes: OPENING_BYTES,
      seq: 0,
      ack: FIRST + this.#segments.begin(cumulative),
      flags: FLAGS.syn | FLAGS.ack,
      ecn: ECN.not_ect,
      window: 0xffff,
      options: openingOptions({ value: milliseconds(sent_ns), echo: this.#receiverSaw }, this.#window.scale),
    };
  }

  #acknowledgement({ cumulative, sent_ns }: TracedAck): TcpSegment {
    const blocks = this.#receiving.blocks().map(({ begin, end }) => ({
      begin: FIRST + this.#segments.begin(begin),
      end: FIRST + this.#segments.begin(end),
    }));
    const options = segmentOptions({ value: milliseconds(sent_ns), echo: this.#receiverSaw }, blocks);
    return {
      id: this.#acks++,
      // What a receiver of Sprout's says beside has no place in TCP's header: it would be data.
      bytes: IP_BYTES + TCP_BYTES + options.length,
      seq: FIRST,
      ack: FIRST + this.#segments.begin(cumulative),
      flags: FLAGS.ack,
      ecn: ECN.not_ect,
      window: this.#window.field,
      options,
    };
  }

  /** `place`: where it is seen; `origin`: which end has sent it. */
  #seen(place: Place, origin: Place, at_ns: number, segment: TcpSegment, comment: string | null): Frame {
    const headers = tcpHeaders(segment, this.#ways.at(place, origin));
    return { interface: place, at_ns, headers, bytes: segment.bytes, comment };
  }
}
