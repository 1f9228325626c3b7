// Text inside a PNG (PNG specification, third edition, 11.3.3): tEXt where Latin-1 will do, else iTXt.

export interface PngText {
  /** Title, Description, Software, Source …: 1 to 79 letters of ASCII. */
  readonly keyword: string;
  readonly text: string;
}

const SIGNATURE_BYTES = 8;
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = (CRC_TABLE[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined([latin1(type), data]);
  const frame = new Uint8Array(body.length + 8);
  const view = new DataView(frame.buffer);
  view.setUint32(0, data.length);
  frame.set(body, 4);
  view.setUint32(frame.length - 4, crc32(body));
  return frame;
}

function textChunk({ keyword, text }: PngText): Uint8Array {
  // eslint-disable-next-line no-control-regex -- what Latin-1 holds
  if (/^[\x00-\xff]*$/.test(text)) return chunk('tEXt', joined([latin1(keyword), Uint8Array.of(0), latin1(text)]));
  // Neither compressed nor translated: two flags, an empty language and an empty translated keyword.
  return chunk('iTXt', joined([latin1(keyword), new Uint8Array(5), new TextEncoder().encode(text)]));
}

/** The PNG with texts behind its header chunk, where readers look first. */
export function withText(png: Uint8Array, texts: readonly PngText[]): Uint8Array<ArrayBuffer> {
  const header = SIGNATURE_BYTES + 12 + new DataView(png.buffer, png.byteOffset).getUint32(SIGNATURE_BYTES);
  return joined([png.subarray(0, header), ...texts.map(textChunk), png.subarray(header)]);
}
