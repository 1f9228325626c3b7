// How verdicts are called and marked, on the page and in figures.
import type { Verdict } from '#protocol/study';

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  holds: 'holds',
  direction: 'direction only',
  fails: 'fails',
  untestable: 'cannot be tested here',
  open: 'not run',
};

export const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
  holds: '✓',
  direction: '~',
  fails: '✗',
  untestable: '–',
  open: '○',
};

/** As a badge is coloured. */
export const VERDICT_KINDS: Readonly<Record<Verdict, 'live' | 'warn' | 'bad' | undefined>> = {
  holds: 'live',
  direction: 'warn',
  fails: 'bad',
  untestable: undefined,
  open: undefined,
};
