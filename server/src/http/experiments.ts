import type { Response } from 'express';
import { z } from 'zod';
import {
  CellPage,
  ExperimentList,
  type ExperimentListItem,
  ExperimentRecord,
  Home,
  Plan,
  RunPage,
  RunState,
  SamplesGone,
  SamplesMade,
} from '#protocol/api';
import { AskedSpec } from '#protocol/spec';
import { MOST_INLINE, type Context } from '../experiments/experiment-service.ts';
import { home } from '../experiments/home.ts';
import type { Lab } from '../lab.ts';
import { sizeText } from '../quota.ts';
import type { Allowance } from '../allowance.ts';
import { allowanceOf } from './allowance.ts';
import { CellsQuery } from './cells-query.ts';
import { ExperimentParams } from './ids.ts';
import { ArchivedQuery } from './labels.ts';
import { PrivateQuery } from './private-query.ts';
import { eyesOf, mustBeSeen } from './eyes.ts';
import { makerOf, privateTo, withMaker, withMakers } from './owners.ts';
import { defineRoute, reply, untilGone, type Route } from './route.ts';

const RunsQuery = CellsQuery.extend({
  cell: z.string().max(200).optional(),
  state: RunState.optional(),
  after: CellsQuery.shape.after.unwrap().optional(),
  sort: z.enum(['position', '-position']).default('position').describe('in the order of the matrix, or backwards'),
});

const PlanQuery = z.object({
  measured_with: ExperimentParams.shape.id
    .optional()
    .describe(
      'an experiment that this one goes on with: what that has measured in real time is not measured anew where both have the same run',
    ),
});

const SubmitQuery = PlanQuery.extend({ private: PrivateQuery });

/** What would be refused is said beforehand. */
const withinRoom = (plan: Plan, left: number): Plan =>
  plan.estimate_bytes <= left
    ? plan
    : {
        ...plan,
        warnings: [
          ...plan.warnings,
          `there is room for ${sizeText(Math.max(0, left))} more: this may take up to ${sizeText(plan.estimate_bytes)}, and will be refused`,
        ],
      };

export const experimentRoutes = (lab: Lab): Route[] => {
  const { experiments, store, samplesAgain } = lab;
  const told = (res: Response, record: ExperimentRecord): ExperimentRecord =>
    withMaker(store, res, 'experiment', record);
  const asked = (
    res: Response,
    { measured_with, private: only = false }: Partial<z.infer<typeof SubmitQuery>>,
  ): Context & { readonly allowance: Allowance } => {
    const eyes = eyesOf(res);
    if (measured_with !== undefined) mustBeSeen(store.private, eyes, 'experiment', measured_with);
    return { measured_with, eyes, allowance: allowanceOf(lab, res), ...(only && { privateTo: privateTo(res) }) };
  };
  const seen = (res: Response, all: ExperimentListItem[]): ExperimentListItem[] => {
    const unseen = store.private.unseen('experiment', eyesOf(res));
    return unseen.size === 0 ? all : all.filter(({ id }) => !unseen.has(id));
  };
  return [
    defineRoute({
      method: 'post',
      path: '/plan',
      needs: 'viewer',
      tag: 'experiments',
      summary: 'What an experiment would make: runs, time, space, and each queue limit in all units',
      query: PlanQuery,
      body: AskedSpec,
      bodyRefusal: 'SPEC_INVALID',
      answers: { 200: { description: 'Nothing was started', schema: Plan } },
      errors: [
        'SPEC_INVALID',
        'RECIPE_REFUSED',
        'EXPERIMENT_UNKNOWN',
        'JSON_INVALID',
        'BODY_TOO_LARGE',
        'ENGINE_MISSING',
      ],
      handle: async ({ body, query }, _req, res) => {
        const context = asked(res, query);
        return withinRoom(await experiments.plan(body, context, untilGone(res)), await context.allowance.left());
      },
    }),
    defineRoute({
      method: 'post',
      path: '/experiments',
      tag: 'experiments',
      summary: 'Start an experiment',
      description:
        'The same spec again is the same experiment, whose it was: what is done is not done again, what failed or was stopped is. In real time each submission is a new measurement. One that is private is another than the one that all may see, and one with a private trace is private.',
      query: SubmitQuery,
      body: AskedSpec,
      bodyRefusal: 'SPEC_INVALID',
      answers: {
        201: { description: 'The experiment is new', schema: ExperimentRecord },
        200: { description: 'The experiment was there already', schema: ExperimentRecord },
      },
      errors: [
        'SPEC_INVALID',
        'RECIPE_REFUSED',
        'EXPERIMENT_UNKNOWN',
        'JSON_INVALID',
        'BODY_TOO_LARGE',
        'ENGINE_MISSING',
        'DISK_FULL',
        'NOBODY_TOLD_APART',
      ],
      handle: async ({ body, query }, _req, res) => {
        const { id, created } = await experiments.submit(body, { ...asked(res, query), maker: makerOf(res) });
        return reply(created ? 201 : 200, told(res, await experiments.get(id)));
      },
    }),
    defineRoute({
      method: 'get',
      path: '/experiments',
      tag: 'experiments',
      summary: 'All experiments, the newest first',
      query: ArchivedQuery,
      answers: { 200: { description: 'Without their runs', schema: ExperimentList } },
      errors: [],
      handle: ({ query }, _req, res): ExperimentList => ({
        experiments: withMakers(store, res, 'experiment', seen(res, experiments.list(query)), ({ id }) => id),
      }),
    }),
    defineRoute({
      method: 'get',
      path: '/experiments/:id',
      tag: 'experiments',
      summary: 'One experiment with its cells, its runs and their figures',
      description: `Of more than ${MOST_INLINE} runs or cells only the first are given, and \`runs_next\` or \`cells_next\` says where the next ones begin.`,
      params: ExperimentParams,
      answers: { 200: { description: 'As it stands', schema: ExperimentRecord } },
      errors: ['EXPERIMENT_UNKNOWN'],
      unknown: 'EXPERIMENT_UNKNOWN',
      handle: async ({ params }, _req, res) => told(res, await experiments.get(params.id)),
    }),
    defineRoute({
      method: 'get',
      path: '/experiments/:id/cells',
      tag: 'experiments',
      summary: 'An experiment’s cells, page by page',
      params: ExperimentParams,
      query: CellsQuery,
      answers: { 200: { description: 'In the order of the matrix', schema: CellPage } },
      errors: ['EXPERIMENT_UNKNOWN'],
      handle: ({ params, query }) => experiments.cells(params.id, query),
    }),
    defineRoute({
      method: 'get',
      path: '/experiments/:id/runs',
      tag: 'experiments',
      summary: 'An experiment’s runs, page by page',
      params: ExperimentParams,
      query: RunsQuery,
      answers: { 200: { description: 'As they stand', schema: RunPage } },
      errors: ['EXPERIMENT_UNKNOWN', 'REQUEST_INVALID'],
      handle: ({ params, query }) => experiments.runs(params.id, query),
    }),
    defineRoute({
      method: 'post',
      path: '/experiments/:id/stop',
      owned: { kind: 'experiment' },
      tag: 'experiments',
      summary: 'Stop all runs of an experiment at once',
      params: ExperimentParams,
      answers: { 200: { description: 'Every process is gone', schema: ExperimentRecord } },
      errors: ['EXPERIMENT_UNKNOWN'],
      handle: async ({ params }, _req, res) => {
        await experiments.stop(params.id);
        return told(res, await experiments.get(params.id));
      },
    }),
    defineRoute({
      method: 'get',
      path: '/experiments/:id/samples',
      tag: 'experiments',
      summary: 'Of how many runs of an experiment the samples were let go, and whether they can be made again',
      params: ExperimentParams,
      answers: { 200: { description: 'Runs', schema: SamplesGone } },
      errors: ['EXPERIMENT_UNKNOWN'],
      handle: ({ params: { id } }) => {
        experiments.item(id);
        return store.samplesGone.ofExperiment(id);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/experiments/:id/samples',
      needs: 'viewer',
      tag: 'experiments',
      summary: 'Make the samples again of the runs of an experiment, for about a second',
      description: 'As for one run; from the place `from` of the matrix on, until `next` is null.',
      params: ExperimentParams,
      query: z.object({ from: z.coerce.number().int().min(0).default(0) }),
      answers: { 200: { description: 'What was made, and where to go on', schema: SamplesMade } },
      errors: ['EXPERIMENT_UNKNOWN', 'ENGINE_MISSING', 'QUOTA_EXCEEDED', 'TOO_BUSY', 'DISK_FULL', 'REQUEST_INVALID'],
      handle: ({ params: { id }, query: { from } }, _req, res) => {
        experiments.item(id);
        return samplesAgain.some(id, from, untilGone(res));
      },
    }),
    defineRoute({
      method: 'post',
      path: '/experiments/:id/retry',
      owned: { kind: 'experiment' },
      tag: 'experiments',
      summary: 'Run again what failed, was stopped or is invalid',
      params: ExperimentParams,
      answers: { 200: { description: 'They are in the queue', schema: ExperimentRecord } },
      errors: ['EXPERIMENT_UNKNOWN', 'DISK_FULL'],
      handle: async ({ params }, _req, res) => {
        await experiments.retry(params.id, allowanceOf(lab, res));
        return told(res, await experiments.get(params.id));
      },
    }),
    defineRoute({
      method: 'get',
      path: '/home',
      tag: 'experiments',
      summary: 'The sample experiment of the home page',
      answers: { 200: { description: 'Its runs, side by side', schema: Home } },
      errors: [],
      handle: (): Home => home(lab),
    }),
  ];
};
