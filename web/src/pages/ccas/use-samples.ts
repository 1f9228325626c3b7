// The short runs of some algorithms: made where they are not there yet, and told when all of them are over.
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { ParamValues } from '#protocol/spec';
import { sampleQuery } from '../../api/ccas';
import { runQuery } from '../../api/queries';
import { isOver } from '../../live/live-client';

/** One line of the figure: an algorithm with its parameters. */
export interface Subject {
  readonly cca: CcaDescriptor;
  readonly params: ParamValues;
  readonly label: string;
}

export interface SampleRun extends Subject {
  readonly record: RunRecord;
}

export interface Samples {
  /** The last ones that were complete, until the next ones are; null: none were. */
  readonly shown: readonly [SampleRun, ...SampleRun[]] | null;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** A sample takes some tenths of a second. */
const LOOK_MS = 250;

const isFirst = (runs: readonly SampleRun[]): runs is readonly [SampleRun, ...SampleRun[]] => runs.length > 0;

export function useSamples(subjects: readonly Subject[], link: string): Samples {
  const asked = useQueries({
    queries: subjects.map(({ cca, params }) => sampleQuery(cca.id, { params, ...(link === '' ? {} : { link }) })),
  });
  const records = useQueries({
    queries: asked.map(({ data }) => ({
      ...runQuery(data?.run ?? ''),
      enabled: data !== undefined,
      refetchInterval: ({ state }: { state: { data: RunRecord | undefined } }) =>
        state.data === undefined || isOver(state.data.state) ? (false as const) : LOOK_MS,
    })),
  });
  const runs = subjects.flatMap((subject, i): SampleRun[] => {
    const record = records[i]?.data;
    return record !== undefined && isOver(record.state) ? [{ ...subject, record }] : [];
  });
  const error = firstError(asked) ?? firstError(records);
  const isReady = error === null && runs.length === subjects.length;
  const key = runs.map(({ record, label }) => `${record.id} ${record.state} ${label}`).join();
  const [last, setLast] = useState<{ key: string; runs: readonly SampleRun[] }>({ key: '', runs: [] });
  if (isReady && key !== last.key) setLast({ key, runs });
  const shown = isReady && key !== last.key ? runs : last.runs;
  return {
    shown: isFirst(shown) ? shown : null,
    isPending: error === null && !isReady,
    error,
    retry: () => {
      for (const query of [...asked, ...records]) if (query.isError) void query.refetch();
    },
  };
}

const firstError = (queries: readonly UseQueryResult[]): Error | null =>
  queries.find(({ error }) => error !== null)?.error ?? null;
