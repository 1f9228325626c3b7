// What the page of compared runs has in its address.
import { z } from 'zod';
import { HIDE_SEARCH } from '../run/shared-visibility';
import { REPLAY_SEARCH } from '../run/use-shared-replay';
import { VIEW_SEARCH } from '../use-shared-view';
import { listText, oneOf, text, type SearchState } from '../../ui/search';

/** No run is longer. */
const MOST_SHIFT_S = 1e6;
/** `0,1.5`. */
const numbersText = z.codec(z.string(), z.array(z.number().min(-MOST_SHIFT_S).max(MOST_SHIFT_S)), {
  decode: (value) => (value === '' ? [] : value.split(',').map(Number)),
  encode: (values) => values.map((value) => String(Number(value.toFixed(3)))).join(','),
});

export const COMPARE_SEARCH = {
  ...VIEW_SEARCH,
  ...HIDE_SEARCH,
  ...REPLAY_SEARCH,
  /** Ids of runs, the first one's link behind the others. */
  runs: { codec: listText, initial: [] as string[] },
  /** Ids of imported files of other programs, and where in the runs each begins, seconds. */
  files: { codec: listText, initial: [] as string[] },
  shift: { codec: numbersText, initial: [] as number[] },
  /** Over one another, or side by side. */
  view: { codec: oneOf(['overlay', 'grid']), initial: 'overlay' as 'overlay' | 'grid' },
  /** The run that the others are held against; empty: the first. */
  ref: { codec: text, initial: '' },
  /** Instead of runs: experiments of one spec under two engines, the earlier one first. */
  regress: { codec: listText, initial: [] as string[] },
  /** Hidden side by side, where a key is a flow of each run. */
  hidebeside: { codec: listText, initial: [] as string[] },
};
export type CompareState = SearchState<typeof COMPARE_SEARCH>;

/** More lines than this are a tangle. */
export const MOST_RUNS = 8;
