// What is drawn around the marks of a frontier, as one path of each kind for each algorithm: hundreds of points have thousands of dots
// and strokes, and each would be an element. Pure.
import type { CcaSeries } from '#analysis/cca-series';
import type { FrontierLayout } from '#analysis/frontier-layout';
import type { Whisker } from '#analysis/frontier-stacks';

export interface Surroundings {
  readonly series: CcaSeries;
  /** Repetitions of points with an interval, and of those without: these are all there is to see of the spread. */
  readonly judged: string;
  readonly alone: string;
  readonly whiskers: string;
  /** From marks that stand apart to where they belong, and the dots there. */
  readonly leaders: string;
  readonly homes: string;
}

type Paths = Omit<Surroundings, 'series'>;
const NOTHING: Paths = { judged: '', alone: '', whiskers: '', leaders: '', homes: '' };
const HOME_RADIUS = 2.5;

const at = (value: number): string => String(Math.round(value * 100) / 100);

/** A line without a length: its round ends are the dot. */
const dot = ({ x, y }: { readonly x: number; readonly y: number }): string => `M${at(x)},${at(y)}h0`;

const circle = ({ x, y }: { readonly x: number; readonly y: number }, r: number): string =>
  `M${at(x - r)},${at(y)}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0Z`;

/** The strokes that close an interval; an end that goes on beyond the axis stays open. */
const caps = (whisker: Whisker, stroke: (end: number) => string): string =>
  whisker.map((end) => (end.cut ? '' : stroke(end.at))).join('');

const across = (w: Whisker, y: number): string =>
  `M${at(w[0].at)},${at(y)}H${at(w[1].at)}${caps(w, (x) => `M${at(x)},${at(y - 3)}v6`)}`;

const along = (w: Whisker, x: number): string =>
  `M${at(x)},${at(w[0].at)}V${at(w[1].at)}${caps(w, (y) => `M${at(x - 3)},${at(y)}h6`)}`;

export function surroundingsOf({ points, stacks }: Pick<FrontierLayout, 'points' | 'stacks'>): readonly Surroundings[] {
  const found = new Map<CcaSeries, Paths>();
  const add = (series: CcaSeries, more: Partial<Paths>): void => {
    const now = found.get(series) ?? NOTHING;
    const longer = Object.entries(more).map(([kind, path]) => [kind, now[kind as keyof Paths] + path]);
    found.set(series, { ...now, ...(Object.fromEntries(longer) as Partial<Paths>) });
  };
  for (const { series, x, y, whiskerX, whiskerY, dots } of points) {
    const repetitions = dots.map(dot).join('');
    const whiskers = (whiskerX === null ? '' : across(whiskerX, y)) + (whiskerY === null ? '' : along(whiskerY, x));
    add(series, whiskers === '' ? { alone: repetitions } : { judged: repetitions, whiskers });
  }
  for (const { members, leader, at: home, x, y } of stacks)
    if (leader)
      add(members[0].series, {
        leaders: `M${at(home.x)},${at(home.y)}L${at(x)},${at(y)}`,
        homes: circle(home, HOME_RADIUS),
      });
  return [...found]
    .filter(([, paths]) => Object.values(paths).some((path) => path !== ''))
    .map(([series, paths]) => ({ series, ...paths }));
}
