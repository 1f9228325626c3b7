import type { WrittenForm } from '#protocol/trace';
import { oneShot, ProgramFailed } from './one-shot.ts';

const TIMEOUT_MS = 180_000;

/** A trace that a form cannot express. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused';
}

export interface Writing {
  readonly form: WrittenForm;
  /** Of the forms that have steps; absent: the program's default. */
  readonly stepMs: number | undefined;
  /** For the head of a script. */
  readonly name: string;
}

/** Writes a stored trace in another form. Throws FormRefused. */
export async function writeTrace(
  stored: string,
  { form, stepMs, name }: Writing,
  out: string,
  signal?: AbortSignal,
): Promise<void> {
  const step = stepMs === undefined || form === 'mahimahi' || form === 'ms-count' ? [] : ['--step-ms', String(stepMs)];
  const { code, stderr } = await oneShot(
    'paceline-trace',
    ['convert', stored, '--format', 'trace', '--set', 'columns=ms count', '--to', form, ...step].concat([
      '--name',
      name,
      '--out',
      out,
    ]),
    { timeoutMs: TIMEOUT_MS, ...(signal && { signal }) },
  );
  if (code === 0) return;
  const reason = stderr.trim().replace(/^paceline-trace: /, '');
  throw code === 2 ? new FormRefused(reason) : new ProgramFailed(`paceline-trace: ${reason}`);
}
