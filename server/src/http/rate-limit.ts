import { isIPv6 } from 'node:net';
import type { RequestHandler } from 'express';
import { AppError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { callerOf } from './callers.ts';

/** This machine's own page and programs are not to notice. */
const OWN_SHARE = 10;
/** Clients that are remembered before those with a full bucket are forgotten. */
const MOST_CLIENTS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** One holder of an IPv6 network has all its addresses. */
function clientOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return isIPv6(plain) ? plain.split(':').slice(0, 4).join(':') : plain;
}

const isOwn = (client: string): boolean => client.startsWith('127.') || client === '::1';

/** A bucket of tokens per client: a request takes one, they come back steadily. */
export function rateLimit({ requests_per_s, requests_burst }: Limits, now = () => performance.now()): RequestHandler {
  const buckets = new Map<string, Bucket>();
  return (req, res, next) => {
    const address = req.socket.remoteAddress ?? '';
    const caller = callerOf(res);
    // Behind a proxy all have its address.
    const person = caller?.via === 'proxy' ? caller.name : null;
    const share = person === null && isOwn(address.replace('::ffff:', '')) ? OWN_SHARE : 1;
    const [rate, most] = [requests_per_s * share, requests_burst * share];
    const client = person === null ? clientOf(address) : `person ${person}`;
    const bucket = buckets.get(client) ?? { tokens: most, at: now() };
    bucket.tokens = Math.min(most, bucket.tokens + ((now() - bucket.at) / 1000) * rate);
    bucket.at = now();
    if (buckets.size >= MOST_CLIENTS && !buckets.has(client))
      for (const [other, { at }] of buckets)
        if (((bucket.at - at) / 1000) * requests_per_s > requests_burst) buckets.delete(other);
    buckets.set(client, bucket);
    if (bucket.tokens < 1) {
      const wait = Math.ceil((1 - bucket.tokens) / rate);
      throw new AppError('RATE_LIMITED', `more than ${rate} requests a second`, {}, { retryAfterS: wait });
    }
    bucket.tokens--;
    next();
  };
}
