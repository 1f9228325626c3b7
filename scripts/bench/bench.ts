import { readFileSync } from 'node:fs';

/** One line of the table that `npm run bench` prints. */
export interface Measurement {
  readonly what: string;
  readonly measured: string;
  /** What is aimed at, and whether it was reached; absent when there is nothing to reach. */
  readonly aim?: { readonly text: string; readonly met: boolean };
}

/** Every file beside this one that exports `bench` is run. */
export type Bench = () => Promise<readonly Measurement[]>;

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
};

const TICKS_PER_SECOND = 100;

/** Processor time, in seconds, of all processes that this one has started and that have ended, with theirs. */
export function cpuOfChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // Behind the name in parentheses: fields 16 and 17, counted from the third.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return ((fields[13] ?? 0) + (fields[14] ?? 0)) / TICKS_PER_SECOND;
}
