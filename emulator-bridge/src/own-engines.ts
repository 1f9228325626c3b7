// Runs in virtual time whose flows run algorithms that somebody has written: made by the engine as WebAssembly, in threads that stay for
// the next run, sandboxed by it and bounded in time from here.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineOutcome } from '#engine/engine';
import type { EnginePool } from '#engine/pool';
import { poolsOf, type OpenPool } from '#engine/from-bytes';
import type { RunManifest } from '#protocol/manifest';
import type { OwnDescription } from '#protocol/own-algorithm';
import { concluded, failedBy } from './concluded.ts';
import { EngineThread, MOST_FRAMES } from './engine-thread.ts';
import { failureOf, own, type Failure } from './failure.ts';
import { namedTexts } from './named-texts.ts';
import type { RunOptions, RunOutcome } from './outcome.ts';
import { nativeDir, partRemedy, ProgramMissing } from './programs.ts';

/** A thread that says nothing for so long, although all that it said was taken, is taken for hung. */
const HANG_MS = 60_000;
const TICK_MS = 250;

export interface OwnEngineLimits {
  /** After so many runs a thread is replaced, and when it has been given so many bytes to keep: whatever it has gathered is gone. */
  readonly mostRuns: number;
  readonly mostBytes: number;
  /** One that rests for so long ends. */
  readonly idleMs: number;
  /** What a run may take: so long, and so many seconds more for each second of each of its flows. */
  readonly wallS: number;
  readonly wallSPerFlowSecond: number;
  /** What reading a text may take. */
  readonly describeS: number;
}
const LIMITS: OwnEngineLimits = {
  mostRuns: 200,
  mostBytes: 256 * 2 ** 20,
  idleMs: 30_000,
  wallS: 120,
  wallSPerFlowSecond: 3,
  describeS: 10,
};

interface Host {
  readonly key: string;
  readonly thread: EngineThread;
  readonly pool: EnginePool;
  /** Bytes of each text that it was given. */
  readonly given: Map<string, number>;
  runs: number;
  rest: NodeJS.Timeout | null;
}

const TOOLS =
  'Debian’s clang-19, lld-19, wasi-libc, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32 and libclang-rt-19-dev-wasm32';
const notBuilt = (file: string): ProgramMissing =>
  new ProgramMissing(`own algorithms run in the engine as WebAssembly, and ${file} is missing: ${partRemedy(TOOLS)}`);

/** The engine's module, compiled. */
interface Module {
  readonly key: string;
  readonly openPool: OpenPool;
}

/** As many at once as are asked for. */
export class OwnEngines {
  readonly #limits: OwnEngineLimits;
  readonly #idle: Host[] = [];
  readonly #all = new Set<Host>();
  #module: Module | null = null;
  #closed = false;

  constructor(limits: Partial<OwnEngineLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** What a text declares, or what is wrong with it. Throws where there is no engine. */
  async describe(text: string, signal?: AbortSignal): Promise<OwnDescription> {
    signal?.throwIfAborted();
    const host = this.#take();
    const isLate = new AbortController();
    const stop = (): void =>
      void host.thread.end(`it was not read within ${this.#limits.describeS} s: does a loop end?`);
    const late = setTimeout(() => {
      isLate.abort();
      stop();
    }, this.#limits.describeS * 1000);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await host.pool.describe(text);
    } catch (error) {
      signal?.throwIfAborted();
      // A thread that broke by itself, or never began, says nothing of the text.
      if (!host.thread.sound && !isLate.signal.aborted) throw error;
      // What a text has brought to a stop is in no known state.
      await this.#end(host);
      return { ok: false, problem: { message: error instanceof Error ? error.message : String(error), at: null } };
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
      this.#keep(host);
    }
  }

  /** Never rejects because of what a run does: that is an outcome. */
  async run(manifest: RunManifest, options: RunOptions): Promise<RunOutcome> {
    try {
      const shelf = await namedTexts(manifest, options);
      const host = this.#take();
      try {
        for (const texts of Object.values(shelf))
          for (const [hash, text] of texts) host.given.set(hash, text.byteLength);
        const wallS =
          this.#limits.wallS + this.#limits.wallSPerFlowSecond * manifest.duration_s * manifest.flows.length;
        const outcome = await made(host, manifest, shelf, wallS, options);
        // Whatever stopped in it is in no known state.
        if (outcome.cause === 'crashed') await this.#end(host);
        return outcome;
      } finally {
        this.#keep(host);
      }
    } catch (error) {
      // Others go on without it: nothing is wrong with the machine.
      return failedBy(error instanceof ProgramMissing ? new Error(error.message, { cause: error }) : error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((host) => this.#end(host)));
  }

  #take(): Host {
    const { key, openPool } = this.#compiled();
    for (let host = this.#idle.pop(); host !== undefined; host = this.#idle.pop()) {
      if (host.rest !== null) clearTimeout(host.rest);
      if (host.thread.sound && host.key === key) {
        host.thread.keepsProcess(true);
        host.runs += 1;
        return host;
      }
      void this.#end(host);
    }
    const thread = new EngineThread();
    const host = { key, thread, pool: openPool(thread), given: new Map<string, number>(), runs: 1, rest: null };
    this.#all.add(host);
    return host;
  }

  #keep(host: Host): void {
    if (this.#closed || !host.thread.sound || this.#isFull(host)) return void this.#end(host);
    this.#idle.push(host);
    host.thread.keepsProcess(false);
    host.rest = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(host), 1);
      void this.#end(host);
    }, this.#limits.idleMs).unref();
  }

  #isFull({ runs, given }: Host): boolean {
    const bytes = [...given.values()].reduce((sum, size) => sum + size, 0);
    return runs >= this.#limits.mostRuns || bytes > this.#limits.mostBytes;
  }

  async #end(host: Host): Promise<void> {
    if (host.rest !== null) clearTimeout(host.rest);
    await host.thread.end('it is not needed any more');
    this.#all.delete(host);
  }

  /** Once, until another one lies there. */
  #compiled(): Module {
    const file = join(nativeDir(), 'paceline.wasm');
    if (!existsSync(file)) throw notBuilt(file);
    const { ino, mtimeMs } = statSync(file);
    const key = `${file} ${ino} ${mtimeMs}`;
    if (this.#module?.key !== key) this.#module = { key, openPool: poolsOf(new Uint8Array(readFileSync(file))) };
    return this.#module;
  }
}

/** Ends a thread that is silent or takes too long; time in which it waits for us does not count. */
function watchedOver(
  waits: () => boolean,
  { hangMs, wallMs }: { readonly hangMs: number; readonly wallMs: number },
  end: (failure: Failure) => void,
): { readonly heard: () => void; readonly over: () => void } {
  let silentMs = 0;
  let spentMs = 0;
  const timer = setInterval(() => {
    if (waits()) return;
    silentMs += TICK_MS;
    spentMs += TICK_MS;
    if (silentMs > hangMs)
      end({
        cause: 'hung',
        reason: `the engine has said nothing for ${hangMs / 1000} s and was stopped: a call of an own algorithm may not come back`,
      });
    else if (spentMs > wallMs)
      end(own(`it was not done within ${Math.round(wallMs / 1000)} s, which is all that a run of its length may take`));
  }, TICK_MS);
  return { heard: () => (silentMs = 0), over: () => clearInterval(timer) };
}

async function made(
  { thread, pool }: Host,
  manifest: RunManifest,
  shelf: Parameters<EnginePool['run']>[1],
  wallS: number,
  { signal, samples = true, onFrame, hangMs = HANG_MS }: RunOptions,
): Promise<RunOutcome> {
  const ended: { failure: Failure | null } = { failure: null };
  const end = (failure: Failure): void => {
    ended.failure ??= failure;
    void thread.end(failure.reason);
  };
  const stop = (): void => end(own('stopped'));
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  let waiting = 0;
  let taking = Promise.resolve();
  const watch = watchedOver(() => waiting >= MOST_FRAMES, { hangMs, wallMs: wallS * 1000 }, end);
  try {
    const outcome = await pool.run(manifest, shelf, {
      samples,
      onFrame: (bytes, header, control) => {
        watch.heard();
        waiting += 1;
        taking = taking.then(async () => {
          try {
            if (ended.failure === null) await onFrame(bytes, header, control);
          } catch (error) {
            end(failureOf(error));
          }
          waiting -= 1;
          thread.took();
        });
      },
    });
    await taking;
    const failure = ended.failure ?? failureIn(outcome);
    // What it cost nobody knows: threads share the process's clock of the processor.
    const words = { stderrTail: '', summary: outcome.summary, cost: null };
    return concluded(signal, failure, 'the engine gave no summary', words);
  } finally {
    watch.over();
    signal?.removeEventListener('abort', stop);
  }
}

function failureIn({ outcome, cause, reason, at }: EngineOutcome): Failure | null {
  if (outcome === 'done') return null;
  const said = reason ?? 'the engine gave no reason';
  const where =
    at === undefined || at === null || said.includes(`line ${at.line}:`)
      ? ''
      : ` (line ${at.line}, column ${at.column})`;
  return { cause: cause ?? 'own', reason: `${said}${where}` };
}
