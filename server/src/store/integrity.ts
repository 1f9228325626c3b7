import { existsSync, readdirSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const SCRIPT = new URL('quick-check.worker.mjs', import.meta.url);

/** What was found wrong; null: nothing. */
export type Found = string | null;

/** What SQLite's quick check finds wrong with a database, read page by page in a thread of its own: what is known by then, and later. */
export async function quickCheck(
  path: string,
  patienceMs: number,
): Promise<{ readonly found: Found } | { readonly later: Promise<Found> }> {
  const worker = new Worker(SCRIPT, { workerData: path, execArgv: [] });
  const check = new Promise<Found>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const patience = new AbortController();
  try {
    const late = sleep(patienceMs, 'late' as const, { signal: patience.signal });
    late.catch(() => undefined);
    const found = await Promise.race([check, late]);
    if (found !== 'late') return { found };
    // The process may end before a large file has been read.
    worker.unref();
    return { later: check };
  } finally {
    patience.abort();
  }
}

/** Traces beside a database that is not there or empty: it was there once. */
export const tracesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).flatMap((name) => /^([0-9a-f]{64})\.trace$/.exec(name)?.[1] ?? []) : [];

export const isEmptyFile = (path: string): boolean => !existsSync(path) || statSync(path).size === 0;
