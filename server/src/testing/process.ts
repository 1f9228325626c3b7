import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { processes, type ProcessEntry } from '#bridge/testing/fake-programs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of this checkout in a process of its own. */
export class TestProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';

  /** `under`: a program that becomes it, with what it changes before that: prlimit, nsenter … */
  constructor(
    script: string,
    args: readonly string[],
    cwd = ROOT,
    env: NodeJS.ProcessEnv = process.env,
    under: readonly string[] = [],
  ) {
    // As `npm start` runs it (scripts/lib/server-bundle.mjs).
    const bundled = script.replace(/^server\/src\/(.*)\.ts$/, 'build/server/$1.js');
    const words = [process.execPath, '--enable-source-maps', `${ROOT}${bundled}`, ...args];
    const [program = '', ...rest] = [...under, ...words];
    this.child = spawn(program, rest, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (text: Buffer) => (this.stdout += text.toString()));
    this.child.stderr?.on('data', (text: Buffer) => (this.stderr += text.toString()));
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  /** Resolves with the match when it appears on stdout or stderr. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
      if (found !== null) return found;
      if (this.child.exitCode !== null) throw new Error(`it ended without saying ${String(pattern)}: ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async ended(): Promise<Ended> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended();
  }

  /** Native programs that this process has started. */
  natives(): ProcessEntry[] {
    return processes().filter(({ parent, name }) => parent === this.pid && name.startsWith('paceline-'));
  }
}

/** Which of these are still there. */
export const stillThere = (entries: readonly ProcessEntry[]): ProcessEntry[] => {
  const now = new Map(processes().map((entry) => [entry.pid, entry.name]));
  return entries.filter(({ pid, name }) => now.get(pid) === name);
};

/** Waits until the condition holds. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 25));
}
