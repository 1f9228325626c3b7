// Where things lie in Redis. One server has one database of it.
import type { Capability } from '#protocol/workers';

export const KEYS = {
  /** Which server is there. */
  sign: 'paceline:server',
  /** Ids of the workers; each renews its card. */
  workers: 'paceline:workers',
  card: (worker: string): string => `paceline:worker:${worker}`,
  /** What workers tell of runs, in order. */
  told: (server: string): string => `paceline:told:${server}`,
  /** Jobs that nobody wants any more. */
  stopped: (server: string): string => `paceline:stopped:${server}`,
  file: (name: string): string => `paceline:file:${name}`,
  /** A channel. */
  orders: 'paceline:orders',
} as const;

/** BullMQ's own keys begin so. */
export const QUEUE_PREFIX = 'paceline:queue';

/** Workers of another engine do not even see what waits. */
export const queueName = (engineVersion: string, capability: Capability): string =>
  `${engineVersion.replaceAll(':', '-')}-${capability}`;

/** How long a sign or a card stays without being renewed. */
export const SIGN_S = 15;
export const CARD_S = 10;
export const RENEW_MS = 1000;
