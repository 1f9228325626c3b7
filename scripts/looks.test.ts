import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CELL, compareLooks, lookOf, readLooks, showDifference, writeLooks, type Look } from '../e2e/support/look.ts';
import { readPng, type Pixels } from '../e2e/support/png.ts';

type Colour = readonly [number, number, number];
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly colour: Colour;
}

const WIDTH = 480;
const HEIGHT = 400;
const WHITE: Colour = [252, 252, 253];
const INK: Colour = [40, 42, 48];

function drawn(boxes: readonly Box[], ground = WHITE, height = HEIGHT): Pixels {
  const data = new Uint8Array(WIDTH * height * 3);
  const fill = ({ x, y, width, height: high, colour }: Box): void => {
    for (let row = y; row < Math.min(y + high, height); row++)
      for (let column = x; column < Math.min(x + width, WIDTH); column++) data.set(colour, (row * WIDTH + column) * 3);
  };
  fill({ x: 0, y: 0, width: WIDTH, height, colour: ground });
  boxes.forEach(fill);
  return { width: WIDTH, height, channels: 3, data };
}

/** Letters of a size, as strokes; what is set in another font is as wide as that makes it. */
function text(x: number, y: number, letters: number, advance: number, colour = INK): Box[] {
  return Array.from({ length: letters }, (_, i) => ({
    x: x + Math.round(i * advance),
    y,
    width: 3,
    height: 10,
    colour,
  }));
}

const card = (x: number, y: number, advance = 7, ink = INK): Box[] => [
  { x, y, width: 160, height: 1, colour: [225, 226, 230] },
  ...text(x + 8, y + 12, 18, advance, ink),
  ...text(x + 8, y + 32, 14, advance, ink),
  { x: x + 8, y: y + 52, width: 60, height: 20, colour: [30, 90, 220] },
];
const page = (advance = 7): Box[] => [...card(20, 20, advance), ...card(240, 20, advance), ...card(20, 140, advance)];
const look = (boxes: readonly Box[], ground?: Colour, height?: number): Look => lookOf(drawn(boxes, ground, height));
const BEFORE = look(page());

describe('a look', () => {
  it('is read as it was written', () => {
    const looks = new Map([
      ['desk-light', BEFORE],
      ['phone-dark', look(page(), [20, 21, 24], 333)],
    ]);
    expect(readLooks(writeLooks(looks))).toEqual(looks);
  });

  it('shows the shape of the page: nothing where there is nothing, a letter where a colour is', () => {
    const lines = writeLooks(new Map([['desk-light', BEFORE]])).split('\n');
    expect(lines[0]).toBe(`= desk-light 480 × 400, ground z`);
    expect(lines[15]).toBe('');
    expect(lines.slice(lines.indexOf('- colour')).join('\n')).toContain('BBB');
  });

  it.each([
    ['a card that moved by half a cell', look([...card(20, 20), ...card(240, 20), ...card(20, 140 + CELL / 2)])],
    ['a card that is lost', look([...card(20, 20), ...card(240, 20)])],
    ['the other colour scheme', look(page(), [20, 21, 24])],
    ['another font, a tenth wider', look(page(7.7))],
    ['an accent of another hue', look([...page(), { x: 28, y: 72, width: 60, height: 20, colour: [200, 60, 40] }])],
  ])('tells %s', (_, after) => {
    expect(compareLooks(BEFORE, after).same).toBe(false);
    expect(showDifference(BEFORE, after)).toContain('#');
  });

  it('tells that a page became higher', () => {
    const verdict = compareLooks(BEFORE, look(page(), WHITE, HEIGHT + 60));
    expect(verdict).toMatchObject({ same: false });
    expect(verdict.text).toContain('60 px higher');
  });

  it('does not tell smoother edges: each letter a little lighter and a stroke beside it', () => {
    const grey: Colour = [56, 58, 64];
    const edges = page().map((box) => ({ ...box, x: box.x + box.width, width: 1, colour: [238, 238, 240] as const }));
    const after = look(
      [...page(), ...edges.filter(({ height }) => height === 10)].map((box) =>
        box.colour === INK ? { ...box, colour: grey } : box,
      ),
    );
    expect(compareLooks(BEFORE, after)).toMatchObject({ same: true });
  });
});

/** A picture with each of the filters that a line may have. */
function png({ width, height, data }: Pixels): Buffer {
  const stride = width * 3;
  const lines = Array.from({ length: height }, (_, y) => {
    const filter = y % 5;
    const line = Buffer.alloc(stride + 1, filter);
    for (let i = 0; i < stride; i++) {
      const at = (dx: number, dy: number): number =>
        i < dx * 3 || y < dy ? 0 : (data[(y - dy) * stride + i - dx * 3] ?? 0);
      const [left, up, corner] = [at(1, 0), at(0, 1), at(1, 1)];
      const guess = left + up - corner;
      const nearest = [left, up, corner].reduce((a, b) => (Math.abs(guess - b) < Math.abs(guess - a) ? b : a));
      line[i + 1] = (data[y * stride + i] ?? 0) - ([0, left, up, (left + up) >> 1, nearest][filter] ?? 0);
    }
    return line;
  });
  const chunk = (type: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a PNG', () => {
  it('is read with every filter', () => {
    const noise = drawn(page());
    noise.data.forEach((value, i) => (noise.data[i] = (value + ((i * 7919) % 251)) & 255));
    const { data, ...size } = readPng(png(noise));
    expect(size).toEqual({ width: WIDTH, height: HEIGHT, channels: 3 });
    expect(Buffer.compare(data, noise.data)).toBe(0);
  });

  it('is refused when it is none', () => {
    expect(() => readPng(Buffer.from('GIF89a'))).toThrow('no PNG');
  });
});
