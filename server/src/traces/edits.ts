import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Maker } from '#protocol/access';
import type { TraceRecord } from '#protocol/api';
import type { EditSketch, EditStep, NewEdit, TraceEdit } from '#protocol/edit';
import { EditRefused, makeFromEdit, sketchEdit } from '#bridge/edits';
import { AppError } from '../errors.ts';
import type { Asking } from '../helpers.ts';
import type { TraceService } from './trace-service.ts';

/** The place as zod writes it: `steps.2.to_ms`. */
function refused(error: unknown): never {
  if (!(error instanceof EditRefused)) throw error;
  const where = error.where.replaceAll(/\[(\d+)\]/g, '.$1');
  throw new AppError('EDIT_REFUSED', error.message, { where, faults: [{ where, detail: error.message }] });
}

/** Of other traces, by content hash. */
export const othersOf = (steps: readonly EditStep[]): string[] =>
  steps.flatMap((step) => (step.op === 'concatenate' ? [step.trace] : []));

/** The files of the traces that an edit takes are there and whole; of those that nobody knows the program will tell. */
async function areWhole(traces: TraceService, source: string, steps: readonly EditStep[]): Promise<void> {
  const known = othersOf(steps).filter((id) => traces.find(id) !== undefined);
  await Promise.all([source, ...known].map((id) => traces.file(id)));
}

/** What the steps would make of the trace; nothing is kept. */
export async function sketchOf(
  traces: TraceService,
  source: string,
  steps: readonly EditStep[],
  { bins, helpers, gone }: Asking & { readonly bins: number },
): Promise<EditSketch> {
  await areWhole(traces, source, steps);
  const edit: TraceEdit = { schema: 1, source, steps: [...steps] };
  const limits = helpers.files;
  return helpers.run(gone, (signal) => sketchEdit(edit, traces.dir, bins, { signal, limits })).catch(refused);
}

/** Makes the edited trace and takes it in, with what was done to which. */
export async function makeEdited(
  traces: TraceService,
  source: string,
  { name, description, steps }: NewEdit,
  tempDir: string,
  { helpers, gone, maker }: Asking & { readonly maker?: Maker | null },
): Promise<{ record: TraceRecord; added: boolean }> {
  const { licence, technology, place } = traces.get(source);
  await areWhole(traces, source, steps);
  const edit: TraceEdit = { schema: 1, source, steps };
  await mkdir(tempDir, { recursive: true });
  const file = join(tempDir, `edit-${randomUUID()}`);
  try {
    const limits = helpers.files;
    await helpers.run(gone, (signal) => makeFromEdit(edit, traces.dir, file, { signal, limits })).catch(refused);
    // An edit may be passed on as its source may, and is of the same link; what else is in it, its owner has to say.
    const alone = steps.every(({ op }) => op !== 'concatenate');
    // It tells of what it is made from.
    const isPrivate = [source, ...othersOf(steps)].some((id) => traces.isPrivate(id));
    const made = await traces.add(file, { name, description, origin: 'edit', edit, maker, isPrivate, signal: gone });
    if (!made.added || !alone) return made;
    return { ...made, record: traces.change(made.record.id, { licence, technology, place }) };
  } finally {
    await rm(file, { force: true });
  }
}
