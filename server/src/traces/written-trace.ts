import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenForm } from '#protocol/trace';
import { FormRefused, writeTrace, type Writing } from '#bridge/trace-forms';
import { AppError } from '../errors.ts';
import type { Asking } from '../helpers.ts';

export const FORM_ENDINGS: Readonly<Record<WrittenForm, string>> = {
  'ms-count': '.trace',
  mahimahi: '.down',
  csv: '.csv',
  netem: '.netem.sh',
};

/** A stored trace in another form, as a file of its own until it has been sent. */
export async function writtenTrace(
  stored: string,
  writing: Writing,
  tempDir: string,
  { helpers, gone }: Asking,
): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  await mkdir(tempDir, { recursive: true });
  const path = join(tempDir, `form-${randomUUID()}`);
  const remove = (): Promise<void> => rm(path, { force: true });
  try {
    await helpers.run(gone, (signal) => writeTrace(stored, writing, path, signal));
  } catch (error) {
    await remove();
    throw error instanceof FormRefused ? new AppError('TRACE_FORM_REFUSED', error.message) : error;
  }
  return { path, remove };
}
