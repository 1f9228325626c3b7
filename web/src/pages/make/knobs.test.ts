import { describe, expect, it } from 'vitest';
import { Recipe } from '#protocol/recipe';
import { distanceToWay, setBack } from './geometry';
import type { Knob } from './knob';
import { knobsOf, ownRecipe, seedOf, withSeed } from './knobs';
import { coarse } from './radio-knobs';

const files = import.meta.glob<unknown>('../../../../traces/recipes/*.json', { eager: true, import: 'default' });
const recipes = Object.entries(files).map(([path, recipe]) => ({
  id: /([^/]+)\.json$/.exec(path)?.[1] ?? path,
  recipe: Recipe.parse(recipe),
}));
const shipped = (id: string): Recipe => {
  const found = recipes.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found.recipe;
};
const knob = (id: string, recipe: Recipe, scenario = recipe): Knob => {
  const found = knobsOf(recipe, scenario).find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

describe('the sliders of the scenario maker', () => {
  it.each(recipes)('stand within their range for $id, and what is written is read back', ({ recipe }) => {
    const knobs = knobsOf(recipe, recipe);
    expect(knobs.length).toBeGreaterThan(1);
    for (const { id, min, max, value, write } of knobs) {
      expect(value, id).toBeGreaterThanOrEqual(min);
      expect(value, id).toBeLessThanOrEqual(max);
      for (const next of [min, (min + max) / 2, max])
        expect(Math.abs(knob(id, write(next), recipe).value - next), id).toBeLessThan(0.06);
    }
  });

  it.each(recipes)('leave $id as it was when they go there and back', ({ recipe }) => {
    for (const { id, min, max, value } of knobsOf(recipe, recipe)) {
      let now = recipe;
      for (const next of [min, max, value]) now = knob(id, now, recipe).write(next);
      expect(knob(id, now, recipe).value, id).toBeCloseTo(value, 1);
      for (const other of knobsOf(recipe, recipe))
        if (id !== 'highest' && id !== 'lowest')
          expect(knob(other.id, now, recipe).value, `${id} and ${other.id}`).toBeCloseTo(other.value, 1);
    }
  });

  it('are speed, distance, bandwidth, blockers and load wherever there is a place', () => {
    const places = recipes.filter(({ recipe }) => recipe.radio !== undefined);
    expect(places.length).toBeGreaterThan(20);
    for (const { recipe } of places)
      expect(knobsOf(recipe, recipe).map(({ id }) => id)).toEqual([
        'speed',
        'distance',
        'bandwidth',
        'blockers',
        'load',
        'duration',
      ]);
  });

  it('change only their own part of the recipe', () => {
    const recipe = shipped('mmwave-b4');
    const wider = knob('bandwidth', recipe).write(50);
    expect(wider.radio).toEqual({ ...recipe.radio, link: { ...Object(recipe.radio?.['link']), bandwidth_mhz: 50 } });
  });

  it('let what a device can take at most grow with the bandwidth', () => {
    const wider = knob('bandwidth', shipped('lte-uplink-bus')).write(40);
    expect(wider.radio?.['link']).toMatchObject({ bandwidth_mhz: 40, cap_mbps: 93 });
  });

  it('keep the walk possible when the distance is beyond its ends', () => {
    const line = shipped('mmwave-b1');
    expect(knob('distance', line).write(1000).radio?.['walk']).toMatchObject({
      line: { start_m: 1000, nearest_m: 8, farthest_m: 1000 },
    });
    expect(knob('distance', line).write(5).radio?.['walk']).toMatchObject({ line: { start_m: 5, nearest_m: 5 } });
  });

  it('move the stations of a way that is drawn along a free street, away from it', () => {
    const stations = (id: string, metres: number): unknown =>
      knob('distance', shipped(id)).write(metres).radio?.['stations'];
    expect(stations('mmwave-b3a', 100)).toEqual([[50, -80]]); // in the street x 40 to 60, past the way's beginning
    expect(stations('mmwave-ca', 100)).toEqual([[10, -85]]);
    expect(stations('mmwave-b4', 50)).toEqual([
      [0, -50],
      [100, -50],
    ]);
    expect(stations('street-canyon', 20)).toEqual([
      [20, 28],
      [220, -28],
    ]);
    expect(stations('street-canyon', 0)).toEqual(shipped('street-canyon').radio?.['stations']);
  });

  it('stretch a link of straight lines between its rates, and its times with the cycle', () => {
    const sawtooth = shipped('sawtooth-4-to-100mbps');
    const faster = knob('cycle', knob('highest', sawtooth).write(200), sawtooth).write(2);
    expect(faster.piecewise).toMatchObject({ pieces: [{ from_mbps: 4, to_mbps: 200, ms: 2000 }] });
    const constant = knob('rate', shipped('constant-48mbps')).write(7);
    expect(constant.piecewise).toMatchObject({ pieces: [{ from_mbps: 7, to_mbps: 7 }] });
    const squeezed = knob('highest', sawtooth).write(2);
    expect(squeezed.piecewise).toMatchObject({ pieces: [{ from_mbps: 2, to_mbps: 2 }] });
  });
});

describe('a recipe of one’s own', () => {
  it('takes nobody’s promises along, and coarse steps only into sketches', () => {
    const recipe = shipped('mmwave-b1');
    const { targets, about, ...rest } = recipe;
    expect(targets).toBeDefined();
    expect(about?.figures).toBeDefined();
    const own = { ...rest, name: 'Mine', about: { technology: '5G mmWave', place: 'Street' } };
    expect(ownRecipe(recipe, 'Mine')).toEqual(own);
    expect(ownRecipe(own, 'Mine')).toEqual(own);
    expect(ownRecipe({ ...rest }, 'Mine')).toEqual({ ...rest, name: 'Mine' });
    expect(coarse(recipe).radio).toEqual({ ...recipe.radio, step_us: 5000 });
    expect(coarse(shipped('markov-four-rates'))).toBe(shipped('markov-four-rates'));
  });

  it('has another seed where chance has a part', () => {
    expect(seedOf(withSeed(shipped('markov-four-rates'), 7))).toBe(7);
    expect(seedOf(shipped('constant-48mbps'))).toBeNull();
  });
});

describe('geometry', () => {
  it('knows how far a place is from a way of corners', () => {
    const way = [
      [0, 0],
      [10, 0],
      [10, 10],
    ] as const;
    expect(distanceToWay([5, 3], way)).toBe(3);
    expect(distanceToWay([13, 14], way)).toBe(5);
  });

  it('moves straight away where every street is built up', () => {
    const around = [[-5, -5, 5, 5]] as const;
    expect(setBack([0, 0], 10, 300, [[0, 40], [10, 40]], around)).toEqual([0, -10]); // prettier-ignore
  });
});
