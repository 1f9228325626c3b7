// What the recipe of the moment makes: a coarse sketch at once while a slider moves, the exact one when it rests.
import { useEffect, useState } from 'react';
import { RecipeSketch, type Recipe } from '#protocol/recipe';
import { call } from '../../api/client';
import { coarse } from './radio-knobs';
import { SketchLoop } from './sketch-loop';

const BINS = 600;

export interface Sketched {
  readonly sketch: RecipeSketch | null;
  readonly error: Error | null;
}

export function useSketch(recipe: Recipe): Sketched {
  const [state, setState] = useState<Sketched>({ sketch: null, error: null });
  const [loop] = useState(
    () =>
      new SketchLoop<Recipe, RecipeSketch>({
        ask: (wanted, how, signal) =>
          call(`/recipes/sketch?bins=${BINS}`, RecipeSketch, {
            method: 'POST',
            body: how === 'coarse' ? coarse(wanted) : wanted,
            signal,
          }),
        show: (sketch) => setState({ sketch, error: null }),
        fail: (error) => setState(({ sketch }) => ({ sketch, error })),
      }),
  );
  useEffect(() => loop.want(recipe), [loop, recipe]);
  useEffect(() => () => loop.stop(), [loop]);
  return state;
}
