// Where the values of a sweep stand on its axis.
import { scaleLinear, scaleLog, scalePoint } from 'd3-scale';
import { formatChosen } from '#analysis/format';
import type { Estimate } from '#analysis/statistics';

/** From one value to the next, px, at least. */
const TICK_AIR = 10;
/** A decade and more is read on a logarithmic axis. */
const DECADE = 10;

export function sweepScale(values: readonly unknown[]): 'linear' | 'log' {
  const numbers = values.filter((value) => typeof value === 'number');
  const low = Math.min(...numbers);
  return numbers.length === values.length && low > 0 && Math.max(...numbers) >= DECADE * low ? 'log' : 'linear';
}

export const valueText = (value: number | string): string => (typeof value === 'number' ? formatChosen(value) : value);

/** Where values stand: as far apart as they are where they are numbers, else side by side. */
export function placesOf(
  values: readonly (number | string)[],
  scale: 'linear' | 'log',
  range: readonly [number, number],
) {
  const numbers = values.filter((value) => typeof value === 'number');
  const [low = 0, high = 0] = [numbers[0], numbers.at(-1)];
  if (numbers.length < values.length || low === high) {
    const points = scalePoint(values.map(String), range).padding(0.5);
    return (value: number | string): number => points(String(value)) ?? range[0];
  }
  const inset = 8;
  const along = (scale === 'log' && low > 0 ? scaleLog : scaleLinear)(
    [low, high],
    [range[0] + inset, range[1] - inset],
  );
  return (value: number | string): number => along(Number(value));
}

/** Those that fit beside one another. */
export function shownTicks(
  values: readonly (number | string)[],
  x: (value: number | string) => number,
  measure: (text: string) => number,
): (number | string)[] {
  let from = -Infinity;
  return values.filter((value) => {
    const half = measure(valueText(value)) / 2;
    if (x(value) - half < from) return false;
    from = x(value) + half + TICK_AIR;
    return true;
  });
}

/** What an axis must show of an estimate. */
export const reach = ({ mean, low, high }: Estimate): number[] => [mean, low ?? mean, high ?? mean];
