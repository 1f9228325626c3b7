// What the address of a text that is written says, beside the run that is looked at.
import { listText, oneOf, text } from '../../ui/search';

/** What stands beside the text. */
const SIDES = ['run', 'reference'] as const;

export const WRITE_SEARCH = {
  /** The name of a text of this browser; empty: the last one. */
  mine: { codec: text, initial: '' },
  side: { codec: oneOf(SIDES), initial: 'run' as (typeof SIDES)[number] },
};

/** As the address says it. */
const USUAL = 'cubic,bbr';

/** Over the same link, in the same figures. */
export const BESIDE_SEARCH = {
  beside: { codec: listText, initial: USUAL.split(',') },
};
