// The colours that somebody may choose keep what the standard ones promise, and more where it is what they are chosen for.
import { readFileSync } from 'node:fs';
import { lab } from 'd3';
import { describe, expect, it } from 'vitest';
import { contrast } from '#analysis/contrast';
import { PALETTES } from '../settings/preferences';
import { apart, type Vision } from './vision';

const css = readFileSync(`${import.meta.dirname}/tokens.css`, 'utf8');
const MADE_FOR: Readonly<Record<string, readonly Vision[]>> = {
  'red-green': ['normal', 'protan', 'deutan'],
  'blue-yellow': ['normal', 'tritan'],
};

const sidesIn = (text: string, name: string): readonly [string, string] | undefined => {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]+), (#[0-9a-f]+)\\)`).exec(text);
  return found === null ? undefined : [found[1] ?? '', found[2] ?? ''];
};
const blockOf = (palette: string): string =>
  new RegExp(`:root\\[data-palette='${palette}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';

it('has colours for every palette that can be chosen', () => {
  expect(['standard', ...Object.keys(MADE_FOR)]).toEqual([...PALETTES]);
});

describe.each(Object.entries(MADE_FOR))('the palette %s', (palette, visions) => {
  const block = blockOf(palette);
  const token = (name: string, side: number): string => (sidesIn(block, name) ?? sidesIn(css, name))?.[side] ?? '';
  const SLOTS = Array.from({ length: 8 }, (_, slot) => `cca-${slot}`);
  const TRACES = Array.from({ length: 6 }, (_, slot) => `trace-${slot}`);

  it('has a colour of its own for every slot but the ink', () => {
    for (const slot of SLOTS.slice(1)) expect(sidesIn(block, slot), slot).toBeDefined();
  });

  it.each([0, 1])('can be seen on figures, and is taken for no trace (side %i)', (side) => {
    for (const slot of SLOTS) {
      expect(contrast(token(slot, side), token('surface', side)), slot).toBeGreaterThanOrEqual(3);
      for (const trace of TRACES) {
        const [a, b] = [lab(token(slot, side)), lab(token(trace, side))];
        expect(Math.hypot(a.l - b.l, a.a - b.a, a.b - b.b), `${slot} ${trace}`).toBeGreaterThan(20);
        for (const vision of visions)
          expect(apart(token(slot, side), token(trace, side), vision), `${slot} ${trace}`).toBeGreaterThan(4);
      }
    }
  });

  it.each(visions.flatMap((vision) => [0, 1].map((side) => [vision, side] as const)))(
    'is further apart than the standard one in %s vision (side %i)',
    (vision, side) => {
      for (const a of SLOTS)
        for (const b of SLOTS)
          if (a < b) expect(apart(token(a, side), token(b, side), vision), `${a} ${b}`).toBeGreaterThan(15);
    },
  );
});
