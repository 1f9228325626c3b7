// What may come between a run and its end without being its fault, and how long it is tried again.
import type { Cause } from '#bridge/failure';
import type { Setbacks } from '../store/jobs.ts';

/** `killed_too`: as were others, so that it is hardly this run's doing; `server`: the server ended while the run was going. */
export type SetbackKind = Exclude<Cause, 'own' | 'machine'> | 'killed_too' | 'server';

/**
 * So many tries a run gets. A program that crashes does so again, mostly; one that was killed was there at the wrong moment, or wants
 * more memory than there is. The server's end is held against a run only if no other run was going.
 */
const TRIES: Readonly<Record<SetbackKind, number>> = {
  crashed: 3,
  hung: 2,
  killed: 10,
  killed_too: 40,
  lost: 10,
  server: 5,
};

/** After so many ends of the server while it was going, among others, a run is kept apart to tell whether it was the one. */
const SUSPECT = 3;

/** The page must be there for a while, so that a run which ends the server can be stopped. */
const FIRST_DELAY_MS: Readonly<Record<SetbackKind, number>> = {
  crashed: 250,
  hung: 250,
  killed: 250,
  killed_too: 250,
  lost: 250,
  server: 1000,
};
const LONGEST_DELAY_MS = 30_000;

export const isSuspect = ({ server, among_others }: Setbacks): boolean => server > 0 || among_others >= SUSPECT;

/** How often it was tried, the last time included, for all that came between. */
const triesOf = ({ crashed, hung, killed, killed_too, lost, server }: Setbacks): number =>
  crashed + hung + killed + killed_too + lost + server;

export interface NextTry {
  /** Null: that was the last one, and this is why the run has failed. */
  readonly after_ms: number | null;
  readonly setbacks: Setbacks;
  readonly reason: string;
}

/** What follows from one more setback. */
export function after(before: Setbacks, kind: SetbackKind, reason: string): NextTry {
  const count = before[kind] + 1;
  const most = TRIES[kind];
  // That others are killed, too, clears it of what looked as if it alone were meant.
  const cleared = kind === 'killed_too' ? { killed: 0 } : {};
  const setbacks = { ...before, ...cleared, [kind]: count, last: { kind, reason } };
  const isLast = count >= most || (kind === 'server' && count + setbacks.killed_too >= TRIES.killed_too);
  if (isLast) return { after_ms: null, setbacks, reason: `${reason}${lastWords(kind, count)}` };
  const after_ms = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS[kind] * 2 ** (triesOf(setbacks) - 1));
  return { after_ms, setbacks, reason };
}

/** The server has ended while this run was going on among others: nobody knows whose fault it was. */
export const amongOthers = (before: Setbacks): Setbacks => ({
  ...before,
  among_others: before.among_others + 1,
  last: { kind: 'server', reason: 'the server ended while this run was going' },
});

/**
 * The server has ended without this run, but among or with others: that it did so before with this run alone is hardly this run's doing. It
 * is not forgotten all the same: two runs that end it in turn come to an end, too.
 */
export const withoutIt = (before: Setbacks): Setbacks => ({
  ...before,
  server: 0,
  killed_too: before.killed_too + before.server,
});

const KILLED = ': somebody ends it, or this machine has too little memory for it';
/** Whether a run has failed because it was ended from outside, as its reason says. */
export const wasKilled = (reason: string): boolean => reason.endsWith(KILLED);

function lastWords(kind: SetbackKind, tries: number): string {
  const often = `, in each of ${tries} tries`;
  switch (kind) {
    case 'killed':
    case 'killed_too':
      return `${often}${KILLED}`;
    case 'server':
      return `${often}, with no other run beside it`;
    case 'crashed':
    case 'hung':
    case 'lost':
      return often;
  }
}

/** Which try comes next, of how many: for those who wait for it. */
export function nextTry({
  last,
  ...counts
}: Setbacks): { readonly reason: string; readonly tries: number; readonly most: number } | null {
  if (last === null) return null;
  return { reason: last.reason, tries: counts[last.kind], most: TRIES[last.kind] };
}
