// What the axes of a draft multiply to, and each in words.
import { membersOf } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import type { TraceEntry } from '#protocol/spec';
import { plural } from '../../ui/format';
import { seedsIn, type Draft } from './draft';

export interface Factor {
  readonly count: number;
  /** `limit`; its plural is regular. */
  readonly one: string;
}

/** How many traces an entry stands for. */
const countOf = (entry: TraceEntry, all: readonly TraceRecord[]): number =>
  'trace' in entry || 'rate_mbps' in entry || 'recipe' in entry ? seedsIn(entry) : membersOf(all, entry).length;

export const factorText = ({ count, one }: Factor): string => plural(count, one);

/** Those that are always named, and any other that has more than one value. */
export function factorsOf(draft: Draft, all: readonly TraceRecord[]): Factor[] {
  const always: readonly Factor[] = [
    { count: draft.traces.reduce((sum, entry) => sum + countOf(entry, all), 0), one: 'trace' },
    { count: draft.ccas.length, one: 'algorithm' },
    { count: draft.buffers.length, one: 'limit' },
  ];
  const others: readonly Factor[] = [
    { count: draft.queues.length, one: 'discipline' },
    { count: draft.base_rtt_ms.length, one: 'base RTT' },
    { count: draft.loss.length, one: 'loss rate' },
    { count: draft.transports?.length ?? 1, one: 'transport' },
    { count: Math.max(1, draft.sweep?.values.length ?? 0), one: 'swept value' },
    { count: draft.repetitions, one: 'repetition' },
  ];
  return [...always, ...others.filter(({ count }) => count !== 1)];
}

export const productOf = (factors: readonly Factor[]): number =>
  factors.reduce((product, { count }) => product * count, 1);
