// An experiment in parts, for machines that know nothing of each other: which runs are whose follows from the spec alone.
import type { Expansion } from '#analysis/planner';
import { runIdOf } from '../identity.ts';

export interface Shard {
  /** From 1 to `of`. */
  readonly index: number;
  readonly of: number;
}

const MOST = 100_000;

/** `3/100`; null: it is none. */
export function shardOf(text: string): Shard | null {
  const [, index = '', of = ''] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  return shard.index >= 1 && shard.index <= shard.of && shard.of <= MOST ? shard : null;
}

/** What is said of a run that another machine makes. */
export const ELSEWHERE = 'another shard makes it';

/**
 * Every `of`-th run in the order of their ids. These are hashes: what takes long is spread evenly, whatever the axes of the experiment are.
 */
export function runsOfShard({ runs }: Pick<Expansion, 'runs'>, { index, of }: Shard): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { canonical } of runs) ids.add(runIdOf(canonical));
  return new Set([...ids].sort().filter((_, place) => place % of === index - 1));
}
