// The pixels of a screenshot. Chromium writes eight bits a channel, without interlacing; nothing else is read.
import { inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Channels of a pixel: red, green, blue, and perhaps how opaque it is. */
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Chunk {
  readonly type: string;
  readonly body: Buffer;
}

function* chunksOf(png: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), body: png.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

/** Of the three neighbours the one that a plane through them is nearest to. */
function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** What a filter says of a byte, from those left of it, above it and above that. */
function foretold(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      throw new Error(`a PNG has no filter ${filter}`);
  }
}

export function readPng(png: Buffer): Pixels {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('this is no PNG');
  const chunks = [...chunksOf(png)];
  const head = chunks.find(({ type }) => type === 'IHDR')?.body;
  if (head === undefined) throw new Error('the PNG has no head');
  const [width, height, depth, colours, interlaced] = [
    ...[head.readUInt32BE(0), head.readUInt32BE(4)],
    ...[head[8], head[9], head[12]],
  ] as [number, number, number, number, number];
  if (depth !== 8 || interlaced !== 0 || (colours !== 2 && colours !== 6))
    throw new Error(`a PNG with ${depth} bits of kind ${colours} is not read`);
  const channels = colours === 2 ? 3 : 4;
  const packed = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body)));
  const stride = width * channels;
  const data = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1);
    const to = y * stride;
    const filter = packed[from] ?? 0;
    for (let i = 0; i < stride; i++) {
      const left = i < channels ? 0 : (data[to + i - channels] ?? 0);
      const up = y === 0 ? 0 : (data[to + i - stride] ?? 0);
      const corner = i < channels || y === 0 ? 0 : (data[to + i - stride - channels] ?? 0);
      data[to + i] = (packed[from + 1 + i] ?? 0) + foretold(filter, left, up, corner);
    }
  }
  return { width, height, channels, data };
}
