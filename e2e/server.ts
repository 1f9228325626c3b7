import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READY = /^Paceline is ready: (http:\/\/\S+?)\/?$/m;
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;

export interface ServerOptions {
  /** Kept after `stop`; without it a fresh folder is made, and removed by `dispose`. */
  readonly dataDir?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The real server with the real native programs, on a free port and with a data folder of its own. */
export class PacelineServer {
  readonly url: string;
  readonly dataDir: string;
  readonly #child: ChildProcess;
  readonly #log: string[];

  private constructor(url: string, dataDir: string, child: ChildProcess, log: string[]) {
    this.url = url;
    this.dataDir = dataDir;
    this.#child = child;
    this.#log = log;
  }

  static async start({ dataDir, flags = [], env = {} }: ServerOptions = {}): Promise<PacelineServer> {
    const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'paceline-e2e-')));
    const child = spawn(
      process.execPath,
      ['--enable-source-maps', 'build/server/main.js', '--port', '0', '--data-dir', folder, ...flags],
      // A group of its own: whatever the server leaves behind is found and ended with it.
      { cwd: ROOT, env: { ...process.env, ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const log: string[] = [];
    const url = await new Promise<string>((resolve, reject) => {
      const fail = (reason: string): void => {
        reject(new Error(`The server ${reason}. It printed:\n${log.join('')}`));
      };
      const timer = setTimeout(() => {
        fail(`did not print its URL within ${START_TIMEOUT_MS / 1000} s`);
      }, START_TIMEOUT_MS);
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          log.push(chunk.toString());
          const found = READY.exec(log.join(''))?.[1];
          if (found === undefined) return;
          clearTimeout(timer);
          resolve(found);
        });
      }
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        fail(`ended with ${signal ?? `exit code ${code ?? '?'}`} before it was ready`);
      });
    }).catch((error: unknown) => {
      killGroup(child, 'SIGKILL');
      throw error;
    });
    return new PacelineServer(url, folder, child, log);
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Everything the server has printed so far. */
  get log(): string {
    return this.#log.join('');
  }

  /** Asks the server to end (or, with SIGKILL, ends it as a crash would) and waits until it has. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.kill(signal);
    const timer = setTimeout(() => {
      killGroup(this.#child, 'SIGKILL');
    }, STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }

  /** Stops the server, ends what is left of its process group and removes its data. */
  async dispose(): Promise<void> {
    await this.stop();
    killGroup(this.#child, 'SIGKILL');
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
