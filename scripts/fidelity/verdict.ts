import type { Figure } from './finding.ts';
import type { Outcome } from './kernel.ts';

const UTILISATION_POINTS = 5;
const DELAY_SHARE = 0.2;
const DELAY_MS = 3;

/**
 * PASS: our run agrees with the kernel run it is compared with.
 * repeat: it does not, but with another run of the same kernel over the same cell.
 * near: it agrees with one of them when something is varied that the measurement did not fix.
 */
export type Verdict = 'PASS' | 'repeat' | 'near' | 'DIFF';

export const utilisationAgrees = (ours: number, theirs: number): boolean =>
  Math.abs(ours - theirs) <= UTILISATION_POINTS;

/** The same as figures with the bands in which they agree. */
export function comparedFigures(ours: Outcome, theirs: Outcome): Figure[] {
  const delay = Math.max(DELAY_SHARE * theirs.meanMs, DELAY_MS);
  const around = (value: number, by: number) => ({ low: value - by, high: value + by });
  return [
    { name: 'utilisation %', band: around(theirs.utilisation, UTILISATION_POINTS), value: ours.utilisation },
    { name: 'mean ms', band: around(theirs.meanMs, delay), value: ours.meanMs },
  ];
}

export const delayAgrees = (ours: number, theirs: number): boolean =>
  Math.abs(ours - theirs) <= Math.max(DELAY_SHARE * theirs, DELAY_MS);

const agrees = (ours: Outcome, theirs: Outcome): boolean =>
  utilisationAgrees(ours.utilisation, theirs.utilisation) && delayAgrees(ours.meanMs, theirs.meanMs);

export function judge(
  ours: Outcome,
  varied: readonly Outcome[],
  theirs: Outcome,
  repeats: readonly Outcome[],
): Verdict {
  if (agrees(ours, theirs)) return 'PASS';
  if (repeats.some((repeat) => agrees(ours, repeat))) return 'repeat';
  const all = [theirs, ...repeats];
  return varied.some((variation) => all.some((run) => agrees(variation, run))) ? 'near' : 'DIFF';
}
