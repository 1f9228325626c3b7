import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { UsageError } from '../config.ts';

const LONGEST_WAIT_MS = 2000;

/** Without what it says of who may come in: for logs and pages. */
export function placeOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/**
 * A connection that comes back by itself: what is asked meanwhile waits. Its troubles are told once, until it is there again.
 */
export function connectRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    // BullMQ's, too, which wants to wait.
    maxRetriesPerRequest: null,
    // By itself it asks for channels again and minds no refusal: the process ends with it.
    autoResubscribe: false,
    retryStrategy: (tries) => Math.min(LONGEST_WAIT_MS, 50 * 2 ** Math.min(tries, 10)),
  });
  let told = false;
  redis.on('error', (error) => {
    if (!told) log.warn({ redis: placeOf(url), reason: error.message }, 'Redis cannot be reached');
    told = true;
  });
  redis.on('ready', () => {
    if (told) log.info({ redis: placeOf(url) }, 'Redis can be reached again');
    told = false;
  });
  return redis;
}

/**
 * Null where it takes longer. What is asked of a Redis that is gone waits for it, and is not even refused when its connection is given up:
 * whoever ends must not wait for it.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const waiting = new AbortController();
  const late = wait(ms, null, { signal: waiting.signal }).catch(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    waiting.abort();
  }
}

/** For whom waiting is no use: a command line that has to say what is wrong. */
export async function firstConnection(url: string, log: Logger, patienceMs = 5000): Promise<Redis> {
  const redis = connectRedis(url, log);
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), patienceMs).unref());
  let last = '';
  redis.on('error', (error) => (last = error.message));
  const answer = await Promise.race([redis.ping().catch((error: unknown) => String(error)), late]);
  if (answer === 'PONG') return redis;
  redis.disconnect();
  throw new UsageError(`PACELINE_REDIS_URL: ${placeOf(url)} does not answer: ${answer === 'late' ? last : answer}`);
}
