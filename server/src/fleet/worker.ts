// Makes runs for a server on another machine: takes them from its queue in Redis, and tells what the native programs say.
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SpanKind } from '@opentelemetry/api';
import { Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { z } from 'zod';
import { OwnEngines } from '#bridge/own-engines';
import type { ChangeLink, RunOutcome } from '#bridge/outcome';
import { run as runNative } from '#bridge/run';
import { Simulators } from '#bridge/simulators';
import { temporaryFolder } from '#bridge/temporary';
import { Offer, Order, STDERR_CHARS, ServerSign, type WorkerCard, type WorkerEnd } from '#protocol/fleet';
import type { Capability } from '#protocol/workers';
import { contextFrom, traced } from '../tracing/spans.ts';
import { Cache, NotLent } from './cache.ts';
import { removeCard, writeCard } from './cards.ts';
import { Cores } from './cores.ts';
import { capabilityOf } from './needs.ts';
import { KEYS, QUEUE_PREFIX, queueName, RENEW_MS } from './keys.ts';
import { parsed } from './parsed.ts';
import { connectRedis, firstConnection, within } from './redis.ts';
import { Teller } from './teller.ts';

/** A server that has not been there for so long will not come back for what it offered. */
const SERVER_MS = 30_000;
/** After something that is wrong with this machine. */
const TROUBLE_MS = 15_000;
/** Redis answers within so long, or not for now. */
const ANSWER_MS = 3000;
/** Whoever ends waits so long for Redis, step by step. */
const LEAVE_MS = 3000;
/** By then BullMQ takes a worker for gone; the server looks at cards, and knows sooner. */
const LOCK_MS = 30_000;
const QLOG_PIECE = 256 * 1024;

export interface WorkerOptions {
  readonly url: string;
  readonly name: string;
  readonly capabilities: readonly Capability[];
  readonly cores: number;
  readonly cacheDir: string;
  readonly cacheBytes: number;
  readonly engineVersion: string;
  /** What the kernel's TCP has here. */
  readonly kernelCcas: readonly string[];
  readonly log: Logger;
  /** How long a server may be away before it is taken for gone. */
  readonly patienceMs?: number;
  /** Makes one run; others than the native programs for tests. */
  readonly make?: typeof runNative;
}

/** A run in hand. */
interface Errand {
  readonly job: string;
  readonly offer: Offer;
  /** The server wants it no more, or is gone. */
  readonly unwanted: AbortController;
  /** It ends, for whatever reason. */
  readonly over: AbortController;
  change: ChangeLink | null;
}

const JobId = z.string().min(1);

export class FleetWorker {
  readonly id = randomUUID();
  readonly #options: WorkerOptions;
  readonly #redis: Redis;
  readonly #orders: Redis;
  readonly #cache: Cache;
  readonly #cores: Cores;
  readonly #simulators = new Simulators();
  readonly #ownEngines = new OwnEngines();
  readonly #workers = new Map<Capability, Worker>();
  readonly #errands = new Map<string, Errand>();
  readonly #since = new Date().toISOString();
  #sign: ServerSign | null = null;
  #signAt = performance.now();
  #capabilities: Capability[] = [];
  #done = 0;
  #draining = false;
  #closing = false;
  #trouble: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #idle: (() => void) | null = null;

  private constructor(options: WorkerOptions, redis: Redis) {
    this.#options = options;
    this.#redis = redis;
    this.#orders = connectRedis(options.url, options.log);
    this.#cache = new Cache(join(options.cacheDir, 'files'), redis, options.cacheBytes);
    this.#cores = new Cores(options.cores);
  }

  /** Throws UsageError where Redis does not answer. It takes runs at once. */
  static async open(options: WorkerOptions): Promise<FleetWorker> {
    const worker = new FleetWorker(options, await firstConnection(options.url, options.log));
    await worker.#begin();
    return worker;
  }

  get card(): WorkerCard {
    return {
      id: this.id,
      name: this.#options.name,
      engine_version: this.#options.engineVersion,
      capabilities: this.#capabilities,
      cores: this.#options.cores,
      cores_busy: this.#cores.busy,
      since: this.#since,
      doing: [...this.#errands.values()].map(({ job, offer }) => ({ job, run: offer.run })),
      done: this.#done,
      draining: this.#draining,
      trouble: this.#trouble,
    };
  }

  /** Takes nothing more; resolves when what it has in hand is over. */
  async drain(): Promise<void> {
    this.#draining = true;
    await Promise.all([within(LEAVE_MS, this.#renew()), this.#takeOrRest()]);
    await this.#whenIdle();
  }

  /** Gives back what it has in hand, and is gone. */
  async close(): Promise<void> {
    this.#draining = true;
    this.#closing = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const { over } of this.#errands.values()) over.abort();
    await within(LEAVE_MS, this.#whenIdle());
    // Redis is gone, and so is whoever would hear the rest.
    for (const { unwanted } of this.#errands.values()) unwanted.abort();
    await within(LEAVE_MS, this.#whenIdle());
    await Promise.all([...this.#workers.values()].map((worker) => worker.close(true).catch(() => undefined)));
    await Promise.all([this.#simulators.close(), this.#ownEngines.close()]);
    await within(
      LEAVE_MS,
      removeCard(this.#redis, this.id).catch(() => undefined),
    );
    this.#orders.disconnect();
    this.#redis.disconnect();
  }

  async #whenIdle(): Promise<void> {
    if (this.#errands.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  async #begin(): Promise<void> {
    this.#orders.on('message', (_channel, text) => this.#obey(text));
    await this.#orders.subscribe(KEYS.orders);
    // What was not heard meanwhile is on the list of what is stopped.
    this.#orders.on('ready', () => void this.#orders.subscribe(KEYS.orders).catch(() => undefined));
    await this.#renew();
  }

  /** Of each queue: runs are taken from it, or not for now. */
  async #takeOrRest(): Promise<void> {
    const rests = this.#draining || this.#trouble !== null;
    for (const capability of this.#options.capabilities) {
      const takes = !rests && this.#capabilities.includes(capability);
      const worker = this.#workers.get(capability);
      if (worker === undefined) {
        if (takes) this.#open(capability);
      } else if (takes && worker.isPaused()) void worker.resume().catch(() => undefined);
      else if (!takes && !worker.isPaused()) await worker.pause(true);
    }
  }

  #open(capability: Capability): void {
    const { cores, engineVersion, log } = this.#options;
    const worker = new Worker(queueName(engineVersion, capability), (job) => this.#work(job), {
      connection: this.#redis,
      prefix: QUEUE_PREFIX,
      // Runs in real time want several cores each.
      concurrency: capability === 'virtual' ? cores : Math.max(1, Math.floor(cores / 2)),
      lockDuration: LOCK_MS,
      // The server decides what is tried again.
      maxStalledCount: 0,
    });
    worker.on('error', (error) => log.debug({ err: error }, 'BullMQ'));
    this.#workers.set(capability, worker);
  }

  /** What the server says, and what is said of this worker. */
  async #renew(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    try {
      // A Redis that is gone answers nothing: for whoever waits for what is in hand that is a server that is gone.
      const isThere = this.#redis.status === 'ready';
      this.#heed(isThere ? await within(ANSWER_MS, this.#redis.get(KEYS.sign)) : null);
      if (isThere) await within(ANSWER_MS, this.#tellOfItself());
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the card could not be renewed');
    }
    // One that waited for Redis may come to here after the end, and two at once, each with a timer.
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = this.#closing ? null : setTimeout(() => void this.#renew(), RENEW_MS);
  }

  async #tellOfItself(): Promise<void> {
    await writeCard(this.#redis, this.card);
    await this.#dropStopped();
  }

  #heed(text: string | null): void {
    const sign = parsed(ServerSign, text);
    if (sign === null) {
      if (performance.now() - this.#signAt < (this.#options.patienceMs ?? SERVER_MS)) return;
      if (this.#sign !== null) this.#options.log.warn('the server is gone; waiting for the next one');
      this.#sign = null;
      for (const errand of this.#errands.values()) errand.unwanted.abort();
      return;
    }
    this.#signAt = performance.now();
    if (sign.server === this.#sign?.server) return;
    this.#sign = sign;
    // What another one offered it has offered anew, if it still wants it.
    for (const errand of this.#errands.values()) if (errand.offer.server !== sign.server) errand.unwanted.abort();
    this.#meet(sign);
  }

  #meet({ engine_version, kernel_ccas }: ServerSign): void {
    const { engineVersion, kernelCcas, capabilities, log } = this.#options;
    const missing = kernel_ccas.filter((id) => !kernelCcas.includes(id));
    this.#capabilities = capabilities.filter((capability) => capability !== 'kernel' || missing.length === 0);
    if (engine_version !== engineVersion)
      log.error(
        `the server's engine is ${engine_version}, this one is ${engineVersion}: nothing is taken before both have the same Paceline`,
      );
    else if (this.#capabilities.length < capabilities.length)
      log.warn(
        `runs over the kernel's TCP are not taken: the server's kernel has ${missing.join(', ')}, this one has not`,
      );
    else log.info({ capabilities }, 'a server is there');
    void this.#takeOrRest().catch((error: unknown) => log.warn({ err: error }, 'what is taken could not be changed'));
  }

  /** Orders that were not heard. */
  async #dropStopped(): Promise<void> {
    const jobs = [...this.#errands.values()].filter(({ unwanted }) => !unwanted.signal.aborted);
    if (jobs.length === 0 || this.#sign === null) return;
    const flags = await this.#redis.smismember(KEYS.stopped(this.#sign.server), ...jobs.map(({ job }) => job));
    for (const [i, errand] of jobs.entries()) if (flags[i] === 1) errand.unwanted.abort();
  }

  #obey(text: string): void {
    const order = parsed(Order, text);
    if (order === null) return;
    const errand = this.#errands.get(order.job);
    if (order.order === 'stop') errand?.unwanted.abort();
    else errand?.change?.(order.change);
  }

  /** Never rejects: what came of a run is told to the server, not to the queue. */
  async #work(job: Job): Promise<void> {
    const { log } = this.#options;
    const offer = Offer.safeParse(job.data);
    const id = JobId.safeParse(job.id);
    if (!offer.success || !id.success) {
      log.error({ job: job.id }, 'what is in the queue is no run');
      return;
    }
    const errand: Errand = {
      job: id.data,
      offer: offer.data,
      unwanted: new AbortController(),
      over: new AbortController(),
      change: null,
    };
    errand.unwanted.signal.addEventListener('abort', () => errand.over.abort(), { once: true });
    this.#errands.set(errand.job, errand);
    // One that was on its way when this worker was told to end goes back.
    if (this.#draining) errand.over.abort();
    try {
      const release = await this.#cores.take(errand.offer.cores);
      try {
        const { run, traceparent } = errand.offer;
        const about = { 'paceline.run': run, 'paceline.worker': this.#options.name };
        const from = contextFrom(traceparent);
        await traced('make', about, () => this.#make(errand), { from, kind: SpanKind.CONSUMER });
      } finally {
        release();
      }
    } catch (error) {
      log.error({ err: error, run: errand.offer.run }, 'a run could not be made');
    } finally {
      this.#errands.delete(errand.job);
      if (this.#errands.size === 0) this.#idle?.();
    }
  }

  async #make(errand: Errand): Promise<void> {
    const { job, offer, unwanted } = errand;
    // A server that has come since the last look offers at once.
    if (offer.server !== this.#sign?.server) this.#heed(await this.#redis.get(KEYS.sign));
    if (unwanted.signal.aborted || offer.server !== this.#sign?.server) return;
    const teller = new Teller(this.#redis, KEYS.told(offer.server), job, unwanted.signal);
    teller.begun(this.id);
    const started = performance.now();
    const folder = offer.manifest.qlog === true ? await temporaryFolder() : null;
    try {
      const end = await this.#end(errand, teller, folder, started);
      if (end.kind === 'outcome') this.#done += 1;
      await teller.end(end);
    } finally {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    }
  }

  async #end(errand: Errand, teller: Teller, folder: string | null, started: number): Promise<WorkerEnd> {
    const { offer, over, unwanted } = errand;
    const { name } = this.#options;
    const returned: WorkerEnd = { kind: 'returned', reason: `${name}: it ends` };
    const isGivenBack = (): boolean => over.signal.aborted && (this.#closing || !unwanted.signal.aborted);
    if (isGivenBack()) return returned;
    // On its way when the server's kernel became another, or put where it does not belong.
    const capability = capabilityOf(offer.manifest);
    if (capability === null || !this.#capabilities.includes(capability))
      return { kind: 'returned', reason: `${name} makes no such runs` };
    try {
      await traced('fetch', { 'paceline.files': offer.files.length }, () => this.#cache.fetch(offer.files));
    } catch (error) {
      if (error instanceof NotLent) return { kind: 'missing', reason: `${name}: ${error.message}` };
      await this.#suffer(error);
      return { kind: 'returned', reason: `${name}: ${error instanceof Error ? error.message : String(error)}` };
    }
    const outcome = await (this.#options.make ?? runNative)(offer.manifest, {
      tracesDir: this.#cache.folder,
      program: (sha256) => this.#text(sha256),
      simulators: this.#simulators,
      ownEngines: this.#ownEngines,
      samples: offer.samples,
      signal: over.signal,
      onFrame: (bytes) => teller.frames(bytes),
      onChangeable: (change) => {
        errand.change = change;
        teller.changeable();
      },
      ...(folder !== null && { qlogFile: (flow) => join(folder, `${flow}`) }),
    });
    if (outcome.cause === 'machine') await this.#suffer(outcome.reason);
    if (outcome.cause === 'machine') return { kind: 'returned', reason: `${name}: ${outcome.reason ?? ''}` };
    if (isGivenBack()) return returned;
    if (folder !== null) await this.#tellQlogs(offer, teller, folder);
    return { kind: 'outcome', outcome: plain(outcome), worker: name, wall_s: (performance.now() - started) / 1000 };
  }

  #text(sha256: string): string | null {
    const file = join(this.#cache.folder, `${sha256}.own`);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  async #tellQlogs({ manifest }: Offer, teller: Teller, folder: string): Promise<void> {
    for (const flow of manifest.flows.keys()) {
      const file = join(folder, `${flow}`);
      if (!existsSync(file)) continue;
      for await (const bytes of createReadStream(file, { highWaterMark: QLOG_PIECE }))
        await teller.qlog(flow, z.instanceof(Buffer).parse(bytes));
    }
  }

  /** Something is wrong with this machine: others are to make the runs until it may be better. */
  async #suffer(error: unknown): Promise<void> {
    const { log } = this.#options;
    if (this.#trouble !== null) return;
    this.#trouble = error instanceof Error ? error.message : String(error);
    log.error({ reason: this.#trouble }, `no runs are taken for ${TROUBLE_MS / 1000} s`);
    await this.#takeOrRest();
    await this.#renew();
    setTimeout(() => {
      this.#trouble = null;
      void this.#takeOrRest().catch(() => undefined);
    }, TROUBLE_MS).unref();
  }
}

/** As it travels. */
function plain({
  elsewhere: _,
  cause,
  stderrTail,
  ...rest
}: RunOutcome): Extract<WorkerEnd, { kind: 'outcome' }>['outcome'] {
  // Only a server says that something is lost.
  return { ...rest, stderrTail: stderrTail.slice(-STDERR_CHARS), cause: cause === 'lost' ? 'own' : cause };
}
