import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lab } from 'd3';
import { contrast } from '#analysis/contrast';
import { TOKENS } from '#analysis/palette';
import { apart, VISIONS } from './vision';

const css = readFileSync(`${import.meta.dirname}/tokens.css`, 'utf8');

/** Both sides of a token. */
function token(name: string): [light: string, dark: string] {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]+), (#[0-9a-f]+)\\)`).exec(css);
  if (found === null) throw new Error(`no token --${name}`);
  return [found[1] ?? '', found[2] ?? ''];
}

const both = (a: string, b: string): number =>
  Math.min(...[0, 1].map((side) => contrast(token(a)[side] ?? '', token(b)[side] ?? '')));

describe('the tokens', () => {
  it('are those of reports', () => {
    for (const [name, sides] of Object.entries(TOKENS)) expect([name, token(name)]).toEqual([name, [...sides]]);
  });

  it.each(['surface', 'ground', 'sunken', 'raised'])('let all text be read on --%s', (surface) => {
    expect(both('ink', surface)).toBeGreaterThanOrEqual(7);
    expect(both('ink-2', surface)).toBeGreaterThanOrEqual(7);
    for (const name of ['ink-3', 'accent', 'danger', 'warning'])
      expect(both(name, surface), name).toBeGreaterThanOrEqual(4.5);
  });

  it('let buttons and notices be read', () => {
    expect(both('accent-ink', 'accent')).toBeGreaterThanOrEqual(4.5);
    expect(both('accent', 'accent-soft')).toBeGreaterThanOrEqual(4.5);
    expect(both('danger', 'danger-soft')).toBeGreaterThanOrEqual(4.5);
    expect(both('warning', 'warning-soft')).toBeGreaterThanOrEqual(4.5);
    expect(both('ink-3', 'hover')).toBeGreaterThanOrEqual(4.5);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('let CCA slot %i be seen on figures', (slot) => {
    expect(both(`cca-${slot}`, 'surface')).toBeGreaterThanOrEqual(3);
  });

  it.each([0, 1, 2, 3, 4, 5])('let trace %i be seen on figures, and taken for no CCA and no other trace', (own) => {
    expect(both(`trace-${own}`, 'surface')).toBeGreaterThanOrEqual(3);
    const others = [
      ...Array.from({ length: 8 }, (_, slot) => `cca-${slot}`),
      ...Array.from({ length: 6 }, (_, slot) => `trace-${slot}`).filter((_, slot) => slot !== own),
    ];
    for (const side of [0, 1])
      for (const other of others) {
        const [a, b] = [lab(token(`trace-${own}`)[side] ?? ''), lab(token(other)[side] ?? '')];
        // CIE 1976: 2.3 can just be told apart.
        expect(Math.hypot(a.l - b.l, a.a - b.a, a.b - b.b), other).toBeGreaterThan(20);
      }
  });

  it.each(VISIONS.flatMap((vision) => [0, 1].map((side) => [vision, ['light', 'dark'][side], side] as const)))(
    'tell CCAs and traces apart in %s vision on %s',
    (vision, _, side) => {
      const ccas = Array.from({ length: 8 }, (_, slot) => token(`cca-${slot}`)[side] ?? '');
      const traces = Array.from({ length: 6 }, (_, slot) => token(`trace-${slot}`)[side] ?? '');
      const nearest = (some: readonly string[], others: readonly string[]): number =>
        Math.min(...some.flatMap((a) => others.filter((b) => b !== a).map((b) => apart(a, b, vision))));
      expect(nearest(ccas, ccas)).toBeGreaterThan(12.5);
      expect(nearest(traces, traces)).toBeGreaterThan(10);
      expect(nearest(traces, ccas)).toBeGreaterThan(4);
    },
  );
});
