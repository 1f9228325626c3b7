// What the recipe of the moment makes: a coarse sketch at once while a slider moves, the exact one when it rests.
import { useEffect, useState } from 'react';
import { RecipeSketch, type Recipe } from '#protocol/recipe';
import { call } from '../../api/client';
import { coarse, type Radio, withRadio } from './knobs';

const BINS = 600;
/** A slider that has not moved for so long rests. */
const SETTLE_MS = 200;

export interface Sketched {
  readonly sketch: RecipeSketch | null;
  readonly error: Error | null;
}

const ask = (recipe: Recipe, signal: AbortSignal): Promise<RecipeSketch> =>
  call(`/recipes/sketch?bins=${BINS}`, RecipeSketch, { method: 'POST', body: recipe, signal });

export function useSketch(scenario: Recipe, radio: Radio): Sketched {
  const [state, setState] = useState<Sketched>({ sketch: null, error: null });
  useEffect(() => {
    const abort = new AbortController();
    const show = async (wanted: Radio): Promise<void> => {
      try {
        const sketch = await ask(withRadio(scenario, scenario.name, wanted), abort.signal);
        if (!abort.signal.aborted) setState({ sketch, error: null });
      } catch (error) {
        if (!abort.signal.aborted && error instanceof Error) setState(({ sketch }) => ({ sketch, error }));
      }
    };
    const quick = show(coarse(radio));
    const timer = setTimeout(() => void quick.then(() => show(radio)), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [scenario, radio]);
  return state;
}
