// What a run's address says of measurements that are laid over it.
import { numberText, optionalNumber, text } from '../../ui/search';

export const LIVE_SEARCH = {
  /** Which measurement is shown; empty: the newest. */
  live: { codec: text, initial: '' },
  /** Where in the run it begins, seconds. */
  offset: { codec: numberText, initial: 0 },
  /** With which flow it is compared; nothing: the one of its algorithm. */
  flow: { codec: optionalNumber, initial: null as number | null },
};
export type LiveSearch = typeof LIVE_SEARCH;
