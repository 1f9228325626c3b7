// Headers of IPv4, TCP and UDP as they stand on the wire. What a packet carries is zeros: they add nothing to a checksum but their length.

export interface End {
  /** IPv4, as one number. */
  readonly address: number;
  readonly port: number;
}

/** The two low bits of what was once the type of service (RFC 3168). */
export const ECN = { not_ect: 0, ect0: 2, ce: 3 } as const;
export type Ecn = (typeof ECN)[keyof typeof ECN];

/** Where a packet is seen, and how far it has come. */
export interface Way {
  readonly from: End;
  readonly to: End;
  readonly ttl: number;
}

export interface IpPacket {
  /** Identification; of its lowest 16 bits. */
  readonly id: number;
  readonly ecn: Ecn;
  /** The whole packet, headers included. */
  readonly bytes: number;
}

export const FLAGS = { syn: 0x02, ack: 0x10 } as const;

export interface TcpSegment extends IpPacket {
  /** Of any size: what stands in the header is its lowest 32 bits. */
  readonly seq: number;
  readonly ack: number;
  readonly flags: number;
  readonly window: number;
  readonly options: Uint8Array;
}

export const IP_BYTES = 20;
export const TCP_BYTES = 20;
export const UDP_BYTES = 8;
const PROTOCOL = { tcp: 6, udp: 17 } as const;
const DONT_FRAGMENT = 0x4000;
const VERSION_AND_LENGTH = 0x45;

/** Sequence numbers come round (RFC 9293 section 3.4). */
export const wrapped = (value: number): number => value % 2 ** 32;

function sumOf(packet: Buffer, begin: number, end: number): number {
  let sum = 0;
  for (let at = begin; at < end; at += 2) sum += packet.readUInt16BE(at);
  return sum;
}

/** One's complement of the one's complement sum (RFC 1071). */
function checksum(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x10000);
  return ~folded & 0xffff;
}

function ipHeader({ id, ecn, bytes }: IpPacket, { from, to, ttl }: Way, protocol: number, packet: Buffer): void {
  packet.writeUInt8(VERSION_AND_LENGTH, 0);
  packet.writeUInt8(ecn, 1);
  packet.writeUInt16BE(bytes, 2);
  packet.writeUInt16BE(id % 0x10000, 4);
  packet.writeUInt16BE(DONT_FRAGMENT, 6);
  packet.writeUInt8(ttl, 8);
  packet.writeUInt8(protocol, 9);
  packet.writeUInt32BE(from.address, 12);
  packet.writeUInt32BE(to.address, 16);
  packet.writeUInt16BE(checksum(sumOf(packet, 0, IP_BYTES)), 10);
}

const ADDRESSES_AT = 12;

/** Of what follows the IP header, with the addresses and the length before it that both protocols take in. */
const transportChecksum = (packet: Buffer, protocol: number, bytes: number): number =>
  checksum(sumOf(packet, ADDRESSES_AT, packet.length) + protocol + (bytes - IP_BYTES));

/** IP and TCP headers. Options are of a multiple of four bytes. */
export function tcpHeaders(segment: TcpSegment, way: Way): Buffer {
  const { bytes, seq, ack, flags, window, options } = segment;
  const packet = Buffer.alloc(IP_BYTES + TCP_BYTES + options.length);
  ipHeader(segment, way, PROTOCOL.tcp, packet);
  packet.writeUInt16BE(way.from.port, 20);
  packet.writeUInt16BE(way.to.port, 22);
  packet.writeUInt32BE(wrapped(seq), 24);
  packet.writeUInt32BE(wrapped(ack), 28);
  packet.writeUInt8(((TCP_BYTES + options.length) / 4) << 4, 32);
  packet.writeUInt8(flags, 33);
  packet.writeUInt16BE(window, 34);
  packet.set(options, IP_BYTES + TCP_BYTES);
  packet.writeUInt16BE(transportChecksum(packet, PROTOCOL.tcp, bytes), 36);
  return packet;
}

/** The least that a datagram with a byte in it has. */
export const LEAST_DATAGRAM = IP_BYTES + UDP_BYTES + 1;

export function udpHeaders(datagram: IpPacket, way: Way): Buffer {
  const { bytes } = datagram;
  const packet = Buffer.alloc(IP_BYTES + UDP_BYTES);
  ipHeader(datagram, way, PROTOCOL.udp, packet);
  packet.writeUInt16BE(way.from.port, 20);
  packet.writeUInt16BE(way.to.port, 22);
  packet.writeUInt16BE(bytes - IP_BYTES, 24);
  // 0 would say that there is none (RFC 768).
  packet.writeUInt16BE(transportChecksum(packet, PROTOCOL.udp, bytes) || 0xffff, 26);
  return packet;
}
