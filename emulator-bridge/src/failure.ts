// Why a run failed, as far as it tells whether trying again could help.
import { ProgramMissing } from './programs.ts';

/**
 * - `own`: it said so itself, ended with an exit code, or broke the rules: it would do so again
 * - `crashed`: ended by a signal that programs bring on themselves (SIGSEGV …)
 * - `killed`: ended by a signal that somebody else sent: a person, or the kernel for want of memory
 * - `hung`: it went silent and was stopped
 * - `lost`: the worker on another machine that made it is gone, or what it told did not arrive
 * - `machine`: it could not be started: no descriptors, memory or disk, or the program is not there
 */
export type Cause = 'own' | 'crashed' | 'killed' | 'hung' | 'lost' | 'machine';

export interface Failure {
  readonly cause: Cause;
  /** One sentence. */
  readonly reason: string;
  /** The system's name of what it refused: EMFILE, ENOSPC … */
  readonly code?: string;
}

export const own = (reason: string): Failure => ({ cause: 'own', reason });

/** A program that is there and could not be started; `code` is the system's, EMFILE and such. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
  readonly code: string | undefined;

  constructor(path: string, cause: NodeJS.ErrnoException) {
    super(`${path} could not be started: ${cause.message}`, { cause });
    this.code = cause.code;
  }
}

/** What a thrown error says of the run: errors of the system are the machine's. */
export function failureOf(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof ProgramMissing) return { cause: 'machine', reason };
  const ofSystem = error instanceof Error && ('syscall' in error || error instanceof NotStarted);
  if (!ofSystem) return own(reason);
  const { code } = error as NodeJS.ErrnoException;
  return { cause: 'machine', reason, ...(code === undefined ? {} : { code }) };
}

const CRASHES: readonly NodeJS.Signals[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGTRAP', 'SIGSYS'];

/** What a signal that ended a program, and that we did not send, says. */
export const causeOfSignal = (signal: NodeJS.Signals): Cause => (CRASHES.includes(signal) ? 'crashed' : 'killed');

const ENDED_BY_SIGNAL = /was ended by the signal ([A-Z][\w /()]*)/;
const CRASH_WORDS = /^(Segmentation|Aborted|Bus error|Floating|Illegal|Trace|Bad system)/;

/** paceline-tun reports how programs that it hosts have ended, in the words of strsignal(). */
export function causeOfReport(message: string): Cause {
  const [, signal] = ENDED_BY_SIGNAL.exec(message) ?? [];
  if (signal === undefined) return 'own';
  return CRASH_WORDS.test(signal) ? 'crashed' : 'killed';
}
