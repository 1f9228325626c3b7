// What the page of an experiment reads of single cells and of all: apart from the figures of very many runs, which few experiments have.
import { queryOptions } from '@tanstack/react-query';
import { RunPage, type RunRef } from '#protocol/api';
import { ExperimentAnswers } from '#protocol/answers';
import { call } from './client';

/** Of a selected cell. */
const RUNS_SHOWN = 20;

const pathOf = (id: string): string => `/experiments/${encodeURIComponent(id)}`;

export const cellRunsQuery = (id: string, cell: string) =>
  queryOptions({
    queryKey: ['experiments', id, 'runs of', cell],
    queryFn: async ({ signal }): Promise<readonly RunRef[]> =>
      (await call(`${pathOf(id)}/runs?limit=${RUNS_SHOWN}&cell=${encodeURIComponent(cell)}`, RunPage, { signal })).runs,
  });

/** Of an experiment that is over; runs that are made again make it anew. */
export const answersQuery = (id: string, runsDone: number) =>
  queryOptions({
    queryKey: ['experiments', id, 'answers', runsDone],
    queryFn: async ({ signal }) => (await call(`${pathOf(id)}/answers`, ExperimentAnswers, { signal })).answers,
    staleTime: Infinity,
  });
