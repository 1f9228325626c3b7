// Tells one address of experiments that have ended. Whatever becomes of it, runs go on: it listens to changes, and nobody waits for it.
import type { Logger } from 'pino';
import { z } from 'zod';
import {
  WEBHOOK_LIMITS,
  type ServerSettings,
  type SettingsChange,
  type WebhookAnswer,
  type WebhookEvent,
} from '#protocol/settings';
import { AppError } from '../errors.ts';
import type { RunFeed } from '../jobs/feed.ts';
import type { Store } from '../store/store.ts';
import { lookupWithin, readAddress, type AllowedTargets } from './address.ts';
import { post, type Posted } from './post.ts';

const KEY = 'webhook';
const Kept = z.object({ url: z.string().nullable(), after_s: z.number() });
type Kept = z.infer<typeof Kept>;
const NONE: Kept = { url: null, after_s: WEBHOOK_LIMITS.after_s.default };

/** Looked at together: a sweep may end hundreds of runs in a second. */
const LOOK_MS = 500;
/** Of more, what goes on is looked at, and what began and ended since is missed. */
const MOST_CHANGED = 5000;
const RETRIES_MS = [5000, 30_000];
/** An address that takes nothing must not pile up what it is told. */
const MOST_WAITING = 32;

interface Parts {
  readonly store: Store;
  readonly feed: RunFeed;
  readonly log: Logger;
  readonly allowed: AllowedTargets;
  readonly retriesMs?: readonly number[];
}

export class Webhooks {
  readonly #parts: Parts;
  readonly #closed = new AbortController();
  readonly #waiting = new Set<Promise<void>>();
  /** Experiments that go on, and since when. */
  #going = new Map<string, number>();
  /** Runs that have changed since the last look, and since when. */
  #changed = new Set<string>();
  #changedSince = 0;
  #look: NodeJS.Timeout | undefined;
  #stopListening: () => void = () => undefined;
  /** Where pages of this server are. */
  #base = '';

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(base: string): void {
    this.#base = base;
    this.#stopListening = this.#parts.feed.onAny((run, change) => {
      if (change !== 'state') return;
      if (this.#changed.size === 0) this.#changedSince = performance.now();
      if (this.#changed.size < MOST_CHANGED) this.#changed.add(run);
      this.#look ??= setTimeout(() => this.#lookAround(), LOOK_MS).unref();
    });
    this.#lookAround();
  }

  async close(): Promise<void> {
    this.#stopListening();
    clearTimeout(this.#look);
    this.#closed.abort();
    await Promise.all(this.#waiting);
  }

  get settings(): ServerSettings['webhook'] {
    const { url, after_s } = this.#kept;
    return { shown: url === null ? null : new URL(url).origin, after_s };
  }

  change({ url, after_s }: NonNullable<SettingsChange['webhook']>): ServerSettings['webhook'] {
    const kept = this.#kept;
    const next = { url: kept.url, after_s: after_s ?? kept.after_s };
    if (url !== undefined) next.url = url === null || url.trim() === '' ? null : this.#checked(url.trim());
    this.#parts.store.settings.set(KEY, next);
    return this.settings;
  }

  /** What it would be told of an experiment, sent now; refused where there is no address. */
  async test(): Promise<WebhookAnswer> {
    const { url } = this.#kept;
    if (url === null)
      throw new AppError('WEBHOOK_REFUSED', 'there is no address yet', {
        where: 'webhook.url',
        hint: 'Save one first.',
      });
    const counts = { total: 1, done: 1, failed: 0, cancelled: 0 };
    const event: WebhookEvent = {
      event: 'test',
      id: '',
      title: 'A test',
      state: 'done',
      counts,
      took_s: 0,
      url: this.#base,
    };
    const { ok, detail } = await this.#post(url, event);
    return { ok, detail };
  }

  get #kept(): Kept {
    return this.#parts.store.settings.get(KEY, Kept) ?? NONE;
  }

  #checked(text: string): string {
    const read = readAddress(text, this.#parts.allowed);
    if ('url' in read) return read.url;
    throw new AppError('WEBHOOK_REFUSED', read.fault, { where: 'webhook.url' });
  }

  #lookAround(): void {
    this.#look = undefined;
    const { experiments } = this.#parts.store;
    const now = performance.now();
    const known = this.#going;
    // Some begin and end between two looks.
    const touched = experiments
      .ofRuns([...this.#changed])
      .map((id) => [id, known.get(id) ?? this.#changedSince] as const);
    this.#changed.clear();
    const before = new Map([...known, ...touched]);
    this.#going = new Map(experiments.going().map((id) => [id, before.get(id) ?? now]));
    const { url, after_s } = this.#kept;
    if (url === null) return;
    for (const [id, since] of before) {
      const took_s = (now - since) / 1000;
      if (!this.#going.has(id) && took_s >= after_s) this.#tell(url, id, took_s);
    }
  }

  #tell(url: string, id: string, took_s: number): void {
    const counted = this.#parts.store.experiments.counted(id);
    // Deleted meanwhile: nobody wants to hear of it.
    if (counted === null || this.#waiting.size >= MOST_WAITING) return;
    const { name: title, state, counts } = counted;
    const event: WebhookEvent = {
      event: 'experiment.ended',
      id,
      title,
      state,
      counts,
      took_s: Math.round(took_s * 10) / 10,
      url: new URL(`/e/${id}`, this.#base).href,
    };
    const told = this.#deliver(url, event).finally(() => this.#waiting.delete(told));
    this.#waiting.add(told);
  }

  async #deliver(url: string, event: WebhookEvent): Promise<void> {
    const { log, retriesMs = RETRIES_MS } = this.#parts;
    for (const waitMs of [0, ...retriesMs]) {
      if (waitMs > 0) await this.#pause(waitMs);
      if (this.#closed.signal.aborted) return;
      const { ok, again, detail } = await this.#post(url, event);
      if (ok) return;
      // Its path may be a secret.
      log.warn({ experiment: event.id, to: new URL(url).origin, detail, again }, 'the webhook was not taken');
      if (!again) return;
    }
  }

  #post(url: string, event: WebhookEvent): Promise<Posted> {
    const { allowed } = this.#parts;
    // What was allowed when it was kept may not be so after a restart.
    const read = readAddress(url, allowed);
    if ('fault' in read) return Promise.resolve({ ok: false, again: false, detail: read.fault });
    return post(new URL(read.url), JSON.stringify(event), lookupWithin(allowed), this.#closed.signal);
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#closed;
    return new Promise((done) => {
      const timer = setTimeout(done, ms).unref();
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          done();
        },
        { once: true },
      );
    });
  }
}
