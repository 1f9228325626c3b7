// What the address of a what-if says.
import { z } from 'zod';
import { RunRole } from '#protocol/api';
import { specCodec } from '../../what-if/address';
import { numberText, text } from '../../ui/search';
import { HIDE_SEARCH } from '../run/shared-visibility';
import { VIEW_SEARCH } from '../use-shared-view';

export const WHAT_IF_SEARCH = {
  ...VIEW_SEARCH,
  ...HIDE_SEARCH,
  /** The spec of one cell, as JSON; nothing: one to begin with. */
  spec: { codec: specCodec, initial: null },
  /** The slider whose whole range is run, by its id; empty: none. */
  sweep: { codec: text, initial: '' },
  /** Which of the cell's runs. */
  role: { codec: RunRole as z.ZodType<RunRole, string>, initial: 'solo' as RunRole },
  rep: { codec: numberText.pipe(z.int().min(0)), initial: 0 },
};
