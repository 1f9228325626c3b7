import { spawn, type ChildProcess } from 'node:child_process';
import { PassThrough, type Duplex, type Readable, type Writable } from 'node:stream';
import { NotStarted } from './failure.ts';

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
  /** It is gone, though what it has written may not all be read: `exit` waits for that. */
  readonly gone: Promise<void>;
  /** The signals that we have sent it. */
  readonly ended = new Set<NodeJS.Signals>();
  readonly #child: ChildProcess;
  #stderr = '';
  #stopping: Promise<Exit> | null = null;

  /** `pipes`: so many more, which the child has as descriptors 3, 4 … */
  constructor(path: string, args: readonly string[], pipes = 0) {
    const stdio = Array<'pipe'>(3 + pipes).fill('pipe');
    const child: ChildProcess = spawn(path, args, { detached: true, stdio });
    this.#child = child;
    if (child.pid !== undefined) alive.add(child.pid);
    this.gone = new Promise((resolve) => {
      child.once('error', () => resolve()).once('exit', () => resolve());
    });
    this.exit = new Promise((resolve, reject) => {
      child.once('error', (error) => {
        reject(new NotStarted(path, error));
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
    for (const pipe of this.#pipes) pipe?.on('error', () => undefined);
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
  pipe(descriptor: number): Duplex {
    return present(this.#pipes[descriptor] as Duplex | null | undefined);
  }

  /** The last of what the child wrote to stderr. */
  get stderrTail(): string {
    return this.#stderr.trimEnd();
  }

  /** What is written from now on is all that `stderrTail` tells. */
  forgetStderr(): void {
    this.#stderr = '';
  }

  get running(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** SIGTERM, and SIGKILL to the whole group when that was not enough. Resolves when the child is gone. */
  stop(): Promise<Exit> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  async #end(): Promise<Exit> {
    const pid = this.#child.pid;
    if (pid === undefined || !alive.has(pid)) return this.exit;
    this.#signal(pid, 'SIGTERM');
    const timer = setTimeout(() => {
      this.#signal(pid, 'SIGKILL');
    }, PATIENCE_MS);
    // Unread output would keep `close` from coming.
    this.#child.stdout?.resume();
    for (const pipe of this.#pipes.slice(3)) pipe?.destroy();
    const exit = await this.exit;
    clearTimeout(timer);
    return exit;
  }

  #signal(pid: number, signal: NodeJS.Signals): void {
    this.ended.add(signal);
    signalGroup(pid, signal);
  }

  get #pipes(): readonly (Readable | Writable | null | undefined)[] {
    // When no more descriptors are to be had, the child has none at all.
    const { stdio } = this.#child as { readonly stdio?: ChildProcess['stdio'] };
    return stdio ?? [];
  }
}

/** A child that could not be started has no pipes: one that says nothing and takes everything, while `exit` tells why. */
function present<T extends Readable | Writable>(stream: T | null | undefined): T | Duplex {
  if (stream !== null && stream !== undefined) return stream;
  const nothing = new PassThrough().on('error', () => undefined);
  nothing.end();
  return nothing;
}
