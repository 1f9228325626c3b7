import { z } from 'zod';
import { EditSketch, type TraceEdit } from '#protocol/edit';
import { oneShot, ProgramFailed, type OneShot } from './one-shot.ts';
import { storingOf, type TraceOptions } from './traces.ts';

/** A day of milliseconds is read, edited and written within a few seconds; a slow disk may take ten times as long. */
const TIMEOUT_MS = 180_000;

const Refusal = z.object({ where: z.string(), message: z.string() });

/** An edit that cannot be made: the place in it (`steps[2].to_ms`) and the reason. */
export class EditRefused extends Error {
  override readonly name = 'EditRefused';
  readonly where: string;

  constructor({ where, message }: z.infer<typeof Refusal>) {
    super(message);
    this.where = where;
  }
}

type EditOptions = Pick<TraceOptions, 'signal' | 'limits'>;

/** What the edit would make of the traces in `folder` (`<sha256>.trace`). Throws EditRefused. */
export async function sketchEdit(
  edit: TraceEdit,
  folder: string,
  bins: number,
  options: EditOptions = {},
): Promise<EditSketch> {
  const { stdout } = await trace(['edit-sketch', '-', '--traces', folder, '--bins', String(bins)], edit, options);
  return EditSketch.parse(JSON.parse(stdout));
}

/** Writes the trace that the edit makes. Throws EditRefused. */
export async function makeFromEdit(
  edit: TraceEdit,
  folder: string,
  file: string,
  options: EditOptions = {},
): Promise<void> {
  await trace(['edit', '-', '--traces', folder, '--out', file], edit, options);
}

async function trace(words: readonly string[], edit: TraceEdit, { signal, limits }: EditOptions): Promise<OneShot> {
  const input = JSON.stringify(edit);
  const args = [...words, ...storingOf(limits)];
  const result = await oneShot('paceline-trace', args, { timeoutMs: TIMEOUT_MS, input, ...(signal && { signal }) });
  if (result.code === 0) return result;
  throw refusalIn(result.stdout) ?? new ProgramFailed(`paceline-trace: ${result.stderr.trim()}`);
}

function refusalIn(stdout: string): EditRefused | null {
  try {
    const refusal = Refusal.safeParse(JSON.parse(stdout));
    return refusal.success ? new EditRefused(refusal.data) : null;
  } catch {
    return null;
  }
}
