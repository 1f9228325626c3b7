import { z } from 'zod';
import { GROUP_FIELDS, RUN_FIELD, RUN_FIELDS, SORT_FIELDS } from '#analysis/run-fields';
import { MOST_QUERY } from '#analysis/run-query';
import { RunFieldValues, RunTable } from '#protocol/run-table';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { defineRoute, type Route } from './route.ts';

const MOST_ROWS = 500;
/** More than a list for completion can use. */
const MOST_VALUES = 100;

const Sort = z
  .string()
  .regex(/^-?[a-z0-9_]+$/)
  .transform((text) => ({ down: text.startsWith('-'), field: text.replace(/^-/, '') }))
  .refine(
    ({ field }) => SORT_FIELDS.includes(field),
    `one of ${SORT_FIELDS.join(', ')}; a minus before it: the greatest first`,
  );

const Query = z.object({
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

export const runTableRoutes = ({ runTables }: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/runs',
    tag: 'runs',
    summary: 'Every run of every experiment: found, sorted, grouped',
    query: Query,
    answers: { 200: { description: 'A page of them, and the groups that were asked for', schema: RunTable } },
    errors: ['REQUEST_INVALID', 'QUERY_INVALID'],
    handle: ({ query }) => runTables.find(query),
  }),
  defineRoute({
    method: 'get',
    path: '/run-values',
    tag: 'runs',
    summary: 'What there is of a field of runs, for completion',
    query: z.object({ field: z.string().max(40) }),
    answers: { 200: { description: 'The commonest first', schema: RunFieldValues } },
    errors: ['REQUEST_INVALID'],
    handle: async ({ query }) => {
      const field = RUN_FIELD.get(query.field);
      if (field === undefined)
        throw new AppError('REQUEST_INVALID', `field: there are ${RUN_FIELDS.map(({ id }) => id).join(', ')}`);
      return { field: field.id, values: await runTables.values(field, MOST_VALUES) };
    },
  }),
];
