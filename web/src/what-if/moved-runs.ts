// Which run is the one before: that of where the hand was when it began to move, even if it comes only afterwards.

export interface MovedRuns<Q, M> {
  /** What is shown. */
  readonly now: M | null;
  readonly before: M | null;
  /** What was asked for where the hand was; null: its run has come, or nothing was. */
  readonly awaited: Q | null;
}

export const NO_RUNS = { now: null, before: null, awaited: null } as const;

/** A hand begins to move; `last` is what was asked for before it did. */
export const begun = <Q, M>({ now }: MovedRuns<Q, M>, last: Q | null): MovedRuns<Q, M> => ({
  now,
  before: now,
  awaited: last,
});

/** `made` is shown, which is the run of `question`. */
export const shown = <Q, M>(runs: MovedRuns<Q, M>, question: Q, made: M): MovedRuns<Q, M> =>
  question === runs.awaited ? { now: made, before: made, awaited: null } : { ...runs, now: made };
