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
