// Whether a competitor does more harm than the baseline does to itself, beyond chance: a one-sided test each way (non-inferiority, as
// in Schuirmann, J. Pharmacokinetics and Biopharmaceutics 1987) with a margin. Two means never tell it: of two alike CCAs
// either does more harm half the time.
//
// Tested are the differences d between the harm of the competitor and the baseline's harm to itself in the same repetition, which share
// trace phase and seed. Safe: that d is the margin or more is refuted. Harmful: that d is the margin or less is refuted. Otherwise it is
// not decided. So either is wrong in at most one test of twenty, wherever the truth is, and more so the further it is from the margin.
import { FEWEST_FOR_INTERVAL, SIGNIFICANT, mean, standardDeviation, studentTails } from '#analysis/statistics';

/** Harm that does not count, in percentage points: a twentieth of what the baseline has alone. */
export const MARGIN = 5;

export interface HarmTest {
  readonly outcome: 'safe' | 'harmful' | 'undecided';
  /** Mean harm beyond the baseline's harm to itself, percentage points. */
  readonly beyond: number | null;
  /** How likely differences as small as these are when the harm beyond the bar is the margin; null: too few repetitions. */
  readonly p_safe: number | null;
  /** How likely differences as large as these are then. */
  readonly p_harmful: number | null;
  readonly margin: number;
  /** Repetitions that have both. */
  readonly n: number;
}

/** `differences`: harm of the competitor less the baseline's to itself, one per repetition. */
export function testHarm(differences: readonly number[], margin = MARGIN): HarmTest {
  const n = differences.length;
  const beyond = mean(differences);
  const sd = standardDeviation(differences);
  if (beyond === null || sd === null || n < FEWEST_FOR_INTERVAL)
    return { outcome: 'undecided', beyond, p_safe: null, p_harmful: null, margin, n };
  const t = (beyond - margin) / (sd / Math.sqrt(n));
  const [p_safe, p_harmful] = [above(-t, n - 1), above(t, n - 1)];
  const outcome: HarmTest['outcome'] =
    p_safe < SIGNIFICANT ? 'safe' : p_harmful < SIGNIFICANT ? 'harmful' : 'undecided';
  return { outcome, beyond, p_safe, p_harmful, margin, n };
}

/** P(T > t). Repetitions that do not differ at all leave no doubt, unless they lie on the margin itself. */
function above(t: number, df: number): number {
  if (!Number.isFinite(t)) return Number.isNaN(t) ? 0.5 : Number(t < 0);
  const tail = studentTails(t, df) / 2;
  return t > 0 ? tail : 1 - tail;
}
