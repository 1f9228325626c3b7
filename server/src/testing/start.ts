import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Step } from '../building/progress.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A step of the setup in some state. */
export const step = (title: string, state: Step['state'], more: Partial<Step> = {}): Step => ({
  title,
  later: false,
  state,
  ...more,
});

/** The server as `npm start` runs it, told of the setup by whoever has it here instead of by the setup. */
export class StartedServer {
  readonly child: ChildProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), 'paceline-start-'));
  output = '';

  constructor(words: readonly string[] = ['--port', '0']) {
    const script = ['--enable-source-maps', 'build/server/cli/start.js'];
    this.child = spawn(process.execPath, [...script, '--data-dir', this.#folder, ...words], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (text: Buffer) => (this.output += text.toString()));
  }

  tell(...steps: readonly Step[]): void {
    this.child.send(steps);
  }

  /** Its address, as soon as it listens. */
  async url(): Promise<string> {
    const [url] = (await once(this.child, 'message')) as [string];
    return url.replace(/\/$/, '');
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  async dispose(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.ended();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
