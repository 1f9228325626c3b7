import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** How long a child may take to end after SIGTERM before its group is killed. */
const PATIENCE_MS = 2000;
const STDERR_TAIL_BYTES = 8192;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Leaders of the groups that are alive: killed when this process ends, whatever the reason it could still act on. */
const alive = new Set<number>();
process.on('exit', () => {
  for (const pid of alive) signalGroup(pid, 'SIGKILL');
});

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Gone already, or a program of other rights (sudo) that is left: nothing that could be done here.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** A child program with a process group of its own, so that stopping it also stops whatever it has started. */
export class ProcessGroup {
  readonly exit: Promise<Exit>;
  readonly #child: ChildProcess;
  #stderr = '';
  #stopping: Promise<Exit> | null = null;

  /** `pipes`: so many more, which the child has as descriptors 3, 4 … */
  constructor(path: string, args: readonly string[], pipes = 0) {
    const stdio = Array<'pipe'>(3 + pipes).fill('pipe');
    // Typed loosely on purpose: when no more files can be opened, the child has no pipes.
    const child: ChildProcess = spawn(path, args, { detached: true, stdio });
    this.#child = child;
    if (child.pid !== undefined) alive.add(child.pid);
    this.exit = new Promise((resolve, reject) => {
      child.once('error', (error) => {
        reject(new Error(`${path} could not be started: ${error.message}`));
      });
      child.once('exit', () => {
        // What the leader left behind keeps the pipes open; nothing may outlive it.
        if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      });
      child.once('close', (code, signal) => {
        if (child.pid !== undefined) alive.delete(child.pid);
        resolve({ code, signal });
      });
    });
    this.exit.catch(() => undefined);
    // The child may end before it has read everything: its exit code tells the story, not EPIPE.
    for (const pipe of child.stdio) pipe?.on('error', () => undefined);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL_BYTES);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stdin(): Writable {
    return present(this.#child.stdin);
  }

  get stdout(): Readable {
    return present(this.#child.stdout);
  }

  /** This end of one of the further pipes, by the child's descriptor; data goes both ways. */
  pipe(descriptor: number): Socket {
    return present(this.#child.stdio[descriptor] as Socket | null | undefined);
  }

  /** The last of what the child wrote to stderr. */
  get stderrTail(): string {
    return this.#stderr.trimEnd();
  }

  /** SIGTERM, and SIGKILL to the whole group when that was not enough. Resolves when the child is gone. */
  stop(): Promise<Exit> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  async #end(): Promise<Exit> {
    const pid = this.#child.pid;
    if (pid === undefined || !alive.has(pid)) return this.exit;
    signalGroup(pid, 'SIGTERM');
    const timer = setTimeout(() => {
      signalGroup(pid, 'SIGKILL');
    }, PATIENCE_MS);
    // Unread output would keep `close` from coming.
    this.#child.stdout?.resume();
    for (const pipe of this.#child.stdio.slice(3)) pipe?.destroy();
    const exit = await this.exit;
    clearTimeout(timer);
    return exit;
  }
}

function present<T>(stream: T | null | undefined): T {
  if (stream === null || stream === undefined) throw new Error('the child was started without this pipe');
  return stream;
}
