// What the page asks the server to do.
import type { QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { ExperimentRecord, RunRecord, SamplesMade, type TraceChange, TraceRecord } from '#protocol/api';
import { ImportedBundle } from '#protocol/bundle';
import type { LinkChange } from '#protocol/control';
import type { NewEdit } from '#protocol/edit';
import type { Recipe } from '#protocol/recipe';
import { Replay } from '#protocol/source';
import type { AskedSpecInput } from '#protocol/spec';
import { StudyRecord } from '#protocol/study';
import { TracePreview, type WrittenForm } from '#protocol/trace';
import { API } from './ask';
import { call } from './client';
import { enginesQuery, withMeasured } from './queries';

const Anything = z.unknown();

export interface StartOptions {
  /** An experiment whose runs in real time count as this one's. */
  readonly measuredWith?: string;
  /** Nobody else is to see it. */
  readonly isPrivate?: boolean;
}

export async function startExperiment(
  queries: QueryClient,
  spec: AskedSpecInput,
  { measuredWith, isPrivate = false }: StartOptions = {},
): Promise<ExperimentRecord> {
  const path = `/experiments${withMeasured(measuredWith, isPrivate)}`;
  const record = await call(path, ExperimentRecord, { method: 'POST', body: spec });
  if (record.runs_next === undefined) queries.setQueryData(['experiments', record.id], record);
  void queries.invalidateQueries({ queryKey: ['experiments'], exact: true });
  return record;
}

/** What an application wrote, as the source of a flow. Nothing is kept of the file. */
export const readRecording = (file: File): Promise<Replay> =>
  call(`/recordings?name=${encodeURIComponent(file.name)}`, Replay, {
    method: 'POST',
    file,
    fileType: 'application/octet-stream',
  });

/** Brings in what a bundle carries; its experiment is for whoever asked. */
export async function openBundle(queries: QueryClient, file: File): Promise<ImportedBundle> {
  const bundle = await call('/bundles', ImportedBundle, { method: 'POST', file, fileType: 'application/zip' });
  await queries.invalidateQueries({ queryKey: ['traces'], exact: true });
  if (bundle.algorithms.length > 0)
    for (const { queryKey } of [enginesQuery, { queryKey: ['algorithms'] }])
      await queries.invalidateQueries({ queryKey, exact: true });
  return bundle;
}

export async function stopExperiment(queries: QueryClient, id: string): Promise<void> {
  await call(`/experiments/${encodeURIComponent(id)}/stop`, Anything, { method: 'POST' });
  await queries.invalidateQueries({ queryKey: ['experiments'] });
}

/** `onAccepted` runs before the page asks for the new state: what it holds of the old attempt is void. */
export async function retryExperiment(queries: QueryClient, id: string, onAccepted: () => void): Promise<void> {
  await call(`/experiments/${encodeURIComponent(id)}/retry`, Anything, { method: 'POST' });
  onAccepted();
  await queries.invalidateQueries({ queryKey: ['experiments'] });
}

/** Queues what is missing of a study. */
export async function runStudy(queries: QueryClient, id: string): Promise<void> {
  queries.setQueryData(['studies', id], await call(`/studies/${id}/run`, StudyRecord, { method: 'POST' }));
  await queries.invalidateQueries({ queryKey: ['studies'] });
}

export async function stopStudy(queries: QueryClient, id: string): Promise<void> {
  queries.setQueryData(['studies', id], await call(`/studies/${id}/stop`, StudyRecord, { method: 'POST' }));
  await queries.invalidateQueries({ queryKey: ['studies'] });
}

export async function stopRun(queries: QueryClient, id: string): Promise<void> {
  await call(`/runs/${encodeURIComponent(id)}/stop`, Anything, { method: 'POST' });
  await queries.invalidateQueries({ queryKey: ['runs', id] });
}

export async function retryRun(queries: QueryClient, id: string, onAccepted: () => void): Promise<void> {
  await call(`/runs/${encodeURIComponent(id)}/retry`, Anything, { method: 'POST' });
  onAccepted();
  await queries.invalidateQueries({ queryKey: ['runs', id] });
}

/** Of a run that has none any more. `onMade` runs before the page asks for it again. */
export async function remakeSamples(queries: QueryClient, id: string, onMade: () => void): Promise<void> {
  const record = await call(`/runs/${encodeURIComponent(id)}/samples`, RunRecord, { method: 'POST' });
  onMade();
  queries.setQueryData(['runs', id], record);
  await Promise.all(['experiments', 'sparks'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
}

/** Of all runs of an experiment that have none any more, some at a time; `onMade` is told how many were. Gives why some were not. */
export async function remakeAllSamples(
  queries: QueryClient,
  id: string,
  onMade: (runs: number) => void,
  signal: AbortSignal,
): Promise<SamplesMade['refused']> {
  const refused: SamplesMade['refused'] = [];
  let made = 0;
  try {
    for (let from: number | null = 0; from !== null;) {
      const path = `/experiments/${encodeURIComponent(id)}/samples?from=${from}`;
      const some: SamplesMade = await call(path, SamplesMade, { method: 'POST', signal });
      made += some.made;
      refused.push(...some.refused);
      onMade(made);
      from = some.next;
    }
  } finally {
    await Promise.all(['experiments', 'sparks', 'runs'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
  }
  return refused;
}

export async function makeTrace(queries: QueryClient, recipe: Recipe, isPrivate: boolean): Promise<TraceRecord> {
  const path = `/recipes/trace${isPrivate ? '?private=true' : ''}`;
  const record = await call(path, TraceRecord, { method: 'POST', body: recipe });
  await queries.invalidateQueries({ queryKey: ['traces'], exact: true });
  return record;
}

export async function changeTrace(queries: QueryClient, id: string, change: TraceChange): Promise<TraceRecord> {
  const record = await call(`/traces/${encodeURIComponent(id)}`, TraceRecord, { method: 'PATCH', body: change });
  queries.setQueryData(['traces', id], record);
  await queries.invalidateQueries({ queryKey: ['traces'], exact: true });
  return record;
}

export async function editTrace(queries: QueryClient, source: string, edit: NewEdit): Promise<TraceRecord> {
  const path = `/traces/${encodeURIComponent(source)}/edits`;
  const record = await call(path, TraceRecord, { method: 'POST', body: edit });
  await queries.invalidateQueries({ queryKey: ['traces'], exact: true });
  return record;
}

interface PreviewRequest {
  readonly bins: number;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly signal?: AbortSignal;
}

/** Capacity over time of a range of a trace, or of all of it. */
export function loadPreview(id: string, { bins, fromMs, toMs, signal }: PreviewRequest): Promise<TracePreview> {
  const query = new URLSearchParams({ bins: String(bins) });
  if (fromMs !== undefined) query.set('from_ms', String(Math.floor(fromMs)));
  if (toMs !== undefined) query.set('to_ms', String(Math.ceil(toMs)));
  const path = `/traces/${encodeURIComponent(id)}/preview?${query.toString()}`;
  return call(path, TracePreview, signal === undefined ? {} : { signal });
}

/** What of a link is changed while a run goes on; what is left out stays. */
export type LinkOrder = Omit<LinkChange, 'type'>;

export async function changeLink(id: string, order: LinkOrder): Promise<void> {
  await call(`/runs/${encodeURIComponent(id)}/link`, Anything, { method: 'POST', body: order });
}

export type ExportFormat = 'csv' | 'json' | 'parquet';
export const EXPORT_FORMATS: readonly ExportFormat[] = ['csv', 'json', 'parquet'];
/** Of an experiment, whose results fit on paper. */
export type ResultFormat = ExportFormat | 'latex';
/** Of a run, for another program. */
export type RunFormat = ExportFormat | 'flent' | 'omnetpp';

export const exportUrl = (kind: 'runs' | 'experiments', id: string, format: ResultFormat | RunFormat): string =>
  `${API}/${kind}/${encodeURIComponent(id)}/export?format=${format}`;

export const reportUrl = (experiment: string): string => `${API}/experiments/${encodeURIComponent(experiment)}/report`;

export const bundleUrl = (experiment: string): string => `${API}/experiments/${encodeURIComponent(experiment)}/bundle`;

export const captureUrl = (run: string): string => `${API}/runs/${encodeURIComponent(run)}/capture`;
export const ns3TraceUrl = (run: string): string => `${API}/runs/${encodeURIComponent(run)}/ns3-trace`;
export const linkLogUrl = (run: string): string => `${API}/runs/${encodeURIComponent(run)}/link-log`;

/** Flows are numbered from 0. */
export const logUrl = (run: string, log: string): string => `${API}/runs/${encodeURIComponent(run)}/logs/${log}`;
export const qlogUrl = (run: string, flow: number): string => `${API}/runs/${encodeURIComponent(run)}/qlog/${flow}`;

export const recipeUrl = (id: string): string => `${API}/traces/${encodeURIComponent(id)}/recipe`;
export function traceFileUrl(id: string, form?: WrittenForm, stepMs?: number): string {
  const query = new URLSearchParams();
  if (form !== undefined) query.set('form', form);
  if (stepMs !== undefined) query.set('step_ms', String(stepMs));
  return `${API}/traces/${encodeURIComponent(id)}/file${query.size === 0 ? '' : `?${query.toString()}`}`;
}
