// The sliders that a recipe has, by its model.
import type { Recipe } from '#protocol/recipe';
import type { Knob } from './knob';
import { cellularWalkKnobs, markovKnobs, piecewiseKnobs, randomWalkKnobs } from './link-knobs';
import { radioKnobs } from './radio-knobs';

const MODELS = {
  radio: radioKnobs,
  piecewise: piecewiseKnobs,
  random_walk: randomWalkKnobs,
  markov: markovKnobs,
  cellular_walk: cellularWalkKnobs,
} as const satisfies Partial<Record<keyof Recipe, (recipe: Recipe, scenario: Recipe) => readonly Knob[]>>;
type Model = keyof typeof MODELS;

const modelOf = (recipe: Recipe): Model | undefined =>
  (Object.keys(MODELS) as Model[]).find((model) => recipe[model] !== undefined);

/** `scenario`: the recipe as it was shipped. */
export function knobsOf(recipe: Recipe, scenario: Recipe): readonly Knob[] {
  const model = modelOf(recipe);
  return model === undefined ? [] : MODELS[model](recipe, scenario);
}

/** Null: nothing is left to chance. */
export function seedOf(recipe: Recipe): number | null {
  const model = modelOf(recipe);
  const seed = model === undefined ? undefined : recipe[model]?.['seed'];
  return typeof seed === 'number' ? seed : null;
}

export function withSeed(recipe: Recipe, seed: number): Recipe {
  const model = modelOf(recipe);
  return model === undefined ? recipe : { ...recipe, [model]: { ...recipe[model], seed } };
}

/** A recipe of one's own: what the scenario promised of itself does not hold for it, nor has it had its names. */
export function ownRecipe({ targets: _, about, ...recipe }: Recipe, name: string): Recipe {
  const { formerly: __, figures: ___, ...link } = about ?? {};
  return { ...recipe, name, ...(Object.keys(link).length > 0 && { about: link }) };
}
