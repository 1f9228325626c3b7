// Where the tails of delays lie: both axes logarithmic, the share of packets that waited longer over the delay.
import { scaleLinear, scaleLog } from 'd3-scale';
import type { CcaSeries } from '#analysis/cca-series';
import { ccdf, delayQuantile, joined, type Distribution } from '#analysis/delay-distribution';
import { formatChosen, UNIT_SPACE } from '#analysis/format';
import { oneTwoFive } from '#analysis/frontier-layout';
import { ccaKey, groupBy, isReference, type CellBrief } from '#analysis/results';

// At the right end half of a label may stand beyond the axis.
const [TOP, BOTTOM, LEFT, RIGHT] = [22, 40, 52, 26];
/** One packet in ten thousand: below it single runs decide. */
const LEAST_SHARE = 1e-4;

/** How long the packets of an algorithm's runs waited, all of them pooled. */
export interface TailCurve extends CcaSeries {
  readonly delays: Distribution;
  readonly runs: number;
}

/** Of these cells; algorithms of whose runs one tells nothing have none. */
export function tailCurves(results: readonly CellBrief[], all: Iterable<CcaSeries>): TailCurve[] {
  const competing = groupBy(
    results.filter((result) => !isReference(result) && result.figures.n > 0),
    ({ cell }) => ccaKey(cell),
  );
  return [...all].flatMap((series) => {
    const own = competing.get(series.key) ?? [];
    const known = own.flatMap(({ figures }) => figures.queueing ?? []);
    if (own.some(({ figures }) => (figures.queueing ?? null) === null) || known.length === 0) return [];
    const delays = joined(own.map(({ figures }) => figures.queueing ?? []));
    return [{ ...series, delays, runs: own.reduce((total, { figures }) => total + figures.n, 0) }];
  });
}

/** Where the axis begins: what all are above of is no use to anybody. */
export type TailsBegin = 'at 1 ms' | 'with the least';
/** `longer`: the share that took longer, on a logarithmic axis, where the rare is seen; `at most`: the share that took no longer. */
export type TailsShow = 'longer' | 'at most';
/** Fewer are below where an axis begins that begins with the least. */
const BEGINS = 0.01;

export function tailsFrame(
  all: readonly Distribution[],
  {
    width,
    height,
    begins,
    show = 'longer',
  }: {
    readonly width: number;
    readonly height: number;
    readonly begins: TailsBegin;
    readonly show?: TailsShow;
  },
) {
  const [right, bottom] = [width - RIGHT, height - BOTTOM];
  const whole = begins === 'at 1 ms';
  const ends = all.flatMap((delays) => [
    (whole ? delays[0]?.ms : delayQuantile(delays, BEGINS)) ?? 1,
    delayQuantile(delays, 1 - LEAST_SHARE) ?? 1,
  ]);
  const [least, most] = whole ? [Math.min(...ends, 1), Math.max(...ends, 10)] : [Math.min(...ends), Math.max(...ends)];
  const x = scaleLog([least, most], [LEFT, right]).clamp(true);
  const tails = show === 'longer';
  const y = tails ? scaleLog([LEAST_SHARE, 1], [bottom, TOP]).clamp(true) : scaleLinear([0, 1], [bottom, TOP]);
  const shares = tails ? [1, 0.1, 0.01, 0.001, 0.0001] : [0, 0.25, 0.5, 0.75, 1];
  const ticks = oneTwoFive(least, most, right - LEFT);
  return { x, y, left: LEFT, right, top: TOP, bottom, shares, ticks, show };
}

export type TailsFrame = ReturnType<typeof tailsFrame>;

/** Between the delays at which the share is known a straight line; below the least that is drawn it leaves the picture. */
export function tailPath(
  delays: Distribution,
  { x, y, bottom, show }: Pick<TailsFrame, 'x' | 'y' | 'bottom' | 'show'>,
): string {
  if (show === 'at most') {
    const rises = ccdf(delays).map(({ ms, longer }) => `L${x(ms).toFixed(1)},${y(1 - longer).toFixed(1)}`);
    return `M${x(0)},${y(0)}${rises.join('')}`;
  }
  let path = `M${x(0)},${y(1)}`;
  for (const { ms, longer } of ccdf(delays)) {
    if (longer < LEAST_SHARE) return `${path}L${x(ms).toFixed(1)},${bottom}`;
    path += `L${x(ms).toFixed(1)},${y(longer).toFixed(1)}`;
  }
  return path;
}

export const delayTick = (ms: number): string =>
  ms < 1000 ? `${formatChosen(ms)}${UNIT_SPACE}ms` : `${formatChosen(ms / 1000)}${UNIT_SPACE}s`;
