// What the recipe of the moment makes: a coarse sketch at once while a slider moves, the exact one when it rests.
import { useEffect, useState } from 'react';
import { RecipeSketch, type Recipe } from '#protocol/recipe';
import { call } from '../../api/client';
import { coarse, type Radio, withRadio } from './knobs';
import { SketchLoop } from './sketch-loop';

const BINS = 600;

export interface Sketched {
  readonly sketch: RecipeSketch | null;
  readonly error: Error | null;
}

export function useSketch(scenario: Recipe, radio: Radio): Sketched {
  const [state, setState] = useState<Sketched>({ sketch: null, error: null });
  const [loop] = useState(
    () =>
      new SketchLoop<Radio, RecipeSketch>({
        ask: (wanted, how, signal) =>
          call(`/recipes/sketch?bins=${BINS}`, RecipeSketch, {
            method: 'POST',
            body: withRadio(scenario, scenario.name, how === 'coarse' ? coarse(wanted) : wanted),
            signal,
          }),
        show: (sketch) => setState({ sketch, error: null }),
        fail: (error) => setState(({ sketch }) => ({ sketch, error })),
      }),
  );
  useEffect(() => loop.want(radio), [loop, radio]);
  useEffect(() => () => loop.stop(), [loop]);
  return state;
}
