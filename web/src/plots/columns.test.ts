import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SeriesData } from '../charts/types';
import type { StreamData } from './data';
import { amount, columnSeries, scaled, windowMean } from './columns';

class TestStream implements StreamData {
  readonly info = { stream: 0, kind: 'link' as const, direction: 'forward' as const, columns: [] };
  readonly time: Float64Array;
  rows = 0;
  readonly #y: Float32Array;
  constructor(y: readonly number[], periodS: number) {
    this.time = Float64Array.from(y, (_, i) => (i + 1) * periodS);
    this.#y = Float32Array.from(y);
  }
  column(name: string): Float32Array | undefined {
    return name === 'v' ? this.#y : undefined;
  }
}

const list = ({ x, y, length }: SeriesData): [number, number][] =>
  Array.from({ length }, (_, i) => [Number((x[i] ?? 0).toFixed(6)), y[i] ?? NaN]);

describe('an amount', () => {
  it('is the sum of rates over rows, in MB, and of unknown rows nothing', () => {
    const stream = new TestStream([8, 16, NaN, 80], 0.5);
    stream.rows = 1;
    expect(list(amount(stream, 'v'))).toEqual([]);
    stream.rows = 4;
    // 8 Mbps for half a second are half a megabyte.
    expect(list(amount(stream, 'v'))).toEqual([
      [0.5, 0.5],
      [1, 1.5],
      [1.5, 1.5],
      [2, 6.5],
    ]);
  });
});

describe('means over windows', () => {
  it('are the plain means of the rows that end in each window', () => {
    const stream = new TestStream([1, 3, 5, 7, 9], 0.05);
    stream.rows = 5;
    expect(list(windowMean(stream, 'v', 100))).toEqual([
      [0.1, 2],
      [0.2, 6],
    ]);
  });

  it('leave unknown rows out and skip windows without any', () => {
    const stream = new TestStream([1, NaN, NaN, NaN, 4, 6], 0.05);
    stream.rows = 6;
    expect(list(windowMean(stream, 'v', 100))).toEqual([
      [0.1, 1],
      [0.3, 5],
    ]);
  });

  it('come out the same however the stream grows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 300 }),
        fc.array(fc.nat(40)),
        fc.constantFrom(20, 30, 100, 250),
        (y, growth, window) => {
          const [slow, fast] = [new TestStream(y, 0.01), new TestStream(y, 0.01)];
          const series = windowMean(slow, 'v', window);
          let before: [number, number][] = [];
          for (const more of [...growth, y.length]) {
            slow.rows = Math.min(y.length, slow.rows + more);
            const now = list(series);
            expect(now.slice(0, before.length)).toEqual(before);
            before = now;
          }
          fast.rows = y.length;
          expect(before).toEqual(list(windowMean(fast, 'v', window)));
          expect(before).toHaveLength(Math.floor((y.length * 10) / window + 1e-9));
        },
      ),
    );
  });
});

describe('series of a stream', () => {
  it('are made once, so that what was computed for them is kept', () => {
    const stream = new TestStream([1], 0.01);
    expect(columnSeries(stream, 'v')).toBe(columnSeries(stream, 'v'));
    expect(windowMean(stream, 'v', 100)).toBe(windowMean(stream, 'v', 100));
    expect(windowMean(stream, 'v', 0)).toBe(columnSeries(stream, 'v'));
  });

  it('are empty when the column is missing', () => {
    const stream = new TestStream([1, 2], 0.01);
    stream.rows = 2;
    expect(columnSeries(stream, 'nothing').length).toBe(0);
  });

  it('can be scaled', () => {
    const stream = new TestStream([1, 2], 0.01);
    stream.rows = 2;
    expect(list(scaled(columnSeries(stream, 'v'), 10)).map(([, value]) => value)).toEqual([10, 20]);
  });
});
