// The server's side of workers on other machines: runs go to them by a queue in Redis, and come back as what they tell.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { EngineListing } from '#protocol/cca';
import type { RunManifest } from '#protocol/manifest';
import type { RunOptions, RunOutcome } from '#bridge/outcome';
import { ServerSign, type Offer, type Order, type WorkerCard } from '#protocol/fleet';
import type { Capability } from '#protocol/workers';
import type { SettingStore } from '../store/settings.ts';
import { carried } from '../tracing/spans.ts';
import { readCards } from './cards.ts';
import { Inbox } from './inbox.ts';
import { capabilityOf, isOfKernel } from './needs.ts';
import { KEYS, QUEUE_PREFIX, queueName, RENEW_MS, SIGN_S } from './keys.ts';
import { parsed } from './parsed.ts';
import { broken, Gap, lost, Receipt, stopped, type Told } from './receipt.ts';
import { connectRedis, placeOf, within } from './redis.ts';
import { Shelf } from './shelf.ts';

/** A start waits so long for Redis to answer. */
const FIRST_MS = 2000;
/** One that says nothing for so long is as good as none. */
const SILENT_MS = 6000;
/** Without Redis for so long, what is in others' hands is taken back. */
const PATIENCE_MS = 30_000;
/** Neither waiting nor in any worker's hands for so long, a run is lost. */
const MISSING_MS = 5000;
/** A look at the workers takes milliseconds, and so long at most. */
const LOOK_MS = 2000;
/** A stopped run's last words are waited for so long. */
const STOP_MS = 3000;
/** What is ours in Redis is taken away within so long, or stays. */
const LEAVE_MS = 2000;
/** Waiting runs that are looked for in the queue, in a second. */
const LOOKED_FOR = 64;
/** Beside those that a core has in hand: it need not wait for the next one. */
const AHEAD_PER_CORE = 1;

const SETTING = 'fleet';
const Remembered = z.object({ lab: z.uuid(), server: z.uuid() });

export interface FleetOptions {
  readonly url: string;
  readonly tracesDir: string;
  readonly program: (sha256: string) => string | null;
  /** What the native programs of this machine can do; rejects while they cannot be used. */
  readonly listing: () => Promise<EngineListing>;
  readonly settings: SettingStore;
  readonly log: Logger;
}

/** A run in others' hands. */
interface Errand {
  readonly job: string;
  readonly run: string;
  readonly capability: Capability;
  readonly cores: number;
  readonly receipt: Receipt;
  readonly settle: (outcome: RunOutcome | null) => void;
  /** The run is no longer wanted. */
  readonly signal: AbortSignal | undefined;
  /** Of the span that it is made in. */
  readonly traceparent: string | undefined;
  offered: boolean;
  begun: boolean;
  /** Since when nobody has it. */
  missingSince: number | null;
}

export class Fleet {
  readonly #options: FleetOptions;
  readonly #redis: Redis;
  readonly #inbox: Inbox;
  readonly #shelf: Shelf;
  readonly #server = randomUUID();
  readonly #queues = new Map<string, Queue>();
  readonly #errands = new Map<string, Errand>();
  readonly #listeners = new Set<() => void>();
  /** Null: this Redis is not ours yet. */
  #sign: ServerSign | null = null;
  #taken: string | null = null;
  #cards: readonly WorkerCard[] = [];
  #told = '';
  #fault = '';
  #answeredAt = performance.now();
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  /** It asks nobody for anything before it is started. */
  constructor(options: FleetOptions) {
    const { url, tracesDir, program, log } = options;
    const redis = connectRedis(url, log);
    this.#options = options;
    this.#redis = redis;
    this.#shelf = new Shelf({ redis, tracesDir, program });
    this.#inbox = new Inbox(connectRedis(url, log), KEYS.told(this.#server), (told) => this.#take(told), log);
    redis.on('ready', () => this.#shelf.forget());
  }

  /** Makes this Redis its own, now or as soon as it answers: until then all runs are made here. */
  async start(): Promise<void> {
    if (this.#redis.status !== 'ready')
      await Promise.race([
        new Promise((resolve) => this.#redis.once('ready', resolve)),
        wait(FIRST_MS, undefined, { ref: false }),
      ]);
    await this.#tick();
  }

  async #signIn(): Promise<void> {
    const { settings, url, listing, log } = this.#options;
    const { engine_version, ccas } = await listing();
    const kernelCcas = ccas.map(({ id }) => id).filter(isOfKernel);
    const before = settings.get(SETTING, Remembered);
    const lab = before?.lab ?? randomUUID();
    const sign = { server: this.#server, lab, engine_version, kernel_ccas: kernelCcas };
    const there = parsed(ServerSign, await this.#redis.get(KEYS.sign));
    if (there !== null && there.lab !== lab) {
      const place = placeOf(url);
      const taken = `${place} is in use by the server of another data folder: give each a database of its own, as ${place.replace(/\/\d+$/, '')}/1`;
      if (this.#taken !== taken) log.error(taken);
      this.#taken = taken;
      return;
    }
    this.#taken = null;
    settings.set(SETTING, { lab, server: this.#server });
    await this.#inbox.open(this.#redis);
    await this.#redis.set(KEYS.sign, JSON.stringify(sign), 'EX', SIGN_S);
    if (before !== null) await this.#redis.del(KEYS.told(before.server), KEYS.stopped(before.server));
    // What a server that is gone has offered is offered anew, as its data folder says.
    for (const name of await this.#redis.keys(`${QUEUE_PREFIX}:*:meta`)) {
      const old = new Queue(name.slice(QUEUE_PREFIX.length + 1, -':meta'.length), {
        connection: this.#redis,
        prefix: QUEUE_PREFIX,
      });
      await old.obliterate({ force: true });
      await old.close();
    }
    this.#inbox.start();
    this.#sign = sign;
    log.info({ redis: placeOf(url) }, 'workers may come');
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Every worker that is there, also those that this server has no use for; without Redis nobody knows of any. */
  get cards(): readonly WorkerCard[] {
    return this.trouble === null ? this.#cards : [];
  }

  get place(): string {
    return placeOf(this.#options.url);
  }

  /** Why no runs go to workers, whoever is there; null: they do. */
  get trouble(): string | null {
    if (this.#redis.status !== 'ready') return `Redis cannot be reached at ${this.place}`;
    if (this.#sign === null) return this.#taken ?? 'Redis was not asked yet';
    return this.#silentMs > SILENT_MS ? `Redis does not answer at ${this.place}` : null;
  }

  /** Since it last answered everything. */
  get #silentMs(): number {
    return performance.now() - this.#answeredAt;
  }

  /** Cores for runs in virtual time. */
  get cores(): number {
    return this.#crew('virtual').reduce((sum, { cores }) => sum + cores, 0);
  }

  /** What a run needs of whoever makes it, if there is such a worker; null: it is made here. */
  placeOf(manifest: RunManifest): Capability | null {
    const capability = capabilityOf(manifest);
    return capability !== null && this.takes(capability) && this.#shelf.fits(manifest) ? capability : null;
  }

  /** Whether there is anybody who makes such runs. */
  takes(capability: Capability): boolean {
    return this.#crew(capability).length > 0;
  }

  /** Whether a run more would not only wait there. */
  hasRoom(capability: Capability, cores: number): boolean {
    const errands = [...this.#errands.values()];
    const there = this.#crew(capability).reduce((sum, card) => sum + card.cores, 0);
    if (capability === 'virtual')
      return errands.filter((errand) => errand.capability === 'virtual').length < there * (1 + AHEAD_PER_CORE);
    const used = errands.reduce((sum, errand) => sum + (errand.capability === 'virtual' ? 0 : errand.cores), 0);
    return used === 0 || used + cores <= there;
  }

  /** Makes this run on another machine. It never rejects; null: it was not made, through no fault of its own. */
  maker(
    wanted: Pick<Errand, 'run' | 'cores' | 'capability'>,
  ): (manifest: RunManifest, options: RunOptions) => Promise<RunOutcome | null> {
    return (manifest, options) => this.#make(wanted, manifest, options);
  }

  #make(
    { run, cores, capability }: Pick<Errand, 'run' | 'cores' | 'capability'>,
    manifest: RunManifest,
    options: RunOptions,
  ): Promise<RunOutcome | null> {
    const { signal } = options;
    if (signal?.aborted === true) return Promise.resolve(stopped());
    const job = randomUUID();
    return new Promise((resolve) => {
      const stop = (): void => void this.#stop(errand);
      const settle = (outcome: RunOutcome | null): void => {
        if (!this.#errands.delete(job)) return;
        signal?.removeEventListener('abort', stop);
        // Whoever had it has given it back, or is gone: it is stopped all the same.
        const isUnmade = outcome === null || outcome.cause === 'lost';
        resolve(isUnmade && signal?.aborted === true ? stopped() : outcome);
      };
      const change = (wanted: Extract<Order, { order: 'change' }>['change']): void =>
        this.#order({ order: 'change', job, change: wanted });
      const receipt = new Receipt(options, change);
      const state = { offered: false, begun: false, missingSince: null };
      const traceparent = carried();
      const errand: Errand = { job, run, capability, cores, receipt, settle, signal, traceparent, ...state };
      this.#errands.set(job, errand);
      signal?.addEventListener('abort', stop, { once: true });
      this.#offer(errand, manifest, options.samples ?? true).catch((error: unknown) => {
        if (this.trouble === null) settle(broken(error instanceof Error ? error.message : String(error)));
        else settle(null);
      });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const errand of this.#errands.values()) errand.settle(null);
    const left = this.trouble === null ? this.#leave().catch(() => undefined) : null;
    if (left !== null) await within(LEAVE_MS, left);
    await this.#inbox.close();
    for (const queue of this.#queues.values()) await queue.close().catch(() => undefined);
    this.#redis.disconnect();
  }

  /** Who comes next finds nothing of ours. */
  async #leave(): Promise<void> {
    for (const queue of this.#queues.values()) await queue.obliterate({ force: true });
    const there = parsed(ServerSign, await this.#redis.get(KEYS.sign));
    if (there?.server === this.#server) await this.#redis.del(KEYS.sign);
    await this.#redis.del(KEYS.told(this.#server), KEYS.stopped(this.#server));
  }

  #crew(capability: Capability): WorkerCard[] {
    if (this.trouble !== null) return [];
    return this.#cards.filter(
      (card) =>
        card.engine_version === this.#sign?.engine_version &&
        card.capabilities.includes(capability) &&
        !card.draining &&
        card.trouble === null,
    );
  }

  #queue(capability: Capability): Queue {
    const name = queueName(this.#sign?.engine_version ?? '', capability);
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = new Queue(name, { connection: this.#redis, prefix: QUEUE_PREFIX });
    // Told by the connection.
    queue.on('error', () => undefined);
    this.#queues.set(name, queue);
    return queue;
  }

  async #offer(errand: Errand, manifest: RunManifest, samples: boolean): Promise<void> {
    const { job, run, cores, capability } = errand;
    const files = await this.#shelf.lend(manifest);
    // Taken back meanwhile.
    if (!this.#errands.has(job)) return;
    const { traceparent } = errand;
    const about = { server: this.#server, run, manifest, cores, samples, files };
    const offer: Offer = { ...about, ...(traceparent !== undefined && { traceparent }) };
    await this.#queue(capability).add('run', offer, { jobId: job, removeOnComplete: true, removeOnFail: true });
    if (this.#errands.has(job)) errand.offered = true;
    else await this.#withdraw(errand);
  }

  #order(order: Order): void {
    this.#redis.publish(KEYS.orders, JSON.stringify(order)).catch(() => undefined);
  }

  /** Somebody wants it no more. What it told until then is its own. */
  async #stop(errand: Errand): Promise<void> {
    if (!errand.begun || this.trouble !== null) errand.settle(stopped());
    else setTimeout(() => errand.settle(stopped()), STOP_MS).unref();
    await this.#withdraw(errand);
  }

  /** Whoever has it drops it, and who has not begun it does not. */
  async #withdraw({ job, capability }: Errand): Promise<void> {
    if (this.trouble !== null) return;
    this.#order({ order: 'stop', job });
    const key = KEYS.stopped(this.#server);
    await this.#redis
      .multi()
      .sadd(key, job)
      .expire(key, 3600)
      .exec()
      .catch(() => undefined);
    // One that is being made cannot be taken away: it is told to end.
    await this.#queue(capability)
      .remove(job)
      .catch(() => undefined);
  }

  async #take(told: Told): Promise<void> {
    const errand = this.#errands.get(told.job);
    if (errand === undefined) return;
    errand.begun = true;
    errand.missingSince = null;
    try {
      const taken = await errand.receipt.take(told);
      if (!taken.over) return;
      if (taken.outcome?.cause === 'lost') this.#shelf.forget();
      if (taken.outcome === null)
        this.#options.log.info({ run: errand.run, reason: taken.reason }, 'a worker gave a run back');
      errand.settle(taken.outcome);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      errand.settle(
        error instanceof Gap ? lost(reason) : broken(`what its worker told of it cannot be used: ${reason}`),
      );
      await this.#withdraw(errand);
    }
  }

  async #tick(): Promise<void> {
    if (this.#silentMs > PATIENCE_MS) for (const errand of this.#errands.values()) errand.settle(null);
    // One that a Redis which is gone has not answered is waited for no longer, and not begun twice.
    if (this.#redis.status === 'ready') this.#looking ??= this.#lookOnce().finally(() => (this.#looking = null));
    await within(LOOK_MS, this.#looking ?? Promise.resolve());
    this.#tell();
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#tick(), RENEW_MS);
  }

  async #lookOnce(): Promise<void> {
    try {
      await this.#look();
      this.#answeredAt = performance.now();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#redis.status === 'ready' && reason !== this.#fault)
        this.#options.log.warn({ err: error }, 'workers could not be looked at');
      this.#fault = reason;
    }
  }

  async #look(): Promise<void> {
    if (this.#sign === null) await this.#signIn();
    if (this.#sign === null) return;
    await this.#inbox.open(this.#redis);
    await this.#redis.set(KEYS.sign, JSON.stringify(this.#sign), 'EX', SIGN_S);
    this.#cards = await readCards(this.#redis);
    await this.#lookForRuns();
  }

  /** What nobody has in hand any more is taken back. */
  async #lookForRuns(): Promise<void> {
    const now = performance.now();
    const inHand = new Set(this.#cards.flatMap(({ doing }) => doing.map(({ job }) => job)));
    let looked = 0;
    for (const errand of this.#errands.values()) {
      if (!errand.offered || inHand.has(errand.job)) {
        errand.missingSince = null;
        continue;
      }
      if (!errand.begun) {
        // Nobody will come for it: it is made here.
        if (!this.takes(errand.capability)) {
          errand.settle(null);
          await this.#withdraw(errand);
          continue;
        }
        if (looked >= LOOKED_FOR) continue;
        looked += 1;
        const state = await this.#queue(errand.capability).getJobState(errand.job);
        if (state === 'waiting' || state === 'prioritized') {
          errand.missingSince = null;
          continue;
        }
      }
      errand.missingSince ??= now;
      // What it told last may not be read yet.
      if (now - errand.missingSince < MISSING_MS || !this.#inbox.isRead) continue;
      errand.settle(lost('the worker that had it is gone'));
      await this.#withdraw(errand);
    }
  }

  /** Only when something is other than it was. */
  #tell(): void {
    const told = JSON.stringify([
      this.trouble,
      ...this.#cards.map(({ id, capabilities, cores, draining, trouble }) => [
        id,
        capabilities,
        cores,
        draining,
        trouble,
      ]),
    ]);
    if (told === this.#told) return;
    this.#told = told;
    for (const listener of this.#listeners) listener();
  }
}
