import { describe, expect, it } from 'vitest';
import { crc32, withText } from './png-text';

/** One transparent pixel. */
const PIXEL = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='),
  (letter) => letter.charCodeAt(0),
);

function chunksOf(png: Uint8Array): { type: string; data: Uint8Array; intact: boolean }[] {
  const view = new DataView(png.buffer, png.byteOffset);
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const body = png.subarray(at + 4, at + 8 + length);
    const type = String.fromCharCode(...body.subarray(0, 4));
    chunks.push({ type, data: body.subarray(4), intact: crc32(body) === view.getUint32(at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

describe('text in a PNG', () => {
  it('has the checksum of the specification', () => {
    expect(crc32(new TextEncoder().encode('IEND'))).toBe(0xae426082);
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });

  it('stands behind the header, whole, and leaves the picture as it was', () => {
    const written = withText(PIXEL, [
      { keyword: 'Title', text: 'Frontier – 5 × ∞' },
      { keyword: 'Source', text: 'http://localhost/e/x?hide=a' },
    ]);
    const chunks = chunksOf(written);
    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'iTXt', 'tEXt', 'IDAT', 'IEND']);
    expect(chunks.every(({ intact }) => intact)).toBe(true);
    expect(new TextDecoder().decode(chunks[1]!.data)).toBe('Title\0\0\0\0\0Frontier – 5 × ∞');
    expect(new TextDecoder().decode(chunks[2]!.data)).toBe('Source\0http://localhost/e/x?hide=a');
    expect(chunksOf(withText(PIXEL, []))).toEqual(chunksOf(PIXEL));
  });
});
