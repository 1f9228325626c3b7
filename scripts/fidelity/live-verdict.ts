export interface LiveOutcome {
  readonly utilisation: number;
  readonly meanMs: number;
  readonly p95Ms: number;
  readonly lossPercent: number;
}

export type LiveVerdict = 'PASS' | 'DIFF' | 'overrun';

const UTILISATION_POINTS = 3;
const MEAN = { share: 0.1, ms: 2 };
const P95 = { share: 0.15, ms: 2 };
/** Of the same order: neither more than so many times the other, beside a few packets. */
const LOSS_FACTOR = 3;
const LOSS_PERCENT = 0.2;

export const LIVE_TOLERANCE = `utilisation ${UTILISATION_POINTS} points, mean delay ${MEAN.share * 100} % or ${MEAN.ms} ms, 95th percentile ${P95.share * 100} % or ${P95.ms} ms, loss within ${LOSS_FACTOR} times or ${LOSS_PERCENT} points of what lies between the repetitions`;

/** How far a value lies outside what lies between the repetitions. */
function apart(ours: number, theirs: readonly number[]): { readonly by: number; readonly from: number } {
  const [low, high] = [Math.min(...theirs), Math.max(...theirs)];
  if (ours < low) return { by: low - ours, from: low };
  return ours > high ? { by: ours - high, from: high } : { by: 0, from: ours };
}

function delayAgrees(ours: number, theirs: readonly number[], { share, ms }: typeof MEAN): boolean {
  const { by, from } = apart(ours, theirs);
  return by <= Math.max(share * from, ms);
}

function lossAgrees(ours: number, theirs: readonly number[]): boolean {
  const { by, from } = apart(ours, theirs);
  return by <= LOSS_PERCENT || (ours <= LOSS_FACTOR * from && from <= LOSS_FACTOR * ours);
}

/** Ours against what the kernel's repetitions span. */
export function liveVerdict(ours: LiveOutcome, kernel: readonly LiveOutcome[]): LiveVerdict {
  if (kernel.length === 0) return 'overrun';
  const of = (key: keyof LiveOutcome): number[] => kernel.map((run) => run[key]);
  return apart(ours.utilisation, of('utilisation')).by <= UTILISATION_POINTS &&
    delayAgrees(ours.meanMs, of('meanMs'), MEAN) &&
    delayAgrees(ours.p95Ms, of('p95Ms'), P95) &&
    lossAgrees(ours.lossPercent, of('lossPercent'))
    ? 'PASS'
    : 'DIFF';
}
