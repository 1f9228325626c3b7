// Kills the server, its workers, their native programs and Redis again and again while experiments are made, over a disk that fails where that
// is wanted, and holds what comes of them against a server that nobody has disturbed.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ProcessEntry } from '#bridge/testing/fake-programs';
import { ExperimentList, ExperimentRecord, Home, RunRecord } from '#protocol/api';
import type { ExperimentSpecInput } from '#protocol/spec';
import { LATE } from '../late.ts';
import { TestProcess } from '../process.ts';
import { Crew } from './crew.ts';
import { endsIn } from './ends-in.ts';
import { generator } from './random.ts';
import { FailingDisk } from './failing-disk.ts';
import { differences, hostState, marked, MARK, temporaryFiles } from './traces-of.ts';

export interface StormOptions {
  readonly seed: number;
  /** Runs in virtual time, in tens, and in real time. */
  readonly virtualTens: number;
  readonly realtime: number;
  /** Runs over the kernel's TCP, where the machine has it. */
  readonly tun?: number;
  readonly kills: number;
  /** So many calls, about, the disk refuses, at random. */
  readonly disk?: number;
  /** So many workers make runs for the server; they and the Redis between them are killed, too. */
  readonly workers?: number;
  /** Link time of a virtual run: long enough to be hit. */
  readonly duration_s: number;
  readonly onProgress?: (line: string) => void;
}

const VICTIMS = ['server', 'native', 'worker', 'redis'] as const;
type Victim = (typeof VICTIMS)[number];

export interface Storm {
  readonly runs: number;
  readonly kills: Readonly<Record<Victim, number>>;
  /** Runs that workers have made. */
  readonly made: number;
  /** Calls that the disk has refused. */
  readonly refused: number;
  /** Real-time runs that this machine could not keep up with beside all that, and that were made again. */
  readonly overruns: number;
  readonly wall_s: number;
  /** What is not as it should be; empty: all is. */
  readonly faults: readonly string[];
}

const WORKERS = 3;
/** Of the kills, so many hit the server: each takes both what is going on and the time of a restart. */
const SERVER_SHARE = 0.12;
/** Where there are any. */
const WORKER_SHARE = 0.25;
const REDIS_SHARE = 0.12;
const LONGEST_PAUSE_MS = 600;
const PATIENCE_MS = 120_000;
const PASSING_MS = 10_000;
/** A server that is told to end waits for nothing. */
const END_MS = 30_000;
/** Of moments between kills, so many are of a disk that fails; one call in so many does. */
const DISK_SHARE = 0.5;
const [OFTEN, SELDOM] = [10, 100];

const virtual = ({ seed, duration_s, virtualTens }: StormOptions): ExperimentSpecInput => ({
  name: 'storm, virtual time',
  duration_s,
  seed,
  repetitions: virtualTens,
  sample_period_ms: 50,
  traces: [{ rate_mbps: 60 }],
  ccas: ['cubic', 'bbr', 'copa', 'vegas', 'newreno'].map((id) => ({ id })),
  buffers: [{ bdp: 1 }, { bdp: 4 }],
});

const realtime = ({ seed, realtime: repetitions }: StormOptions): ExperimentSpecInput => ({
  name: 'storm, real time',
  engine: 'realtime',
  duration_s: 2,
  seed,
  repetitions,
  traces: [{ rate_mbps: 4 }],
  ccas: [{ id: 'cubic' }],
});

const kernel = ({ seed, tun: repetitions = 0 }: StormOptions): ExperimentSpecInput => ({
  ...{ name: 'storm, kernel TCP', engine: 'realtime', duration_s: 2, seed, repetitions },
  traces: [{ rate_mbps: 4 }],
  ccas: [{ id: 'kernel-cubic' }],
});

export async function storm(options: StormOptions): Promise<Storm> {
  const folder = mkdtempSync(join(tmpdir(), 'paceline-storm-'));
  const mark = randomUUID();
  const begun = performance.now();
  const servers: Lab[] = [];
  const lab = (name: string): Lab => {
    const made = new Lab(folder, name, mark);
    servers.push(made);
    return made;
  };
  const before = hostState();
  let crew: Crew | null = null;
  try {
    const calm = lab('calm');
    await calm.start();
    const ids = await calm.submit(virtual(options));
    await calm.over(ids);
    const expected = new Map<string, string>();
    for (const id of ids) expected.set(id, await calm.fingerprint(id));
    await calm.stop();
    options.onProgress?.(`${ids.length} undisturbed runs in ${((performance.now() - begun) / 1000).toFixed(0)} s`);

    const shaken = lab('shaken');
    if (options.disk !== undefined) shaken.failing();
    const { workers: count = 0 } = options;
    if (count > 0) crew = await Crew.start({ count, folder, mark, kernel: (options.tun ?? 0) > 0 });
    await shaken.start(crew);
    const runs = await shaken.submit(virtual(options));
    const measured = options.realtime === 0 ? [] : await shaken.submit(realtime(options));
    if ((options.tun ?? 0) > 0) measured.push(...(await shaken.submit(kernel(options))));
    const { kills, elsewhere } = await rage(shaken, runs.length + measured.length, options);
    await shaken.over([...runs, ...measured]);
    let overruns = 0;
    for (const id of measured) overruns += await shaken.again(id);
    const faults: string[] = [];
    for (const id of [...runs, ...measured]) {
      const { state, reason } = await shaken.run(id);
      // One that says that this machine never kept up has ended as it should.
      const isHonest = state === 'invalid' && LATE.test(reason ?? '') && measured.includes(id);
      if (state !== 'done' && !isHonest) faults.push(`run ${id} is ${state}: ${reason ?? ''}`);
    }
    for (const id of runs)
      if ((await shaken.fingerprint(id)) !== expected.get(id)) faults.push(`run ${id} is not the same, byte for byte`);
    if (runs.join() !== ids.join()) faults.push('the runs are others than the undisturbed ones');
    await crew?.end();
    faults.push(...(crew?.faults ?? []));
    const made = crew?.made ?? 0;
    if (crew !== null && made <= elsewhere) faults.push(`of ${made} runs that workers made none came to its end`);
    await shaken.stop();
    faults.push(...shaken.faults);
    for (const { pid, name } of marked(mark)) faults.push(`process ${pid} (${name}) is left`);
    if ((options.disk ?? 0) > 0 && shaken.refused === 0) faults.push('the disk has refused nothing');
    faults.push(...(await shaken.check()));
    faults.push(...(await changed(before)));
    return {
      runs: runs.length + measured.length,
      kills,
      made,
      refused: shaken.refused,
      overruns,
      wall_s: (performance.now() - begun) / 1000,
      faults,
    };
  } finally {
    for (const server of servers) await server.kill('SIGKILL');
    await crew?.dispose();
    for (const { pid } of marked(mark)) process.kill(pid, 'SIGKILL');
    for (const server of servers) server.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Kills at random moments, never slower than the runs come to their end: the last kill is in time for the last run. What the disk
 * refuses comes between.
 */
async function rage(
  lab: Lab,
  runs: number,
  { kills: wanted, seed, disk = 0, onProgress }: StormOptions,
): Promise<{ readonly kills: Storm['kills']; readonly elsewhere: number }> {
  const random = generator(seed);
  const tally = { kills: { server: 0, native: 0, worker: 0, redis: 0 }, elsewhere: 0 };
  const { kills } = tally;
  const count = (): number => VICTIMS.reduce((sum, victim) => sum + kills[victim], 0);
  let told = 0;
  const left = (): boolean => count() < wanted || lab.refused < disk;
  for (let done = await lab.done(); done < runs && left(); done = await lab.done()) {
    await lab.crew?.look();
    const fails = lab.refused < disk && (lab.refused === 0 || random() < DISK_SHARE);
    lab.failOneIn(fails ? Math.round(OFTEN + random() * (SELDOM - OFTEN)) : 0);
    const late = count() / wanted < done / runs;
    if (!late) await sleep(random() * LONGEST_PAUSE_MS);
    // Kills come as the runs do where the disk holds these up.
    if (count() < wanted && (late || disk === 0)) await hit(lab, random, tally);
    if (count() < told + 50) continue;
    told = count();
    onProgress?.(`${told} kills (${kills.server} of the server), ${done} of ${runs} runs done`);
  }
  lab.failOneIn(0);
  await lab.crew?.settle();
  return tally;
}

/** What was killed, and how many of the native programs were a worker's. */
interface Tally {
  readonly kills: Record<Victim, number>;
  elsewhere: number;
}

async function hit(lab: Lab, random: () => number, tally: Tally): Promise<void> {
  const { kills } = tally;
  const { crew } = lab;
  const signal = random() < 0.8 ? 'SIGKILL' : 'SIGTERM';
  const whom = random();
  if (whom < SERVER_SHARE) {
    await lab.kill(signal);
    kills.server += 1;
    await lab.start();
  } else if (crew !== null && whom < SERVER_SHARE + WORKER_SHARE) {
    if (crew.hitWorker(random)) kills.worker += 1;
  } else if (crew !== null && whom < SERVER_SHARE + WORKER_SHARE + REDIS_SHARE) {
    if (crew.hitRedis(random)) kills.redis += 1;
  } else {
    const parent = lab.killNative(random(), signal);
    if (parent === null) return;
    kills.native += 1;
    if (parent === 'worker') tally.elsewhere += 1;
  }
}

/** What is otherwise than it was: what others do on this machine passes. */
async function changed(before: ReadonlyMap<string, string>): Promise<string[]> {
  const overAt = performance.now() + PASSING_MS;
  for (;;) {
    const found = differences(before, hostState());
    if (found.length === 0 || performance.now() > overAt) return found;
    await sleep(100);
  }
}

/** A server with a data folder that outlives it. */
class Lab {
  readonly #folder: string;
  readonly #name: string;
  readonly #mark: string;
  #process: TestProcess | null = null;
  #url = '';
  readonly #experiments: string[] = [];
  /** How it has ended when nobody had asked it to. */
  readonly faults: string[] = [];
  #disk: FailingDisk | null = null;
  /** Who makes runs for it. */
  crew: Crew | null = null;

  constructor(folder: string, name: string, mark: string) {
    this.#folder = join(folder, name);
    this.#name = name;
    this.#mark = mark;
    mkdirSync(join(this.#folder, 'tmp'), { recursive: true });
  }

  /** From its next start on its disk can fail. */
  failing(): void {
    this.#disk = new FailingDisk(this.#folder, join(this.#folder, 'data'));
  }

  failOneIn(every: number): void {
    this.#disk?.failOneIn(every);
  }

  get refused(): number {
    return this.#disk?.failed ?? 0;
  }

  dispose(): void {
    this.#disk?.close();
  }

  async start(crew: Crew | null = this.crew): Promise<void> {
    this.crew = crew;
    const marks = { TMPDIR: join(this.#folder, 'tmp'), [MARK]: this.#mark, PACELINE_LOG: 'silent' };
    const env = { ...process.env, ...marks, PACELINE_REDIS_URL: crew?.url ?? '', ...this.#disk?.env };
    const words = ['--port', '0', '--workers', String(WORKERS), '--data-dir', join(this.#folder, 'data')];
    this.#process = new TestProcess('server/src/main.ts', words, this.#folder, env);
    [, this.#url = ''] = await this.#process.says(/^Paceline is ready: (http:\S+)/m);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process?.child;
    const ended = child?.exitCode ?? child?.signalCode ?? null;
    if (ended !== null) this.faults.push(`the server ended by itself (${ended}): ${this.#process?.stderr ?? ''}`);
    if (this.#process !== null && (await endsIn(this.#process, signal, END_MS)) === null)
      this.faults.push(`the server was told to end by ${signal} and does not: ${this.#process.stderr}`);
    this.#process = null;
    // A start that cannot write says so and ends: that is another test.
    this.failOneIn(0);
  }

  /** What is not whole in its data folder, and what it has left beside it. */
  async check(): Promise<string[]> {
    const words = ['check', '--data-dir', join(this.#folder, 'data')];
    const { code, stdout } = await new TestProcess('server/src/cli/main.ts', words).ended();
    const left = temporaryFiles(join(this.#folder, 'tmp')).map((name) => `the temporary file ${name} is left`);
    return code === 0 ? left : [stdout, ...left];
  }

  async stop(): Promise<void> {
    await this.kill('SIGTERM');
    // What the server has started ends with it, but not at once.
    for (let i = 0; i < 200 && marked(this.#mark).length > 0; i++) await sleep(50);
  }

  /** Its runs, once the sample experiment of the home page is out of the way. */
  async submit(spec: ExperimentSpecInput): Promise<string[]> {
    const { runs: shown, experiment } = await this.#get('home', Home);
    if (experiment !== null) await this.over(shown);
    const response = await fetch(new URL('/api/v1/experiments', this.#url), {
      method: 'POST',
      body: JSON.stringify(spec),
      headers: { 'content-type': 'application/json' },
    });
    const { id, runs } = ExperimentRecord.parse(await response.json());
    this.#experiments.push(id);
    return runs.map((run) => run.id);
  }

  run(id: string): Promise<RunRecord> {
    return this.#get(`runs/${id}`, RunRecord);
  }

  /** How many runs of the submitted experiments have come to their end. */
  async done(): Promise<number> {
    const { experiments } = await this.#get('experiments', ExperimentList);
    const own = experiments.filter(({ id }) => this.#experiments.includes(id));
    return own.reduce((sum, { runs_done, runs_failed }) => sum + runs_done + runs_failed, 0);
  }

  /** Resolves when none of these waits or goes on. */
  async over(runs: readonly string[]): Promise<void> {
    let [left, since] = [[...runs], performance.now()];
    while (left.length > 0) {
      const states = await Promise.all(left.slice(0, 8).map(async (id) => ({ id, state: (await this.run(id)).state })));
      const over = states.filter(({ state }) => state !== 'queued' && state !== 'running').map(({ id }) => id);
      if (over.length > 0) since = performance.now();
      else if (performance.now() - since > PATIENCE_MS)
        throw new Error(`${this.#name}: ${left.length} runs do not end`);
      left = left.filter((id) => !over.includes(id));
      if (over.length === 0) await sleep(100);
    }
  }

  /** Makes a real-time run again for which the machine was too slow; gives how often. */
  async again(id: string): Promise<number> {
    for (let times = 0; ; times++) {
      if ((await this.run(id)).state !== 'invalid' || times === 5) return times;
      await fetch(new URL(`/api/v1/runs/${id}/retry`, this.#url), { method: 'POST' });
      await this.over([id]);
    }
  }

  /** Of everything that is stored of a run, but what it has cost. */
  async fingerprint(id: string): Promise<string> {
    const hash = createHash('sha256');
    const { summary, time_s } = await this.run(id);
    hash.update(JSON.stringify({ summary, time_s }));
    const controls = await this.#get(`runs/${id}/control`, z.array(z.looseObject({ type: z.string() })));
    hash.update(JSON.stringify(controls.filter(({ type }) => type !== 'cost')));
    const samples = await fetch(new URL(`/api/v1/runs/${id}/samples`, this.#url));
    hash.update(new Uint8Array(await samples.arrayBuffer()));
    return hash.digest('hex');
  }

  /** One of those that a run is going on in; tells whose it was. Null: there is none now. */
  killNative(which: number, signal: NodeJS.Signals): 'server' | 'worker' | null {
    const of = (whose: 'server' | 'worker', natives: ProcessEntry[] = []): { pid: number; whose: typeof whose }[] =>
      natives.flatMap(({ pid, name }) => (/^paceline-(simul|emul|send|recei)/.test(name) ? { pid, whose } : []));
    const natives = [...of('server', this.#process?.natives()), ...of('worker', this.crew?.natives())];
    const victim = natives[Math.floor(which * natives.length)];
    if (victim === undefined) return null;
    try {
      process.kill(victim.pid, signal);
      return victim.whose;
    } catch {
      return null; // it has just ended by itself
    }
  }

  async #get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const response = await fetch(new URL(`/api/v1/${path}`, this.#url)).catch(async (error: unknown) => {
      const { exitCode = null, signalCode = null } = this.#process?.child ?? {};
      if (exitCode === null && signalCode === null) throw error;
      // Told as a fault, and begun anew.
      await this.kill('SIGKILL');
      await this.start();
      return fetch(new URL(`/api/v1/${path}`, this.#url));
    });
    const said: unknown = await response.json();
    if (!response.ok) throw new Error(`${this.#name}: ${path}: ${response.status} ${JSON.stringify(said)}`);
    return schema.parse(said);
  }
}
