// Children that stay for the next run: starting a process and reading its trace takes longer than most runs in virtual time.
import { readFileSync, statSync } from 'node:fs';
import { figuresOf, type Cost } from '#protocol/control';
import type { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';
import { concluded, failedBy } from './concluded.ts';
import { ProcessGroup } from './group.ts';
import { programPath } from './programs.ts';
import type { RunOptions, RunOutcome } from './outcome.ts';
import { Chunks, ending, readRun, type Told, type Watched } from './watch.ts';

const PROGRAM = 'paceline-simulate';
/** A virtual run flushes every few hundred rows; the slowest scenario that makes sense does so every few seconds. */
const HANG_MS = 60_000;

export interface SimulatorLimits {
  /** After so many runs a process is replaced, and when it has grown to so much: whatever it has gathered is gone. */
  readonly mostRuns: number;
  readonly mostKib: number;
  /** One that rests for so long ends. */
  readonly idleMs: number;
}
const LIMITS: SimulatorLimits = { mostRuns: 1000, mostKib: 256 * 1024, idleMs: 30_000 };

/** One child, which makes one run after the other. What fails in it ends it, as if it had been started for this run alone. */
class Simulator {
  readonly group: ProcessGroup;
  readonly chunks: Chunks;
  readonly #limits: SimulatorLimits;
  #runs = 0;
  #rest: NodeJS.Timeout | null = null;

  constructor(path: string, words: readonly string[], limits: SimulatorLimits) {
    this.#limits = limits;
    this.group = new ProcessGroup(path, ['--serve', '--cost', ...words]);
    this.chunks = new Chunks(this.group.stdout);
    void this.group.gone.then(() => {
      // Nobody reads what one has left that ended while it rested.
      if (this.#rest !== null) void this.end();
    });
  }

  /** It has made a run before. */
  get warm(): boolean {
    return this.#runs > 0;
  }

  begin(manifest: RunManifest): void {
    this.#wake();
    this.group.forgetStderr();
    this.#runs += 1;
    this.group.stdin.write(`${JSON.stringify(manifest)}\n`);
  }

  /** Until the next run; ends by itself when there is none for long. */
  rest(): void {
    this.#rest = setTimeout(() => void this.end(), this.#limits.idleMs).unref();
  }

  async end(): Promise<void> {
    this.#wake();
    this.chunks.destroy();
    await this.group.stop().catch(() => undefined);
  }

  /** Whether another run may be made in it. */
  get sound(): boolean {
    const { mostRuns, mostKib } = this.#limits;
    return this.group.running && !this.chunks.pending && this.#runs < mostRuns && this.#residentKib() < mostKib;
  }

  #wake(): void {
    if (this.#rest !== null) clearTimeout(this.#rest);
    this.#rest = null;
  }

  #residentKib(): number {
    try {
      const status = readFileSync(`/proc/${this.group.pid ?? 0}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.POSITIVE_INFINITY);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }
}

/** Runs in virtual time, as many at once as are asked for. */
export class Simulators {
  /** By program and its words; the one that rested last at the end. */
  readonly #idle = new Map<string, Simulator[]>();
  readonly #all = new Set<Simulator>();
  readonly #limits: SimulatorLimits;
  #closed = false;

  constructor(limits: Partial<SimulatorLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  async run(manifest: RunManifest, options: RunOptions): Promise<RunOutcome> {
    try {
      const path = programPath(PROGRAM);
      const { ino, mtimeMs } = statSync(path);
      const words = ['--traces', options.tracesDir, ...(options.samples === false ? ['--without-samples'] : [])];
      const key = `${path} ${ino} ${mtimeMs} ${words.join(' ')}`;
      const simulator = this.#take(key) ?? this.#start(path, words);
      const made = await this.#make(simulator, key, manifest, options);
      if (made !== 'silent') return made;
      const again = await this.#make(this.#start(path, words), key, manifest, options);
      if (again !== 'silent') return again;
      throw new Error('a process that makes its first run cannot be blamed on another');
    } catch (error) {
      return failedBy(error);
    }
  }

  /** Ends every child. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((simulator) => simulator.end()));
  }

  /** 'silent': one that had made other runs ended before it said anything of this one, which is not this one's doing. */
  async #make(
    simulator: Simulator,
    key: string,
    manifest: RunManifest,
    { signal, onFrame, hangMs = HANG_MS }: RunOptions,
  ): Promise<RunOutcome | 'silent'> {
    const { group, chunks, warm } = simulator;
    const stop = (): void => void group.stop().catch(() => undefined);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    const seen: { summary: RunSummary | null; cost: Cost | null; frames: number } = {
      summary: null,
      cost: null,
      frames: 0,
    };
    try {
      simulator.begin(manifest);
      const told = await readRun(
        chunks,
        PROGRAM,
        hangMs,
        (frame, control) => {
          seen.frames += 1;
          if (control?.type === 'summary') seen.summary = figuresOf(control);
          if (control?.type === 'cost') seen.cost = control;
          return onFrame(frame.bytes, frame.header, control);
        },
        true,
      );
      const { failure } = told.failure === null ? told : await this.#ending(simulator, told);
      const { summary, cost, frames } = seen;
      if (failure !== null && warm && frames === 0 && !told.cut && signal?.aborted !== true) return 'silent';
      const outcome = concluded(signal, failure, `${PROGRAM} gave no summary`, {
        stderrTail: group.stderrTail,
        summary,
        cost,
      });
      if (outcome.outcome === 'done') this.#keep(simulator, key);
      else await simulator.end();
      return outcome;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  #ending(simulator: Simulator, told: Told): Promise<Watched> {
    simulator.chunks.destroy();
    return ending(simulator.group, PROGRAM, told);
  }

  #take(key: string): Simulator | null {
    const idle = this.#idle.get(key) ?? [];
    for (let simulator = idle.pop(); simulator !== undefined; simulator = idle.pop()) {
      if (simulator.sound) return simulator;
      void simulator.end();
    }
    return null;
  }

  #start(path: string, words: readonly string[]): Simulator {
    const simulator = new Simulator(path, words, this.#limits);
    this.#all.add(simulator);
    void simulator.group.gone.then(() => {
      this.#all.delete(simulator);
      for (const [key, idle] of this.#idle) {
        const left = idle.filter((other) => other !== simulator);
        if (left.length === 0) this.#idle.delete(key);
        else this.#idle.set(key, left);
      }
    });
    return simulator;
  }

  #keep(simulator: Simulator, key: string): void {
    if (this.#closed || !simulator.sound) return void simulator.end();
    this.#idle.set(key, [...(this.#idle.get(key) ?? []), simulator]);
    simulator.rest();
  }
}
