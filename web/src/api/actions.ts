// What the page asks the server to do.
import type { QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { ExperimentRecord, TraceRecord } from '#protocol/api';
import type { LinkChange } from '#protocol/control';
import type { Recipe } from '#protocol/recipe';
import type { ExperimentSpecInput } from '#protocol/spec';
import { API, call } from './client';

const Anything = z.unknown();

export async function startExperiment(queries: QueryClient, spec: ExperimentSpecInput): Promise<ExperimentRecord> {
  const record = await call('/experiments', ExperimentRecord, { method: 'POST', body: spec });
  queries.setQueryData(['experiments', record.id], record);
  void queries.invalidateQueries({ queryKey: ['experiments'], exact: true });
  return record;
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

export async function stopRun(queries: QueryClient, id: string): Promise<void> {
  await call(`/runs/${encodeURIComponent(id)}/stop`, Anything, { method: 'POST' });
  await queries.invalidateQueries({ queryKey: ['runs', id] });
}

export async function retryRun(queries: QueryClient, id: string, onAccepted: () => void): Promise<void> {
  await call(`/runs/${encodeURIComponent(id)}/retry`, Anything, { method: 'POST' });
  onAccepted();
  await queries.invalidateQueries({ queryKey: ['runs', id] });
}

export async function makeTrace(queries: QueryClient, recipe: Recipe): Promise<TraceRecord> {
  const record = await call('/recipes/trace', TraceRecord, { method: 'POST', body: recipe });
  await queries.invalidateQueries({ queryKey: ['traces'], exact: true });
  return record;
}

/** What of a link is changed while a run goes on; what is left out stays. */
export type LinkOrder = Omit<LinkChange, 'type'>;

export async function changeLink(id: string, order: LinkOrder): Promise<void> {
  await call(`/runs/${encodeURIComponent(id)}/link`, Anything, { method: 'POST', body: order });
}

export type ExportFormat = 'csv' | 'json' | 'parquet';
export const EXPORT_FORMATS: readonly ExportFormat[] = ['csv', 'json', 'parquet'];

export const exportUrl = (kind: 'runs' | 'experiments', id: string, format: ExportFormat): string =>
  `${API}/${kind}/${encodeURIComponent(id)}/export?format=${format}`;

/** Flows are numbered from 0. */
export const qlogUrl = (run: string, flow: number): string => `${API}/runs/${encodeURIComponent(run)}/qlog/${flow}`;

export const recipeUrl = (id: string): string => `${API}/traces/${encodeURIComponent(id)}/recipe`;
export const traceFileUrl = (id: string): string => `${API}/traces/${encodeURIComponent(id)}/file`;
