import { TraceRefused } from '#bridge/traces';
import { ProgramMissing } from '#bridge/programs';
import { UsageError } from '../config.ts';
import { AppError, DataDirBusy, DataDirUnusable, ERRORS } from '../errors.ts';

export const EXIT = { ok: 0, failed: 1, badInput: 2, missed: 3 } as const;

/** What an error means to whoever called the command: a sentence on stderr and an exit code. */
export function explain(error: unknown): { readonly code: number; readonly text: string } {
  if (error instanceof UsageError) return { code: EXIT.badInput, text: `${error.message} (see paceline --help)` };
  if (error instanceof TraceRefused) return { code: EXIT.badInput, text: error.message };
  if (error instanceof ProgramMissing || error instanceof DataDirBusy || error instanceof DataDirUnusable)
    return { code: EXIT.failed, text: error.message };
  if (error instanceof AppError) {
    const { faults = [], where, hint } = error.details;
    const lines =
      faults.length > 0
        ? faults.map((fault) => (fault.where === '' ? fault.detail : `${fault.where}: ${fault.detail}`))
        : [where === undefined ? error.message : `${where}: ${error.message}`];
    const { status } = ERRORS[error.code];
    const code = status >= 400 && status < 500 ? EXIT.badInput : EXIT.failed;
    return { code, text: [...lines, ...(hint === undefined ? [] : [hint])].join('\n') };
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return { code: EXIT.failed, text: error.message };
  return { code: EXIT.failed, text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** Runs a command to its exit code; whatever it throws is explained. That nobody reads any more, as behind `| head`, changes nothing else. */
export async function conclude(command: () => Promise<number>): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    process.exitCode = await command();
  } catch (error) {
    const { code, text } = explain(error);
    process.stderr.write(`paceline: ${text}\n`);
    process.exitCode = code;
  }
}
