import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Recipe } from '#protocol/recipe';
import { RecipeRefused } from './recipes.ts';
import { Sketcher } from './sketcher.ts';
import { FakePrograms, processes } from './testing/fake-programs.ts';

const street = Recipe.parse(
  JSON.parse(readFileSync(new URL('../../traces/recipes/mmwave-b4.json', import.meta.url), 'utf8')),
);
const changed = (radio: Record<string, unknown>): Recipe => ({ ...street, radio: { ...street.radio, ...radio } });
const children = (): number[] =>
  processes().flatMap(({ pid, parent, name }) => (parent === process.pid && name === 'paceline-trace' ? [pid] : []));

const sketcher = new Sketcher();
afterEach(async () => {
  await sketcher.close();
  await expect.poll(children, { timeout: 5000, interval: 20 }).toEqual([]);
});

describe('a sketcher', () => {
  it('asks the same child again, also after a recipe that was refused', async () => {
    const first = await sketcher.sketch(street, 50);
    const [child] = children();
    await expect(sketcher.sketch(changed({ carrier_ghz: 4000 }), 50)).rejects.toThrow(
      new RecipeRefused('recipe, radio: "carrier_ghz" must be from 0.4 to 100.0'),
    );
    expect(await sketcher.sketch(street, 50)).toEqual(first);
    expect(children()).toEqual([child]);
  });

  it('sketches for several at a time, and keeps no more than two children for it', async () => {
    const all = await Promise.all([1, 2, 3, 4].map((seed) => sketcher.sketch(changed({ seed }), 50)));
    expect(new Set(all.map(({ mean_mbps }) => mean_mbps)).size).toBe(4);
    await expect.poll(() => children().length, { timeout: 5000, interval: 20 }).toBe(2);
  });

  it('ends a child whose sketch nobody wants any more, and answers the next one at once', async () => {
    const abort = new AbortController();
    const unwanted = sketcher.sketch(changed({ duration_ms: 80_000_000 }), 50, abort.signal);
    const [child] = children();
    abort.abort();
    await expect(unwanted).rejects.toThrow('paceline-trace was stopped');
    expect((await sketcher.sketch(street, 50)).period_ms).toBe(180_000);
    expect(children()).not.toContain(child);
  });

  it('tells the last words of a child that fails, and starts another one', async () => {
    const programs = new FakePrograms();
    try {
      programs.add('paceline-trace', [], 'read line; echo "no memory" >&2; exit 1');
      for (const _ of [1, 2])
        await expect(sketcher.sketch(street, 50)).rejects.toThrow('paceline-trace ended with exit code 1: no memory');
    } finally {
      programs.remove();
    }
  });
});
