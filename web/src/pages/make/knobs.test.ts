import { describe, expect, it } from 'vitest';
import { Recipe } from '#protocol/recipe';
import { coarse, KNOBS, radioOf, withRadio } from './knobs';

const files = import.meta.glob<unknown>('../../../../traces/recipes/*.json', { eager: true, import: 'default' });
const recipes = Object.values(files)
  .map((recipe) => Recipe.parse(recipe))
  .filter(({ radio }) => radio !== undefined);

const knob = (id: string) => {
  const found = KNOBS.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

describe('the sliders of the scenario maker', () => {
  it('stand within their range for every shipped scenario, and what is written is read back', () => {
    expect(recipes.length).toBeGreaterThan(20);
    for (const recipe of recipes) {
      const radio = radioOf(recipe);
      for (const { id, min, max, read, write } of KNOBS) {
        const now = read(radio);
        if (now === null) continue;
        expect(now, `${recipe.name}: ${id}`).toBeGreaterThanOrEqual(min);
        expect(now, `${recipe.name}: ${id}`).toBeLessThanOrEqual(max);
        for (const value of [min, (min + max) / 2, max]) expect(read(write(radio, value))).toBeCloseTo(value, 1);
      }
    }
  });

  it('change only their own part of the recipe', () => {
    const radio = radioOf(recipes[0] ?? Recipe.parse({}));
    const wider = knob('bandwidth').write(radio, 50);
    expect({ ...wider, link: radio.link }).toEqual(radio);
  });

  it('keep the walk possible when the distance is beyond its ends', () => {
    const line = recipes.map(radioOf).find(({ walk }) => walk.line !== undefined);
    if (line === undefined) throw new Error('no scenario walks along a line');
    expect(knob('distance').write(line, 1000).walk.line).toMatchObject({ start_m: 1000, farthest_m: 1000 });
    expect(knob('distance').write(line, 5).walk.line).toMatchObject({ start_m: 5, nearest_m: 5 });
  });

  it('take nobody’s promises along, and coarse steps only into sketches', () => {
    const recipe = recipes.find(({ targets }) => targets !== undefined);
    if (recipe === undefined) throw new Error('no scenario has targets');
    const own = withRadio(recipe, 'Mine', radioOf(recipe));
    expect(own).toEqual({ schema: 1, name: 'Mine', description: recipe.description, radio: recipe.radio });
    expect(coarse(radioOf(recipe)).step_us).toBe(5000);
  });
});
