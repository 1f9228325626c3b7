// What is in the address of an algorithm's page.
import { listText, text, type SearchState } from '../../ui/search';
import { HIDE_SEARCH } from '../run/shared-visibility';
import { REPLAY_SEARCH } from '../run/use-shared-replay';
import { VIEW_SEARCH } from '../use-shared-view';

export const CCA_SEARCH = {
  ...VIEW_SEARCH,
  ...HIDE_SEARCH,
  ...REPLAY_SEARCH,
  /** Over which link it is shown; empty: the usual one. */
  link: { codec: text, initial: '' },
  /** Parameters that differ from the usual. */
  p: { codec: listText, initial: [] as string[] },
  /** Those of before, drawn over; nothing: only what is. */
  over: { codec: listText, initial: [] as string[] },
  /** Another algorithm beside it, and its parameters. */
  with: { codec: text, initial: '' },
  wp: { codec: listText, initial: [] as string[] },
};

export type CcaSearchState = SearchState<typeof CCA_SEARCH>;
