// The steps of an edit: kept in the address, with what they were before each change.
import { useState } from 'react';
import type { EditStep } from '#protocol/edit';
import { useSearchState } from '../../ui/search';
import { stepsText } from './steps';

const SEARCH = { steps: { codec: stepsText, initial: [] as EditStep[] } };

export function useSteps() {
  const { search, misread, setSearch } = useSearchState(SEARCH);
  const { steps } = search;
  const [past, setPast] = useState<readonly (readonly EditStep[])[]>([]);
  const [chosen, choose] = useState<number | null>(null);
  const change = (next: readonly EditStep[], active: number | null): void => {
    setPast((before) => [...before, steps]);
    setSearch({ steps: [...next] }, { replace: true });
    choose(active);
  };
  const undo = (): void => {
    setSearch({ steps: [...(past.at(-1) ?? [])] }, { replace: true });
    setPast((before) => before.slice(0, -1));
    choose(null);
  };
  return {
    steps,
    misread,
    /** The step that is looked at; -1: there is none. */
    active: Math.min(chosen ?? steps.length - 1, steps.length - 1),
    change,
    /** null: there is nothing to take back. */
    undo: past.length === 0 ? null : undo,
    choose,
  };
}
