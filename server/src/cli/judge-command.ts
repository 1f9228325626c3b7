// A command that judges a revision: what it printed and how it ended. Ctrl-C ends it and all that it has started.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { cleanEnvironment } from './revisions.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Of each stream so much is kept. */
const MOST_CHARACTERS = 2 ** 20;
/** In which what was asked to end does so. */
const GRACE_MS = 5000;

/** A line for the shell, with `$@` for the words. */
export async function ranInShell(
  line: string,
  words: readonly string[],
  cwd: string,
  interrupted: AbortSignal,
): Promise<Ran> {
  interrupted.throwIfAborted();
  const child = spawn('sh', ['-c', line, 'paceline', ...words], {
    cwd,
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const kept = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      kept[name] = (kept[name] + text).slice(-MOST_CHARACTERS);
    });
  const tell = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // All of it has ended.
    }
  };
  let killing: NodeJS.Timeout | undefined;
  const end = (): void => {
    tell('SIGTERM');
    killing = setTimeout(() => tell('SIGKILL'), GRACE_MS);
  };
  interrupted.addEventListener('abort', end, { once: true });
  try {
    const code = await new Promise<number>((done, fail) => {
      child.once('error', fail);
      child.once('close', (status, signal) => done(status ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
    interrupted.throwIfAborted();
    return { code, ...kept };
  } finally {
    clearTimeout(killing);
    interrupted.removeEventListener('abort', end);
  }
}
