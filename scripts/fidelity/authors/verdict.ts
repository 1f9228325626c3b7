// What an authors' program reached beside ours, figure by figure.

export interface Reached {
  readonly mbps: number;
  readonly queueingMs: number;
  readonly lossPercent: number;
}
export type FigureName = keyof Reached;

/**
 * clock: ours in real time agrees, where ours in virtual time does not; what is near in real time only is near. hidden: the means differ, but no more than the program's own runs
 * differ among themselves.
 */
export const AUTHORS_VERDICTS = ['agrees', 'clock', 'near', 'hidden', 'differs', 'overrun'] as const;
export type AuthorsVerdict = (typeof AUTHORS_VERDICTS)[number];

interface Tolerance {
  readonly agrees: number;
  readonly near: number;
  /** Differences as small as this say nothing. */
  readonly least: number;
}

/** Shares of theirs. */
const TOLERANCES: Readonly<Record<FigureName, Tolerance>> = {
  mbps: { agrees: 0.1, near: 0.25, least: 0 },
  queueingMs: { agrees: 0.1, near: 0.25, least: 1.5 },
  lossPercent: { agrees: 0.1, near: 0.5, least: 0.5 },
};
export const FIGURE_NAMES = Object.keys(TOLERANCES) as FigureName[];

export const AUTHORS_TOLERANCE =
  'agrees: within 10 % (queueing also 1.5 ms, loss half a point); clock: ours does in real time; near: within 25 % (loss 50 %); hidden: ' +
  'further apart, but the program’s own runs lie as far from one another and ours is among them or within 10 % of one';

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const valuesOf = (runs: readonly Reached[], name: FigureName): number[] => runs.map((run) => run[name]);
export const meanOf = (runs: readonly Reached[], name: FigureName): number => mean(valuesOf(runs, name));

/** Least and greatest of the runs. */
export const spanOf = (runs: readonly Reached[], name: FigureName): readonly [number, number] => [
  Math.min(...valuesOf(runs, name)),
  Math.max(...valuesOf(runs, name)),
];

export function figureVerdict(ours: readonly Reached[], theirs: readonly Reached[], name: FigureName): AuthorsVerdict {
  const { agrees, near, least } = TOLERANCES[name];
  const [we, they] = [meanOf(ours, name), meanOf(theirs, name)];
  const apart = Math.abs(we - they);
  if (apart <= Math.max(agrees * they, least)) return 'agrees';
  if (apart <= near * they) return 'near';
  // one run has no spread: what its figure would be the next time is not known
  const [low, high] = spanOf(theirs, name);
  const reach = (value: number): number => Math.max(agrees * value, least);
  const among = we >= low - reach(low) && we <= high + reach(high);
  return among && high - low >= apart ? 'hidden' : 'differs';
}

/** The worst of the figures'; `live`: ours in real time. */
export function authorsVerdict(
  ours: readonly Reached[],
  theirs: readonly Reached[],
  live: readonly Reached[] = [],
): AuthorsVerdict {
  if (ours.length === 0 || theirs.length === 0) return 'overrun';
  const verdicts = FIGURE_NAMES.map((name) => figureVerdict(ours, theirs, name));
  const worst = AUTHORS_VERDICTS.findLast((verdict) => verdicts.includes(verdict)) ?? 'agrees';
  if (worst !== 'near' && worst !== 'differs') return worst;
  const inRealTime = authorsVerdict(live, theirs);
  if (inRealTime === 'agrees') return 'clock';
  return inRealTime === 'near' ? 'near' : worst;
}
