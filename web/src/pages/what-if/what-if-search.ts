// What the address of a what-if says.
import { z } from 'zod';
import { RunRole } from '#protocol/api';
import { specCodec } from '../../what-if/address';
import { numberText } from '../../ui/search';
import { HIDE_SEARCH } from '../run/shared-visibility';
import { VIEW_SEARCH } from '../use-shared-view';

export const WHAT_IF_SEARCH = {
  ...VIEW_SEARCH,
  ...HIDE_SEARCH,
  /** The spec of one cell, as JSON; nothing: one to begin with. */
  spec: { codec: specCodec, initial: null },
  /** Which of the cell's runs. */
  role: { codec: RunRole as z.ZodType<RunRole, string>, initial: 'solo' as RunRole },
  rep: { codec: numberText.pipe(z.int().min(0)), initial: 0 },
};
