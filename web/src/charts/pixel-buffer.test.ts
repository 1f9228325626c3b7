import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { over, PixelBuffer, rgbWord } from './pixel-buffer';

const [WIDTH, HEIGHT] = [24, 16];

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly colour: readonly [number, number, number];
  readonly alpha: number;
}

/** The same by the definition of source-over, in floating point, pixel by pixel. */
function painted(bars: readonly Bar[], from: number): number[][] {
  const pixels = Array.from({ length: WIDTH * HEIGHT }, () => [0, 0, 0, 0]);
  for (const { x, y, width, height, colour, alpha } of bars)
    for (let row = 0; row < HEIGHT; row++)
      for (let column = from; column < WIDTH; column++) {
        if (column < x || column >= x + Math.max(1, width)) continue;
        const covered = Math.min(row + 1, y + height) - Math.max(row, y);
        const strength = (Math.max(0, covered) * alpha) / 255;
        const under = pixels[row * WIDTH + column]!;
        const below = under[3]! / 255;
        const total = strength + below * (1 - strength);
        if (total === 0) continue;
        pixels[row * WIDTH + column] = [
          ...colour.map((value, i) => (value * strength + under[i]! * below * (1 - strength)) / total),
          total * 255,
        ];
      }
  return pixels;
}

const bytes = (word: number): number[] => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255);

const byte = fc.integer({ min: 0, max: 255 });
const bar = fc.record({
  x: fc.integer({ min: -3, max: WIDTH + 3 }),
  y: fc.double({ min: -4, max: HEIGHT + 4, noNaN: true }),
  width: fc.integer({ min: 0, max: 3 }),
  height: fc.double({ min: 0, max: 20, noNaN: true }),
  colour: fc.tuple(byte, byte, byte),
  alpha: fc.oneof(fc.constant(255), byte),
});

describe('bars as pixels', () => {
  it('are what painting them over one another is, to the rounding of a byte', () => {
    fc.assert(
      fc.property(fc.array(bar, { maxLength: 5 }), fc.integer({ min: 0, max: WIDTH }), (bars, from) => {
        const words = new Uint32Array(WIDTH * HEIGHT).fill(0xffffffff);
        const buffer = new PixelBuffer(words, WIDTH);
        buffer.begin({ left: from, top: 0, right: WIDTH, bottom: HEIGHT });
        for (const { x, y, width, height, colour, alpha } of bars)
          buffer.bar(x, y, width, height, rgbWord(...colour), alpha);
        const wanted = painted(bars, from);
        for (const [i, word] of words.entries()) {
          if (i % WIDTH < from) {
            expect(word).toBe(0xffffffff);
            continue;
          }
          const [got, want] = [bytes(word), wanted[i]!];
          // Each bar may round once; where hardly anything covers a pixel, its colour says nothing.
          expect(Math.abs(got[3]! - want[3]!)).toBeLessThanOrEqual(bars.length);
          if (want[3]! > 40)
            for (const channel of [0, 1, 2])
              expect(Math.abs(got[channel]! - want[channel]!)).toBeLessThanOrEqual(2 + (255 * bars.length) / want[3]!);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('leave no seam where neighbours meet but for rounding', () => {
    const words = new Uint32Array(WIDTH * HEIGHT);
    const buffer = new PixelBuffer(words, WIDTH);
    buffer.begin({ left: 0, top: 0, right: WIDTH, bottom: HEIGHT });
    for (let column = 0; column < 20; column++)
      buffer.bar(0.5 + column + (column % 2) * 1e-9 - 5e-10, 0, 1, HEIGHT, rgbWord(1, 2, 3), 128);
    const alphas = [...words.slice(0, WIDTH)].map((word) => word >>> 24);
    expect(alphas).toEqual([0, ...Array.from({ length: 20 }, () => 128), 0, 0, 0]);
  });

  it('replace what is below when they are opaque, and are replaced by nothing when they are clear', () => {
    expect(over(over(0, rgbWord(10, 20, 30), 200), rgbWord(1, 2, 3), 255)).toBe(0xff030201);
    expect(over(0xff030201, rgbWord(9, 9, 9), 0)).toBe(0xff030201);
  });
});
