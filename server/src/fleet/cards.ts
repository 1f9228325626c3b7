import type { Redis } from 'ioredis';
import { WorkerCard } from '#protocol/fleet';
import { CARD_S, KEYS } from './keys.ts';
import { parsed } from './parsed.ts';

/** More would not be workers. */
const MOST = 1000;

export async function writeCard(redis: Redis, card: WorkerCard): Promise<void> {
  await redis.multi().sadd(KEYS.workers, card.id).set(KEYS.card(card.id), JSON.stringify(card), 'EX', CARD_S).exec();
}

export async function removeCard(redis: Redis, id: string): Promise<void> {
  await redis.multi().srem(KEYS.workers, id).del(KEYS.card(id)).exec();
}

/** The workers that are there, by their names. Those that are gone are forgotten, and what is no card is passed over. */
export async function readCards(redis: Redis): Promise<WorkerCard[]> {
  const ids = (await redis.smembers(KEYS.workers)).slice(0, MOST);
  if (ids.length === 0) return [];
  const texts = await redis.mget(ids.map((id) => KEYS.card(id)));
  const gone = ids.filter((_, i) => texts[i] === null);
  if (gone.length > 0) await redis.srem(KEYS.workers, ...gone);
  return texts
    .map((text) => parsed(WorkerCard, text))
    .filter((card) => card !== null)
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}
