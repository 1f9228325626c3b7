// The blocks of a pcapng file (draft-ietf-opsawg-pcapng), little-endian; times in nanoseconds.

/** Packets begin with their IP header. */
const LINKTYPE_RAW = 101;
/** More than the headers of any packet: IPv4 20 bytes, TCP 60. */
const SNAP_BYTES = 128;
const VERSION = [1, 0] as const;
const BYTE_ORDER = 0x1a2b3c4d;
const NANOSECONDS = 9;

const BLOCK = { section: 0x0a0d0d0a, interface: 1, packet: 6 } as const;
const OPTION = { end: 0, comment: 1, application: 4, name: 2, description: 3, resolution: 9 } as const;
const MOST_OPTION_BYTES = 0xfffc;

const padded = (length: number): number => (length + 3) & ~3;

type Option = readonly [code: number, value: string | Uint8Array];

const NO_OPTIONS = Buffer.alloc(0);

/** Each with its length, to a multiple of four bytes. */
function optionsOf(options: readonly Option[]): Buffer {
  const values = options.map(([code, value]) => ({
    code,
    bytes: Buffer.from(typeof value === 'string' ? Buffer.from(value) : value).subarray(0, MOST_OPTION_BYTES),
  }));
  const out = Buffer.alloc(values.reduce((sum, { bytes }) => sum + 4 + padded(bytes.length), 4));
  let at = 0;
  for (const { code, bytes } of values) {
    out.writeUInt16LE(code, at);
    out.writeUInt16LE(bytes.length, at + 2);
    bytes.copy(out, at + 4);
    at += 4 + padded(bytes.length);
  }
  out.writeUInt16LE(OPTION.end, at);
  return out;
}

/** The length stands at both ends of a block, so that a file can be read backwards. */
function block(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = 12 + parts.reduce((sum, part) => sum + part.length, 0);
  const out = Buffer.alloc(length);
  out.writeUInt32LE(type, 0);
  out.writeUInt32LE(length, 4);
  let at = 8;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  out.writeUInt32LE(length, at);
  return out;
}

/** How a file begins. `application`: what has written it. */
export function sectionHeader(application: string, comment: string): Buffer {
  const fixed = Buffer.alloc(16);
  fixed.writeUInt32LE(BYTE_ORDER, 0);
  fixed.writeUInt16LE(VERSION[0], 4);
  fixed.writeUInt16LE(VERSION[1], 6);
  fixed.writeBigInt64LE(-1n, 8); // of a length that is not known yet
  return block(
    BLOCK.section,
    fixed,
    optionsOf([
      [OPTION.application, application],
      [OPTION.comment, comment],
    ]),
  );
}

/** A place at which packets are seen; they name it by its number, in the order in which these blocks stand. */
export function interfaceDescription(name: string, description: string): Buffer {
  const fixed = Buffer.alloc(8);
  fixed.writeUInt16LE(LINKTYPE_RAW, 0);
  fixed.writeUInt32LE(SNAP_BYTES, 4);
  return block(
    BLOCK.interface,
    fixed,
    optionsOf([
      [OPTION.name, name],
      [OPTION.description, description],
      [OPTION.resolution, Uint8Array.of(NANOSECONDS)],
    ]),
  );
}

export interface Frame {
  readonly interface: number;
  readonly at_ns: number;
  /** What is kept of it. */
  readonly headers: Uint8Array;
  /** What it had on the wire. */
  readonly bytes: number;
  readonly comment: string | null;
}

/** There are millions of them: each is written at once, without parts in between. */
export function enhancedPacket({ interface: place, at_ns, headers, bytes, comment }: Frame): Buffer {
  const options = comment === null ? NO_OPTIONS : optionsOf([[OPTION.comment, comment]]);
  const optionsAt = 28 + padded(headers.length);
  const length = optionsAt + options.length + 4;
  const out = Buffer.alloc(length);
  out.writeUInt32LE(BLOCK.packet, 0);
  out.writeUInt32LE(length, 4);
  out.writeUInt32LE(place, 8);
  out.writeUInt32LE(Math.floor(at_ns / 2 ** 32), 12);
  out.writeUInt32LE(at_ns % 2 ** 32, 16);
  out.writeUInt32LE(headers.length, 20);
  out.writeUInt32LE(bytes, 24);
  out.set(headers, 28);
  out.set(options, optionsAt);
  out.writeUInt32LE(length, length - 4);
  return out;
}
