// Every resource the page reads, as react-query options: one place for keys, schemas and how long an answer stays fresh.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  Doctor,
  ExperimentList,
  ExperimentRecord,
  Home,
  Plan,
  RunPage,
  RunRecord,
  SamplesGone,
  TraceList,
  TraceRecord,
} from '#protocol/api';
import { EngineListing } from '#protocol/cca';
import { ExperimentKinds } from '#protocol/experiment-kind';
import { FidelityReport } from '#protocol/fidelity';
import { RunFieldValues, RunTable } from '#protocol/run-table';
import { ProgramLogs } from '#protocol/program-logs';
import { StudyList, StudyRecord } from '#protocol/study';
import { RecipeList } from '#protocol/recipe';
import type { RunState } from '#protocol/api';
import type { AskedSpecInput } from '#protocol/spec';
import { TraceDynamics, TraceMarks, TracePreview } from '#protocol/trace';
import { WorkersRecord } from '#protocol/workers';
import { call, callFor } from './client';

const idle = (state: string): boolean => state !== 'queued' && state !== 'running';

export const enginesQuery = queryOptions({
  queryKey: ['ccas'],
  queryFn: ({ signal }) => call('/ccas', EngineListing, { signal }),
  staleTime: Infinity,
});

export const kindsQuery = queryOptions({
  queryKey: ['kinds'],
  queryFn: async ({ signal }) => (await call('/kinds', ExperimentKinds, { signal })).kinds,
  staleTime: Infinity,
});

export const fidelityQuery = queryOptions({
  queryKey: ['fidelity'],
  queryFn: ({ signal }) => call('/fidelity', FidelityReport, { signal }),
  staleTime: Infinity,
});

export const doctorQuery = queryOptions({
  queryKey: ['doctor'],
  queryFn: ({ signal }) => call('/doctor', Doctor, { signal }),
});

export const workersQuery = queryOptions({
  queryKey: ['workers'],
  queryFn: ({ signal }) => call('/workers', WorkersRecord, { signal }),
  refetchInterval: 2000,
});

/** Of the runs of an experiment. */
export const samplesGoneQuery = (id: string) =>
  queryOptions({
    queryKey: ['experiments', id, 'samples'],
    queryFn: ({ signal }) => call(`/experiments/${encodeURIComponent(id)}/samples`, SamplesGone, { signal }),
  });

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: ({ signal }) => call('/home', Home, { signal }),
  // The server makes the sample at its first start: until then ask again soon.
  refetchInterval: (query) => (query.state.data?.run === null ? 1000 : false),
});

/** Also those that are archived: the list leaves them out. */
export const tracesQuery = queryOptions({
  queryKey: ['traces'],
  queryFn: async ({ signal }) => (await call('/traces?archived=true', TraceList, { signal })).traces,
});

export const traceQuery = (id: string) =>
  queryOptions({
    queryKey: ['traces', id],
    queryFn: ({ signal }) => callFor('trace', id, TraceRecord, { signal }),
    staleTime: Infinity,
  });

export const dynamicsQuery = (id: string) =>
  queryOptions({
    queryKey: ['traces', id, 'dynamics'],
    queryFn: ({ signal }) => call(`/traces/${encodeURIComponent(id)}/dynamics`, TraceDynamics, { signal }),
    staleTime: Infinity,
  });

export const marksQuery = (id: string) =>
  queryOptions({
    queryKey: ['traces', id, 'marks'],
    queryFn: ({ signal }) => call(`/traces/${encodeURIComponent(id)}/marks`, TraceMarks, { signal }),
    staleTime: Infinity,
  });

export const recipesQuery = queryOptions({
  queryKey: ['recipes'],
  queryFn: async ({ signal }) => (await call('/recipes', RecipeList, { signal })).recipes,
  staleTime: Infinity,
});

export interface PreviewWindow {
  readonly bins: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export const previewQuery = (id: string, { bins, fromMs, toMs }: PreviewWindow) =>
  queryOptions({
    queryKey: ['traces', id, 'preview', bins, fromMs, toMs],
    queryFn: ({ signal }) =>
      call(`/traces/${encodeURIComponent(id)}/preview?bins=${bins}&from_ms=${fromMs}&to_ms=${toMs}`, TracePreview, {
        signal,
      }),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });

export const studiesQuery = queryOptions({
  queryKey: ['studies'],
  queryFn: async ({ signal }) => (await call('/studies', StudyList, { signal })).studies,
  refetchInterval: (query) => (query.state.data?.some(({ running }) => running) === true ? 2000 : false),
});

export const studyQuery = (id: string) =>
  queryOptions({
    queryKey: ['studies', id],
    queryFn: ({ signal }) => callFor('study', id, StudyRecord, { signal }),
    refetchInterval: (query) => (query.state.data?.running === true ? 2000 : false),
  });

/** Also those that are archived: the list leaves them out. */
export const experimentsQuery = queryOptions({
  queryKey: ['experiments'],
  queryFn: async ({ signal }) => (await call('/experiments?archived=true', ExperimentList, { signal })).experiments,
  refetchInterval: (query) => (query.state.data?.some((e) => !idle(e.state)) === true ? 1000 : 10_000),
});

/** An experiment of more runs is shown by the figures of its cells; its runs are read as they are looked at. */
const MOST_RUNS_READ = 5000;
const RUNS_A_PAGE = 1000;

/** With all its runs, unless there are too many. */
async function readExperiment(id: string, signal: AbortSignal): Promise<ExperimentRecord> {
  const path = `/experiments/${encodeURIComponent(id)}`;
  const { runs_next, ...record } = await callFor('experiment', id, ExperimentRecord, { signal });
  if (runs_next === undefined) return record;
  if (record.runs_total > MOST_RUNS_READ) return { ...record, runs_next };
  const runs = [...record.runs];
  for (let next: number | null = runs_next; next !== null;) {
    const page: RunPage = await call(`${path}/runs?limit=${RUNS_A_PAGE}&after=${next}`, RunPage, { signal });
    runs.push(...page.runs);
    next = page.next;
  }
  return { ...record, runs };
}

export const experimentQuery = (id: string) =>
  queryOptions({
    queryKey: ['experiments', id],
    queryFn: ({ signal }) => readExperiment(id, signal),
    // The socket brings every change; this only mends what a lost connection missed.
    refetchInterval: (query) => (query.state.data !== undefined && idle(query.state.data.state) ? false : 10_000),
  });

/** Some of the runs of a large experiment. */
export const runsQuery = (id: string, { after, state }: { readonly after: number; readonly state: RunState | null }) =>
  queryOptions({
    queryKey: ['experiments', id, 'runs', after, state],
    queryFn: ({ signal }) =>
      call(
        `/experiments/${encodeURIComponent(id)}/runs?after=${after}${state === null ? '' : `&state=${state}`}`,
        RunPage,
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', id],
    queryFn: ({ signal }) => callFor('run', id, RunRecord, { signal }),
  });

/** What external programs have written in a run that is over. */
export const runLogsQuery = (id: string, state: RunState) =>
  queryOptions({
    queryKey: ['runs', id, 'logs', state],
    queryFn: async ({ signal }) => (await call(`/runs/${encodeURIComponent(id)}/logs`, ProgramLogs, { signal })).logs,
    staleTime: Infinity,
  });

export const withMeasured = (experiment: string | undefined, isPrivate = false): string => {
  const query = new URLSearchParams({
    ...(experiment !== undefined && { measured_with: experiment }),
    ...(isPrivate && { private: 'true' }),
  }).toString();
  return query === '' ? '' : `?${query}`;
};

export const planQuery = (spec: AskedSpecInput | null, measuredWith?: string) =>
  queryOptions({
    queryKey: ['plan', spec, measuredWith],
    queryFn: ({ signal }) => call(`/plan${withMeasured(measuredWith)}`, Plan, { method: 'POST', body: spec, signal }),
    enabled: spec !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });

interface RunsAsked {
  readonly q: string;
  readonly sort: string;
  readonly group: readonly string[];
  readonly figures: readonly string[];
}
const ROWS_AT_ONCE = 100;
/** Runs go on while one looks at them. */
const RUNS_FRESH_MS = 2000;

export const runTableQuery = ({ q, sort, group, figures }: RunsAsked) =>
  infiniteQueryOptions({
    queryKey: ['run-table', q, sort, group, figures],
    queryFn: ({ signal, pageParam }) => {
      const asked = new URLSearchParams({
        q,
        sort,
        after: String(pageParam),
        limit: String(group.length > 0 ? 0 : ROWS_AT_ONCE),
      });
      if (group.length > 0) asked.set('group', group.join());
      if (group.length > 0 && figures.length > 0) asked.set('figures', figures.join());
      return call(`/runs?${asked.toString()}`, RunTable, { signal });
    },
    initialPageParam: 0,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    staleTime: RUNS_FRESH_MS,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      if ((pages[0]?.pending ?? 0) > 0) return 1000;
      return pages.some(({ rows }) => rows.some((row) => !idle(row.state))) ? 3000 : false;
    },
  });

export const runValuesQuery = (field: string) =>
  queryOptions({
    queryKey: ['run-values', field],
    queryFn: async ({ signal }) =>
      (await call(`/run-values?field=${encodeURIComponent(field)}`, RunFieldValues, { signal })).values,
    staleTime: 30_000,
  });
