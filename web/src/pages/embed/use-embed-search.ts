// View state in the address of a figure that stands alone. The page around it has one history with it: nothing is added to that.
import { useCallback } from 'react';
import { useSearchState, type SearchShape, type SearchState } from '../../ui/search';

export type EmbedSearch<S extends SearchShape = SearchShape> = SearchState<S>;

export function useEmbedSearch<S extends SearchShape>(shape: S): SearchState<S> {
  const state = useSearchState(shape);
  const { setSearch: search, setRaw: raw } = state;
  const setSearch = useCallback<typeof search>((change) => search(change, { replace: true }), [search]);
  const setRaw = useCallback<typeof raw>((change) => raw(change, { replace: true }), [raw]);
  return { ...state, setSearch, setRaw };
}
