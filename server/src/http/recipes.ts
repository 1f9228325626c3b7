import { z } from 'zod';
import { TraceRecord } from '#protocol/api';
import { Recipe, RecipeList, RecipeSketch } from '#protocol/recipe';
import { takeIn } from '../allowance.ts';
import type { Lab } from '../lab.ts';
import { makeTrace, shippedRecipes, sketch } from '../traces/recipes.ts';
import { allowanceOf } from './allowance.ts';
import { madeBy, withPrivacy } from './owners.ts';
import { PrivateQuery } from './private-query.ts';
import { defineRoute, goneOf, reply, type Route } from './route.ts';

/** So long a trace is made within a second or two; longer ones are for the command line. */
const LONGEST_MS = 3_600_000;

const SketchQuery = z.object({ bins: z.coerce.number().int().min(1).max(10_000).default(600) });
const AnyModel = Recipe.refine(
  ({ schema: _, name: __, description: ___, about: ____, targets: _____, ...models }) =>
    Object.values(models).every((model) => !(Number(model?.['duration_ms'] ?? 0) > LONGEST_MS)),
  { path: ['duration_ms'], message: 'must be at most an hour; the command line makes longer ones' },
);

export const recipeRoutes = ({ traces, sketcher, tempDir, helpers, quota, holdings, store }: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/recipes',
    tag: 'traces',
    summary: 'The recipes of the shipped traces',
    answers: { 200: { description: 'By the names of their files', schema: RecipeList } },
    errors: [],
    handle: () => shippedRecipes(),
  }),
  defineRoute({
    method: 'post',
    path: '/recipes/sketch',
    needs: 'viewer',
    tag: 'traces',
    summary: 'What a recipe would make: statistics, capacity over time, the plan',
    query: SketchQuery,
    body: AnyModel,
    answers: { 200: { description: 'Nothing is kept', schema: RecipeSketch } },
    errors: ['RECIPE_REFUSED', 'ENGINE_MISSING'],
    handle: ({ query, body }, _req, res) => sketch(sketcher, body, query.bins, { helpers, gone: goneOf(res) }),
  }),
  defineRoute({
    method: 'post',
    path: '/recipes/trace',
    tag: 'traces',
    summary: 'Make a trace and keep it with its recipe',
    query: z.object({ private: PrivateQuery }),
    body: AnyModel,
    answers: {
      201: { description: 'The trace is new', schema: TraceRecord },
      200: { description: 'The same trace was there already', schema: TraceRecord },
    },
    errors: ['RECIPE_REFUSED', 'DISK_FULL', 'ENGINE_MISSING', 'NOBODY_TOLD_APART'],
    handle: async ({ body, query }, _req, res) => {
      const whose = madeBy(res, query.private);
      const { record, added } = await takeIn(allowanceOf({ quota, holdings }, res), 0, () =>
        makeTrace(traces, body, tempDir, { helpers, gone: goneOf(res), ...whose }),
      );
      return reply(added ? 201 : 200, withPrivacy(store, res, 'trace', record));
    },
  }),
];
