// Series, surfaces and themes for tests of figures.
import fc from 'fast-check';
import type { PathSink } from './sinks';
import type { SeriesData } from './types';
import type { Theme } from '../theme/theme';

export const seriesOf = (y: readonly number[], x: readonly number[] = y.map((_, i) => i)): SeriesData => ({
  x: Float64Array.from(x),
  y: Float32Array.from(y),
  length: y.length,
});

/** A series of which only the first `length` rows are there yet. */
export class GrowingSeries implements SeriesData {
  length = 0;
  readonly x: Float64Array;
  readonly y: Float32Array;

  constructor(all: SeriesData) {
    this.x = all.x;
    this.y = all.y;
  }
}

/** Values with gaps. */
export const values = (maxLength: number, minLength = 0): fc.Arbitrary<number[]> =>
  fc.array(
    fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -1000, max: 1000 }) },
      { weight: 1, arbitrary: fc.constant(NaN) },
    ),
    { minLength, maxLength },
  );

/** Least and greatest of the values that are numbers; null: there are none. */
export function extremesOf(all: Iterable<number>): [number, number] | null {
  let [min, max] = [Infinity, -Infinity];
  for (const value of all) {
    if (Number.isNaN(value)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? [min, max] : null;
}

/** Writes down what is drawn. */
export class Recorder implements PathSink {
  readonly lines: [number, number][][] = [];
  moveTo(x: number, y: number): void {
    this.lines.push([[x, y]]);
  }
  lineTo(x: number, y: number): void {
    this.lines.at(-1)?.push([x, y]);
  }
  closePath(): void {
    const line = this.lines.at(-1);
    if (line?.[0] !== undefined) line.push(line[0]);
  }
}

export const THEME: Theme = {
  scheme: 'light',
  surface: '#ffffff',
  sunken: '#f1f3f5',
  ground: '#f6f7f8',
  ink: '#1b1b1b',
  ink2: '#474d55',
  ink3: '#636a73',
  hairline: '#e2e5e9',
  hairlineStrong: '#c4c9cf',
  grid: '#eceef1',
  capacity: '#e4e7eb',
  capacityEdge: '#aab1ba',
  accent: '#0b6b61',
  danger: '#a8261f',
  divergeLow: '#2f6fb3',
  divergeMid: '#f7f7f7',
  divergeHigh: '#b5532c',
  traces: ['#d000b0', '#009c00', '#a020ff', '#9c0000', '#005460', '#e06000'],
  slots: ['#1b1b1b', '#a35a75', '#0e27a1', '#4e9bc7', '#909633', '#6f254b', '#525cc7', '#615e03'],
  sans: 'Inter Variable',
  mono: 'JetBrains Mono Variable',
};
