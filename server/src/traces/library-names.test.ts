import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Recipe } from '#protocol/recipe';
import { Recording } from '#protocol/recording';
import { figuresIn, lapOf, measured, saidBy, unitOf } from '../testing/trace-figures.ts';

const TRACES = fileURLToPath(new URL('../../../traces', import.meta.url));
const read = (folder: string) =>
  readdirSync(join(TRACES, folder))
    .filter((file) => file.endsWith('.json'))
    .map((file): [string, unknown] => [
      basename(file, '.json'),
      JSON.parse(readFileSync(join(TRACES, folder, file), 'utf8')),
    ]);
const RECIPES = read('recipes').map(([id, text]) => ({ id, recipe: Recipe.parse(text) }));
const RECORDINGS = read('recordings').map(([id, text]) => ({ id, recipe: Recording.parse(text) }));
const SHIPPED: { id: string; recipe: Recipe | Recording }[] = [...RECIPES, ...RECORDINGS];

/** However coarsely a figure is written, it is never further off than this share. */
const MOST_OFF = 0.05;

type Statistic = string | { readonly at_most: string };

/** What the statement `says` (a piece of the text with as many numbers as statistics) is said to be. */
function statements(figures: NonNullable<Recipe['about']>['figures']): [string, Statistic[][]][] {
  return Object.entries(figures ?? {}).map(([says, of]) => {
    const each = Array.isArray(of) ? of : [of];
    return [says, each.map((one) => (Array.isArray(one) ? one : [one]))];
  });
}

/** Where a text says it: as whole words, every time. */
function placesOf(text: string, says: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(says); at !== -1; at = text.indexOf(says, at + 1))
    if (!/\w$/.test(text.slice(0, at)) && !/^\w/.test(text.slice(at + says.length))) places.push(at);
  return places;
}

describe.each(SHIPPED)('the name and the description of $id', ({ id, recipe }) => {
  const texts = [recipe.name, recipe.description];
  const stated = statements(recipe.about?.figures);

  it('have no figure of which it is not said what it is', () => {
    for (const text of texts) {
      const covered = stated.flatMap(([says]) =>
        placesOf(text, says).flatMap((at) => figuresIn(says).map((figure) => at + figure.at)),
      );
      const loose = figuresIn(text).filter(({ at }) => !covered.includes(at));
      expect(loose.map(({ said, at }) => `${said} in “${text.slice(Math.max(0, at - 12), at + 12)}”`)).toEqual([]);
    }
  });

  it('state what the trace and its recipe have', () => {
    const have = measured(lapOf(join(TRACES, 'made', `${id}.trace.gz`)));
    const said = saidBy(recipe);
    for (const [says, of] of stated) {
      expect(
        texts.flatMap((text) => placesOf(text, says)),
        `${says} stands in neither`,
      ).not.toEqual([]);
      const figures = figuresIn(says);
      expect(figures, says).toHaveLength(of.length);
      figures.forEach((figure, i) => {
        for (const statistic of of[i] ?? []) {
          const name = typeof statistic === 'string' ? statistic : statistic.at_most;
          const given = said(name);
          const found = have(name) ?? (given === undefined ? undefined : { value: given, grain: 0 });
          if (found === undefined) throw new Error(`${id}: nobody knows what ${name} is`);
          const scale = unitOf(says);
          const value = found.value / scale;
          const off = Math.min(figure.rounding, MOST_OFF * figure.value) + found.grain / scale + 1e-9;
          const words = `${id}: “${says}” is ${name}, which is ${value}`;
          if (given !== undefined) expect(value, words).toBeCloseTo(figure.value, 9);
          else if (typeof statistic !== 'string') {
            expect(value, words).toBeGreaterThan(figure.value / 2);
            expect(value, words).toBeLessThanOrEqual(figure.value + off);
          } else expect(Math.abs(value - figure.value), words).toBeLessThanOrEqual(off);
        }
      });
    }
  });

  it('agree with its technology', () => {
    const technology = recipe.about?.technology ?? '';
    expect(technology).not.toBe('');
    for (const word of texts[0]?.match(/\b(?:[345]G|LTE|mmWave)\b/g) ?? [])
      expect(technology.split(' ')).toContain(word);
  });
});

describe.each(RECIPES)('the technology of $id', ({ recipe }) => {
  it('is that of its radio', () => {
    const technology = recipe.about?.technology ?? '';
    const carrier = saidBy(recipe)('/radio/carrier_ghz');
    expect(technology === '5G mmWave').toBe(carrier !== undefined && carrier > 24);
    expect(technology === 'Test signal' || technology === '4G LTE' || recipe.radio !== undefined).toBe(true);
    expect(recipe.radio !== undefined && technology === 'Test signal').toBe(false);
  });
});

describe('the names of the shipped traces', () => {
  const names = SHIPPED.map(({ recipe }) => recipe.name);
  const former = SHIPPED.flatMap(({ recipe }) => recipe.about?.formerly ?? []);

  it('are each one trace’s alone, those that it had as well', () => {
    expect(new Set([...names, ...former]).size).toBe(names.length + former.length);
  });

  it('are those of the catalogue', () => {
    const catalog = JSON.parse(readFileSync(join(TRACES, 'catalog.json'), 'utf8')) as {
      name: string;
      recipe?: string;
      recording?: string;
    }[];
    expect(catalog.map(({ name, recipe, recording }) => [name, recipe ?? recording])).toEqual([
      ...RECIPES.map(({ id, recipe }) => [recipe.name, `recipes/${id}.json`]),
      ...RECORDINGS.map(({ id, recipe }) => [recipe.name, `recordings/${id}.json`]),
    ]);
  });

  it('mean something: of a name with a wrong figure it is noticed', () => {
    expect(figuresIn('4G drive, 60 Mbps, B3a and ns-3').map(({ value }) => value)).toEqual([60]);
    expect(figuresIn('3.5 GHz, two layers, 0, 6, 24 and 60 Mbps').map(({ value }) => value)).toEqual([
      3.5, 2, 0, 6, 24, 60,
    ]);
    const have = measured(lapOf(join(TRACES, 'made', '4g-drive-a.trace.gz')));
    expect(have('mean_mbps')?.value).toBeCloseTo(75.5, 1);
  });
});
