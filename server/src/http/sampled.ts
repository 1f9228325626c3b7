import { z } from 'zod';
import { SAMPLE_FAMILIES, SampledPage, SampleFamily } from '#protocol/sampled';
import type { Lab } from '../lab.ts';
import { CellsQuery } from './cells-query.ts';
import { ExperimentParams } from './ids.ts';
import { defineRoute, untilGone, type Route } from './route.ts';

const listed = new RegExp(`^(${SAMPLE_FAMILIES.join('|')})(,(${SAMPLE_FAMILIES.join('|')}))*$`);

const SampledQuery = CellsQuery.extend({
  of: z
    .string()
    .max(100)
    .regex(listed, `of ${SAMPLE_FAMILIES.join(', ')}, with commas between them`)
    .default(SAMPLE_FAMILIES.join(','))
    .describe(
      'what is read: course (times to recover, to converge, to settle; Jain’s index), spread (throughput and delay over time), plane ' +
        '(bytes in flight and throughput against RTT), rto (RTO less RTT); with commas between them',
    ),
});

export const sampledRoutes = ({ experiments, engine, sampled, store }: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/experiments/:id/sampled',
    tag: 'experiments',
    summary: 'What the samples of an experiment’s runs come to, page by page: values, boxes and ellipses of each cell',
    description:
      'Runs are read when they are first asked for, which takes tens of milliseconds each, and what they come to is kept. What samples do not ' +
      'tell (they were not kept, or are too far apart) is not there.',
    params: ExperimentParams,
    query: SampledQuery,
    answers: { 200: { description: 'In the order of the matrix, of the runs that have ended', schema: SampledPage } },
    errors: ['EXPERIMENT_UNKNOWN', 'ENGINE_MISSING', 'REQUEST_INVALID'],
    handle: async ({ params, query: { of, after, limit } }, _req, res): Promise<SampledPage> => {
      const { id } = experiments.item(params.id);
      const { ccas } = await engine.listing();
      const families = [...new Set(of.split(','))].map((family) => SampleFamily.parse(family));
      const end = Math.min(after + limit, store.experiments.cellCount(id));
      const places = { from: Math.min(after, end), to: end };
      const cells = await sampled.cells(id, ccas, families, places, untilGone(res));
      return { cells, next: end < store.experiments.cellCount(id) ? end : null };
    },
  }),
];
