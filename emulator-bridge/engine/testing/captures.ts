// Packet captures in memory, as native/tests/formats/captures.hh makes them.

export interface Captured {
  readonly atS: number;
  readonly frame: Uint8Array;
  readonly wire: number;
}

export interface CaptureStyle {
  readonly bigEndian?: boolean;
  readonly nano?: boolean;
  readonly link?: number;
  readonly minor?: number;
  readonly snapshot?: number;
}

/** Numbers in the byte order of the machine that made the capture. */
class Writer {
  readonly #bytes: number[] = [];
  readonly #bigEndian: boolean;

  constructor(bigEndian = false) {
    this.#bigEndian = bigEndian;
  }

  put(value: number | bigint, size: number): this {
    const bytes = Array.from({ length: size }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 0xffn));
    return this.raw(this.#bigEndian ? bytes.reverse() : bytes);
  }

  raw(bytes: Iterable<number>): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }

  block(type: number, body: Uint8Array): this {
    const padded = Math.ceil(body.byteLength / 4) * 4;
    this.put(type, 4)
      .put(padded + 12, 4)
      .raw(body)
      .raw(new Uint8Array(padded - body.byteLength));
    return this.put(padded + 12, 4);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes);
  }
}

/** An IPv4 packet's headers, UDP from 10.0.0.`from` to 10.0.0.`to`, of so many bytes in all. */
export const udpPacket = (from: number, to: number, bytes: number): Uint8Array =>
  new Uint8Array([
    ...[0x45, 0, bytes >> 8, bytes & 0xff, 0, 0, 0, 0, 0x40, 0x11, 0, 0, 10, 0, 0, from, 10, 0, 0, to],
    ...[0x13, 0x88, 0x13, 0x89, 0, 0, 0, 0],
  ]);

/** The same in an Ethernet frame. */
export const udpFrame = (from: number, to: number, bytes: number): Uint8Array =>
  new Uint8Array([...new Uint8Array(12).fill(1), 8, 0, ...udpPacket(from, to, bytes)]);

export function pcap(
  packets: readonly Captured[],
  { bigEndian = false, nano = false, link = 1, minor = 4, snapshot = 96 }: CaptureStyle = {},
): Uint8Array<ArrayBuffer> {
  const out = new Writer(bigEndian);
  out
    .put(nano ? 0xa1b23c4d : 0xa1b2c3d4, 4)
    .put(2, 2)
    .put(minor, 2)
    .put(0, 8)
    .put(snapshot, 4)
    .put(link, 4);
  for (const { atS, frame, wire } of packets) {
    out.put(Math.floor(atS), 4).put(Math.round((atS - Math.floor(atS)) * (nano ? 1e9 : 1e6)), 4);
    out.put(frame.byteLength, 4).put(wire, 4).raw(frame);
  }
  return out.bytes;
}

export const section = (bigEndian = false): Uint8Array =>
  new Writer(bigEndian).block(
    0x0a0d0d0a,
    new Writer(bigEndian).put(0x1a2b3c4d, 4).put(1, 2).put(0, 2).put(-1n, 8).bytes,
  ).bytes;

/** `resolution`: the option if_tsresol; 0: without it. */
export function networkInterface(resolution = 0, bigEndian = false, snapshot = 96): Uint8Array {
  const body = new Writer(bigEndian).put(1, 2).put(0, 2).put(snapshot, 4);
  if (resolution > 0) body.put(9, 2).put(1, 2).raw([resolution, 0, 0, 0]).put(0, 4);
  return new Writer(bigEndian).block(1, body.bytes).bytes;
}

export function enhancedPacket(ticks: bigint, frame: Uint8Array, wire: number, bigEndian = false): Uint8Array {
  const body = new Writer(bigEndian)
    .put(0, 4)
    .put(ticks >> 32n, 4)
    .put(ticks & 0xffffffffn, 4);
  return new Writer(bigEndian).block(6, body.put(frame.byteLength, 4).put(wire, 4).raw(frame).bytes).bytes;
}

export const simplePacket = (frame: Uint8Array): Uint8Array =>
  new Writer().block(3, new Writer().put(frame.byteLength, 4).raw(frame).bytes).bytes;

export const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flatMap((part) => [...part]));
