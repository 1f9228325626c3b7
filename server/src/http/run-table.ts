import { z } from 'zod';
import { RUN_FIELD, RUN_FIELDS } from '#analysis/run-fields';
import { RunTableQuery } from '#analysis/run-table-query';
import { RunFieldValues, RunTable } from '#protocol/run-table';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { eyesOf } from './eyes.ts';
import { defineRoute, type Route } from './route.ts';

/** More than a list for completion can use. */
const MOST_VALUES = 100;

export const runTableRoutes = ({ runTables }: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/runs',
    tag: 'runs',
    summary: 'Every run of every experiment: found, sorted, grouped',
    query: RunTableQuery,
    answers: { 200: { description: 'A page of them, and the groups that were asked for', schema: RunTable } },
    errors: ['REQUEST_INVALID', 'QUERY_INVALID'],
    handle: ({ query }, _req, res) => runTables.find(query, eyesOf(res)),
  }),
  defineRoute({
    method: 'get',
    path: '/run-values',
    tag: 'runs',
    summary: 'What there is of a field of runs, for completion',
    query: z.object({ field: z.string().max(40) }),
    answers: { 200: { description: 'The commonest first', schema: RunFieldValues } },
    errors: ['REQUEST_INVALID'],
    handle: async ({ query }, _req, res) => {
      const field = RUN_FIELD.get(query.field);
      if (field === undefined)
        throw new AppError('REQUEST_INVALID', `field: there are ${RUN_FIELDS.map(({ id }) => id).join(', ')}`);
      return { field: field.id, values: await runTables.values(field, MOST_VALUES, eyesOf(res)) };
    },
  }),
];
