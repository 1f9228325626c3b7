// What the axes of a draft multiply to, and each in words.
import { membersOf } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import type { TraceEntry } from '#protocol/spec';
import { plural } from '../../ui/format';
import { seedsIn, type Draft } from './draft';

export interface Factor {
  readonly count: number;
  readonly of: keyof typeof NOUNS;
}

/** Each with its count: `4 limits`. */
const NOUNS = {
  trace: (n) => plural(n, 'trace'),
  algorithm: (n) => plural(n, 'algorithm'),
  limit: (n) => plural(n, 'limit'),
  discipline: (n) => plural(n, 'discipline'),
  'base RTT': (n) => plural(n, 'base RTT'),
  'loss rate': (n) => plural(n, 'loss rate'),
  transport: (n) => plural(n, 'transport'),
  'swept value': (n) => plural(n, 'swept value'),
  repetition: (n) => plural(n, 'repetition'),
} satisfies Record<string, (count: number) => string>;

/** How many traces an entry stands for. */
const countOf = (entry: TraceEntry, all: readonly TraceRecord[]): number =>
  'trace' in entry || 'rate_mbps' in entry || 'recipe' in entry ? seedsIn(entry) : membersOf(all, entry).length;

export const factorText = ({ count, of }: Factor): string => NOUNS[of](count);

/** Those that are always named, and any other that has more than one value. */
export function factorsOf(draft: Draft, all: readonly TraceRecord[]): Factor[] {
  const always: readonly Factor[] = [
    { count: draft.traces.reduce((sum, entry) => sum + countOf(entry, all), 0), of: 'trace' },
    { count: draft.ccas.length, of: 'algorithm' },
    { count: draft.buffers.length, of: 'limit' },
  ];
  const others: readonly Factor[] = [
    { count: draft.queues.length, of: 'discipline' },
    { count: draft.base_rtt_ms.length, of: 'base RTT' },
    { count: draft.loss.length, of: 'loss rate' },
    { count: draft.transports?.length ?? 1, of: 'transport' },
    { count: Math.max(1, draft.sweep?.values.length ?? 0), of: 'swept value' },
    { count: draft.repetitions, of: 'repetition' },
  ];
  return [...always, ...others.filter(({ count }) => count !== 1)];
}

export const productOf = (factors: readonly Factor[]): number =>
  factors.reduce((product, { count }) => product * count, 1);
