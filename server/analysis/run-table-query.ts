// What can be asked of the table of runs, as the query of an address.
import { z } from 'zod';
import { GROUP_FIELDS, SORT_FIELDS } from '#analysis/run-fields';
import { MOST_QUERY } from '#analysis/run-query';

const MOST_ROWS = 500;
const Sort = z
  .string()
  .regex(/^-?[a-z0-9_]+$/)
  .transform((text) => ({ down: text.startsWith('-'), field: text.replace(/^-/, '') }))
  .refine(
    ({ field }) => SORT_FIELDS.includes(field),
    `one of ${SORT_FIELDS.join(', ')}; a minus before it: the greatest first`,
  );

/** As addresses have it. */
export const RunTableQuery = z.object({
  q: z.string().max(MOST_QUERY).default('').describe('docs/runs.md has the language'),
  sort: Sort.default({ field: 'made', down: true }).describe('a field; `-util`: the greatest first'),
  group: z
    .string()
    .max(200)
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',')))
    .refine(
      (fields) => fields.length <= 4 && fields.every((field) => GROUP_FIELDS.includes(field)),
      `up to four of ${GROUP_FIELDS.join(', ')}`,
    )
    .describe('fields, with commas between them'),
  figures: z
    .string()
    .max(400)
    .optional()
    .transform((text) => text?.split(','))
    .describe('fields that groups have means of; without it the usual ones'),
  after: z.coerce.number().int().min(0).max(10_000_000).default(0),
  limit: z.coerce.number().int().min(0).max(MOST_ROWS).default(100),
});
