import { ExperimentAnswers } from '#protocol/answers';
import type { CcaDescriptor } from '#protocol/cca';
import { FiguresPage, ScoreTerms, type CellFiguresRecord } from '#protocol/figures';
import { figuresRecord } from '#analysis/figures-record';
import type { CcaTerms } from '#analysis/terms';
import { MOST_CCAS_SCORED } from '../experiments/figures.ts';
import type { Lab } from '../lab.ts';
import { CellsQuery } from './cells-query.ts';
import { ExperimentParams } from './ids.ts';
import { defineRoute, type Route } from './route.ts';

const bytesOf = (values: Float64Array | null): string | null =>
  values === null ? null : Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');

/** `many`: so many algorithms that their replicates would be hundreds of megabytes. */
const replicatesOf = (of: CcaTerms['replicates'], many: boolean): ScoreTerms['ccas'][number]['replicates'] => ({
  throughput: many ? null : bytesOf(of.throughput),
  delay: many ? null : bytesOf(of.delay),
  intra: many ? null : bytesOf(of.intra),
  inter: many ? null : bytesOf(of.inter),
});

const termsOf = (of: CcaTerms, many: boolean): ScoreTerms['ccas'][number] => ({
  key: of.key,
  cca: of.cca?.id ?? '',
  label: of.label,
  terms: of.terms,
  replicates: replicatesOf(of.replicates, many),
  replicates_traces: replicatesOf(of.replicates_traces, many),
});

export const figureRoutes = (lab: Lab): Route[] => {
  const { experiments, figures, engine, slices } = lab;
  const known = async (id: string): Promise<readonly [string, readonly CcaDescriptor[]]> => [
    experiments.item(id).id,
    (await engine.listing()).ccas,
  ];
  return [
    defineRoute({
      method: 'get',
      path: '/experiments/:id/figures',
      tag: 'experiments',
      summary: 'What an experiment’s cells give, page by page: means over their runs with intervals, and scores',
      params: ExperimentParams,
      query: CellsQuery,
      answers: { 200: { description: 'In the order of the matrix, of the runs that have ended', schema: FiguresPage } },
      errors: ['EXPERIMENT_UNKNOWN', 'ENGINE_MISSING'],
      handle: async ({ params, query: { after, limit } }): Promise<FiguresPage> => {
        const places = { from: after, to: after + limit };
        const { results, more } = await figures.page(...(await known(params.id)), places);
        const steps = function* (): Generator<void, FiguresPage, undefined> {
          const cells: CellFiguresRecord[] = [];
          for (const result of results) {
            cells.push(figuresRecord(result));
            yield;
          }
          return { cells, next: more ? after + limit : null };
        };
        return slices.run(steps());
      },
    }),
    defineRoute({
      method: 'get',
      path: '/experiments/:id/terms',
      tag: 'experiments',
      summary: 'The terms of an experiment’s scores, with what their intervals are made from',
      description: `Of more than ${MOST_CCAS_SCORED} algorithms without the replicates.`,
      params: ExperimentParams,
      answers: { 200: { description: 'Of the runs that have ended', schema: ScoreTerms } },
      errors: ['EXPERIMENT_UNKNOWN', 'ENGINE_MISSING'],
      handle: async ({ params }): Promise<ScoreTerms> => {
        const { ccas, ...table } = await figures.terms(...(await known(params.id)));
        return { ...table, ccas: ccas.map((cca) => termsOf(cca, ccas.length > MOST_CCAS_SCORED)) };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/experiments/:id/answers',
      tag: 'experiments',
      summary:
        'What an experiment answers: who is first for which application on which network, and what would change it',
      params: ExperimentParams,
      answers: { 200: { description: 'Of the runs that have ended', schema: ExperimentAnswers } },
      errors: ['EXPERIMENT_UNKNOWN', 'ENGINE_MISSING'],
      handle: async ({ params }): Promise<ExperimentAnswers> => ({
        answers: await figures.answers(...(await known(params.id))),
      }),
    }),
  ];
};
