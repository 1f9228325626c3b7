import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TraceRecord } from '#protocol/api';
import type { EditSketch, EditStep, NewEdit, TraceEdit } from '#protocol/edit';
import { EditRefused, makeFromEdit, sketchEdit } from '#bridge/edits';
import { AppError } from '../errors.ts';
import type { TraceService } from './trace-service.ts';

/** The place as zod writes it: `steps.2.to_ms`. */
function refused(error: unknown): never {
  if (!(error instanceof EditRefused)) throw error;
  const where = error.where.replaceAll(/\[(\d+)\]/g, '.$1');
  throw new AppError('EDIT_REFUSED', error.message, { where, faults: [{ where, detail: error.message }] });
}

/** The files of the traces that an edit takes are there and whole; of those that nobody knows the program will tell. */
async function areWhole(traces: TraceService, source: string, steps: readonly EditStep[]): Promise<void> {
  const others = steps.flatMap((step) => (step.op === 'concatenate' ? [step.trace] : []));
  const known = others.filter((id) => traces.find(id) !== undefined);
  await Promise.all([source, ...known].map((id) => traces.file(id)));
}

/** What the steps would make of the trace; nothing is kept. */
export async function sketchOf(
  traces: TraceService,
  source: string,
  steps: readonly EditStep[],
  { bins, signal }: { readonly bins: number; readonly signal: AbortSignal },
): Promise<EditSketch> {
  await areWhole(traces, source, steps);
  return sketchEdit({ schema: 1, source, steps: [...steps] }, traces.dir, bins, signal).catch(refused);
}

/** Makes the edited trace and takes it in, with what was done to which. */
export async function makeEdited(
  traces: TraceService,
  source: string,
  { name, description, steps }: NewEdit,
  tempDir: string,
): Promise<{ record: TraceRecord; added: boolean }> {
  const { licence } = traces.get(source);
  await areWhole(traces, source, steps);
  const edit: TraceEdit = { schema: 1, source, steps };
  await mkdir(tempDir, { recursive: true });
  const file = join(tempDir, `edit-${randomUUID()}`);
  try {
    await makeFromEdit(edit, traces.dir, file).catch(refused);
    const made = await traces.add(file, { name, description, origin: 'edit', edit });
    // An edit may be passed on as its source may; what else is in it, its owner has to say.
    const alone = steps.every(({ op }) => op !== 'concatenate');
    if (!made.added || licence === '' || !alone) return made;
    return { ...made, record: traces.change(made.record.id, { licence }) };
  } finally {
    await rm(file, { force: true });
  }
}
