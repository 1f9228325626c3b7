// What a text says of itself, before any run.
import { OwnDeclaration, type OwnDescription } from '#protocol/own-algorithm';
import { MOST_SOURCE_BYTES } from '#protocol/own-algorithm';
import { OwnFault } from './fault.ts';
import { Guest, type Interpreter } from './interpreter.ts';
import { strip } from './strip.ts';

export interface ReadText {
  readonly declaration: OwnDeclaration;
  /** Without types. */
  readonly code: string;
}

/** A text's own seed: whatever it draws as it is read is the same everywhere. */
const NO_SEED = [0, 0] as const;

function declarationOf(told: string): OwnDeclaration {
  const { success, data, error } = OwnDeclaration.safeParse(JSON.parse(told));
  if (success) return data;
  const [issue] = error.issues;
  throw new OwnFault(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not as it must be'}`, null);
}

/** Throws OwnFault. */
export function readText(interpreter: Interpreter, text: string): ReadText {
  if (new TextEncoder().encode(text).byteLength > MOST_SOURCE_BYTES)
    throw new OwnFault(`it is longer than ${MOST_SOURCE_BYTES / 1024} KiB`, null);
  const code = strip(text);
  const guest = new Guest(interpreter);
  try {
    return { declaration: declarationOf(guest.read(code, NO_SEED)), code };
  } finally {
    guest.dispose();
  }
}

export function describeText(interpreter: Interpreter, text: string): OwnDescription {
  try {
    return { ok: true, declaration: readText(interpreter, text).declaration };
  } catch (error) {
    if (error instanceof OwnFault) return { ok: false, problem: error.problem };
    throw error;
  }
}
