export interface LiveOutcome {
  readonly utilisation: number;
  readonly meanMs: number;
  readonly p95Ms: number;
  readonly lossPercent: number;
}

/** `spread`: the means differ by more than the tolerance, the repetitions themselves do not. */
export type LiveVerdict = 'PASS' | 'spread' | 'DIFF' | 'overrun';

const UTILISATION_POINTS = 3;
const MEAN = { share: 0.1, ms: 2 };
const P95 = { share: 0.15, ms: 2 };
/** Of the same order: neither more than so many times the other, beside a few packets. */
const LOSS_FACTOR = 3;
const LOSS_PERCENT = 0.2;

export const LIVE_TOLERANCE = `utilisation ${UTILISATION_POINTS} points, mean delay ${MEAN.share * 100} % or ${MEAN.ms} ms, 95th percentile ${P95.share * 100} % or ${P95.ms} ms, loss within ${LOSS_FACTOR} times or ${LOSS_PERCENT} points`;

type Agrees = (ours: number, theirs: number) => boolean;

const within =
  ({ share, ms }: typeof MEAN): Agrees =>
  (ours, theirs) =>
    Math.abs(ours - theirs) <= Math.max(share * theirs, ms);

const AGREES: Readonly<Record<keyof LiveOutcome, Agrees>> = {
  utilisation: (ours, theirs) => Math.abs(ours - theirs) <= UTILISATION_POINTS,
  meanMs: within(MEAN),
  p95Ms: within(P95),
  lossPercent: (ours, theirs) =>
    Math.abs(ours - theirs) <= LOSS_PERCENT || (ours <= LOSS_FACTOR * theirs && theirs <= LOSS_FACTOR * ours),
};
const FIGURES = Object.keys(AGREES) as (keyof LiveOutcome)[];

export const meanOf = (runs: readonly LiveOutcome[], figure: keyof LiveOutcome): number =>
  runs.reduce((sum, run) => sum + run[figure], 0) / runs.length;

/** The closest that values of the two ranges come to each other. */
function closest(ours: readonly number[], theirs: readonly number[]): readonly [number, number] {
  const [low, high] = [Math.min(...theirs), Math.max(...theirs)];
  const [least, most] = [Math.min(...ours), Math.max(...ours)];
  if (least > high) return [least, high];
  if (most < low) return [most, low];
  const common = Math.max(least, low);
  return [common, common];
}

/** Our repetitions beside the kernel's: their means, and where those differ what the repetitions of each span. */
export function liveVerdict(ours: readonly LiveOutcome[], kernel: readonly LiveOutcome[]): LiveVerdict {
  if (kernel.length === 0 || ours.length === 0) return 'overrun';
  if (FIGURES.every((figure) => AGREES[figure](meanOf(ours, figure), meanOf(kernel, figure)))) return 'PASS';
  const values = (runs: readonly LiveOutcome[], figure: keyof LiveOutcome) => runs.map((run) => run[figure]);
  return FIGURES.every((figure) => AGREES[figure](...closest(values(ours, figure), values(kernel, figure))))
    ? 'spread'
    : 'DIFF';
}
