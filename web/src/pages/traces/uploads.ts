// Uploads outlive the component that started them: a person may go to another page while a gigabyte travels.
import type { QueryClient } from '@tanstack/react-query';
import type { TraceRecord } from '#protocol/api';
import { type ApiError, asApiError } from '../../api/client';
import { uploadTrace } from '../../api/upload';

export interface UploadItem {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly state: 'sending' | 'checking' | 'done' | 'refused';
  readonly trace: TraceRecord | null;
  readonly error: ApiError | null;
  readonly cancel: () => void;
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

export const dismissUpload = (id: number): void => set(items.filter((item) => item.id !== id));

export function startUpload(queries: QueryClient, file: File, onDone: (trace: TraceRecord) => void): void {
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
    trace: null,
    error: null,
    cancel,
  };
  set([...items, item]);
  done.then(
    async (trace) => {
      patch(id, { state: 'done', sent: file.size, trace });
      queries.setQueryData(['traces', trace.id], trace);
      await queries.invalidateQueries({ queryKey: ['traces'], exact: true });
      onDone(trace);
    },
    (error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') dismissUpload(id);
      else patch(id, { state: 'refused', error: asApiError(error) });
    },
  );
}
