import { readFileSync } from 'node:fs';
import { lab } from 'd3';
import { describe, expect, it } from 'vitest';
import { contrast } from '#analysis/contrast';
import { toneOf } from './tone';

const css = readFileSync(`${import.meta.dirname}/../theme/tokens.css`, 'utf8');
const token = (name: string, side: 0 | 1): string =>
  new RegExp(`--${name}: light-dark\\((#[0-9a-f]+), (#[0-9a-f]+)\\)`).exec(css)?.[side + 1] ?? '';
/** CIELAB: about 2 can just be told apart side by side. */
const distance = (a: string, b: string): number => {
  const [p, q] = [lab(a), lab(b)];
  return Math.hypot(p.l - q.l, p.a - q.a, p.b - q.b);
};

describe.each([0, 1] as const)('the tones of a flow, theme %i', (side) => {
  const surface = token('surface', side);
  const colours = ['ink', ...Array.from({ length: 8 }, (_, slot) => `cca-${slot}`)];

  it.each(colours)('of --%s are legible, and told from it and from each other', (name) => {
    const colour = token(name, side);
    const tones = [toneOf(colour, 1, { surface }), toneOf(colour, 2, { surface })] as const;
    for (const tone of tones) {
      expect(contrast(tone, surface)).toBeGreaterThanOrEqual(3);
      expect(distance(tone, colour)).toBeGreaterThan(18);
    }
    // One of them is dashed besides.
    expect(distance(...tones)).toBeGreaterThan(8);
  });
});
