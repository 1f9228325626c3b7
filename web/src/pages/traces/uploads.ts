// Uploads outlive the component that started them: a person may go to another page while a gigabyte travels.
import type { QueryClient } from '@tanstack/react-query';
import { TraceRecord, TraceSourceRecord } from '#protocol/api';
import type { SourceChoices } from '#protocol/trace';
import { z } from 'zod';
import { type ApiError, asApiError, call } from '../../api/client';
import { uploadTrace } from '../../api/upload';
import { tellIfPublic } from '../stays-public';

/** `understood`: arrived, and waiting for a person to say that it is what it was taken for. */
export type UploadState = 'sending' | 'checking' | 'understood' | 'adding' | 'done' | 'refused';

export interface UploadItem {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly state: UploadState;
  readonly source: TraceSourceRecord | null;
  readonly choices: SourceChoices;
  readonly error: ApiError | null;
  readonly cancel: () => void;
  readonly onDone: (trace: TraceRecord) => void;
  /** Nobody else is to see it. */
  readonly isPrivate: boolean;
}

const listeners = new Set<() => void>();
let items: readonly UploadItem[] = [];
let nextId = 1;

export const uploads = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): readonly UploadItem[] => items,
};

function set(next: readonly UploadItem[]): void {
  items = next;
  for (const listener of listeners) listener();
}

const patch = (id: number, change: Partial<UploadItem>): void =>
  set(items.map((item) => (item.id === id ? { ...item, ...change } : item)));

const itemOf = (id: number): UploadItem | undefined => items.find((item) => item.id === id);

export function dismissUpload(id: number): void {
  const source = itemOf(id)?.source;
  set(items.filter((item) => item.id !== id));
  // It would be gone within the hour anyway.
  if (source) void call(`/trace-sources/${source.id}`, z.object({}), { method: 'DELETE' }).catch(() => undefined);
}

const fail = (id: number, error: unknown): void => patch(id, { state: 'refused', error: asApiError(error) });

/** A trace is a trace; what has to be turned into one is shown first. */
const needsNoWord = ({ info, problem }: TraceSourceRecord): boolean =>
  problem === null && info?.source?.format === 'trace';

type Wanted = Pick<UploadItem, 'onDone' | 'isPrivate'>;

export function startUpload(queries: QueryClient, file: File, wanted: Wanted): void {
  const id = nextId++;
  const { done, cancel } = uploadTrace(file, (sent) =>
    patch(id, { sent, state: sent < file.size ? 'sending' : 'checking' }),
  );
  const item: UploadItem = {
    id,
    name: file.name,
    size: file.size,
    sent: 0,
    state: 'sending',
    source: null,
    choices: { options: {} },
    error: null,
    cancel,
    ...wanted,
  };
  set([...items, item]);
  done.then(
    async (source) => {
      patch(id, { state: 'understood', sent: file.size, source });
      if (needsNoWord(source)) await addTrace(queries, id);
    },
    (error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') dismissUpload(id);
      else fail(id, error);
    },
  );
}

/** Looks at the file again with other choices; what an earlier look says is dropped. */
export async function chooseSource(id: number, choices: SourceChoices): Promise<void> {
  const source = itemOf(id)?.source;
  if (!source) return;
  patch(id, { choices });
  try {
    const looked = await call(`/trace-sources/${source.id}/look`, TraceSourceRecord, { method: 'POST', body: choices });
    if (itemOf(id)?.choices === choices) patch(id, { source: looked });
  } catch (error) {
    fail(id, error);
  }
}

export async function addTrace(queries: QueryClient, id: number): Promise<void> {
  const item = itemOf(id);
  if (!item?.source) return;
  patch(id, { state: 'adding' });
  try {
    const path = `/trace-sources/${item.source.id}/trace`;
    const body = { ...item.choices, ...(item.isPrivate && { private: true }) };
    const trace = await call(path, TraceRecord, { method: 'POST', body });
    patch(id, { state: 'done', source: null });
    queries.setQueryData(['traces', trace.id], trace);
    await queries.invalidateQueries({ queryKey: ['traces'], exact: true });
    tellIfPublic(trace, item.isPrivate);
    item.onDone(trace);
  } catch (error) {
    fail(id, error);
  }
}
