import { spawn } from 'node:child_process';
import { programPath, type Program } from './programs.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a native program in this process's place: it has our input and output, hears our signals, and its exit code is the
 * result (null when a signal ended it). In a session of its own, so that it hears Ctrl-C once and from us only; `terminal`: in ours,
 * because what it runs may be talked to, and then it hears Ctrl-C from the terminal.
 */
export function runForeground(
  program: Program,
  args: readonly string[],
  { terminal = false }: { readonly terminal?: boolean } = {},
): Promise<number | null> {
  const child = spawn(programPath(program), args, { stdio: 'inherit', detached: !terminal });
  const pass = (signal: NodeJS.Signals): void => {
    if (!terminal || signal !== 'SIGINT') child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  return new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => {
      done(code);
    });
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, pass);
  });
}
