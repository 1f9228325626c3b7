import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areaBars,
  lineBars,
  pixelOf,
  timeAt,
  traceArea,
  traceBand,
  traceLine,
  visitColumns,
  type Mapping,
} from './columns';
import { extremesOf, Recorder, seriesOf, values } from './testing';

const mapping = (from: number, to: number, width: number, more: Partial<Mapping> = {}): Mapping => ({
  from,
  to,
  left: 40,
  width,
  columnWidth: 1,
  y: (value) => -value,
  dirtyFrom: 0,
  ...more,
});

interface Column {
  x: number;
  min: number;
  max: number;
}

function columnsOf(data: ReturnType<typeof seriesOf>, m: Mapping): Column[] {
  const columns: Column[] = [];
  visitColumns(data, m, (x, min, max) => void columns.push({ x, min, max }));
  return columns;
}

interface Zoom {
  readonly y: number[];
  readonly steps: number[];
  readonly a: number;
  readonly b: number;
  readonly width: number;
}

/** Series with uneven steps, a zoom into it and a width; `dense`: many samples per pixel. */
const zooms = (dense = false) =>
  fc
    .record<Zoom>({
      y: values(3000, dense ? 1000 : 0),
      steps: fc.array(fc.double({ min: 0.001, max: 3, noNaN: true }), { minLength: 1, maxLength: 7 }),
      a: fc.double({ min: 0, max: dense ? 0.1 : 1, noNaN: true }),
      b: fc.double({ min: dense ? 0.9 : 0, max: 1, noNaN: true }),
      width: fc.integer({ min: 8, max: dense ? 80 : 400 }),
    })
    .map(({ y, steps, a, b, width }) => {
      let time = 0;
      const x = y.map((_, i) => (time += steps[i % steps.length] ?? 1));
      return { data: seriesOf(y, x), m: mapping(Math.min(a, b) * time, Math.max(a, b) * time + 0.01, width) };
    });

describe('samples in pixel columns', () => {
  it('never lose a least or a greatest value, at any zoom', () => {
    fc.assert(
      fc.property(zooms(), ({ data, m }) => {
        const columns = columnsOf(data, m);
        const visible = [...data.y].filter((_, i) => (data.x[i] ?? 0) >= m.from && (data.x[i] ?? 0) <= m.to);
        const want = extremesOf(visible);
        if (want === null) return;
        const shown = extremesOf(columns.flatMap(({ min, max }) => [min, max]));
        // A sample or two at each side are drawn too, so that lines leave the picture: the range shown may be wider, never narrower.
        expect(shown![0]).toBeLessThanOrEqual(want[0]);
        expect(shown![1]).toBeGreaterThanOrEqual(want[1]);
      }),
    );
  });

  it('each show the exact extremes of the samples at their place', () => {
    fc.assert(
      fc.property(zooms(true), ({ data, m }) => {
        const columns = columnsOf(data, m);
        expect(columns.length).toBeLessThan(data.length / 2);
        for (const { x, min, max } of columns) {
          const [low, high] = [timeAt(m, x), timeAt(m, x + 1)];
          if (low < m.from || high > m.to) continue;
          // An edge may be off by an eighth of a column: samples inside must be within, none from outside may count.
          const slack = (high - low) * 0.126;
          const at = (from: number, to: number): number[] =>
            [...data.y].filter((_, i) => data.x[i]! >= from && data.x[i]! < to);
          const inner = extremesOf(at(low + slack, high - slack));
          const outer = extremesOf(at(low - slack, high + slack));
          if (inner !== null) {
            expect(min).toBeLessThanOrEqual(inner[0]);
            expect(max).toBeGreaterThanOrEqual(inner[1]);
          }
          if (!Number.isNaN(min) && outer !== null) {
            expect(min).toBeGreaterThanOrEqual(outer[0]);
            expect(max).toBeLessThanOrEqual(outer[1]);
          }
        }
      }),
    );
  });

  it('come out the same whether all is painted or only what is new at the right', () => {
    fc.assert(
      fc.property(zooms(), fc.double({ min: 0, max: 1, noNaN: true }), ({ data, m }, share) => {
        const dirtyFrom = Math.floor(m.left + share * m.width);
        const all = columnsOf(data, m);
        const part = columnsOf(data, { ...m, dirtyFrom });
        const visible = (columns: Column[]): Column[] =>
          columns.filter(({ x }) => x > dirtyFrom && x < m.left + m.width);
        expect(visible(part)).toEqual(visible(all));
      }),
    );
  });

  it('turn times into pixels and back', () => {
    const m = mapping(2, 12, 500);
    expect(pixelOf(m, 7)).toBe(290);
    expect(timeAt(m, 290)).toBe(7);
  });
});

describe('a line', () => {
  const draw = (y: number[], step = false): [number, number][][] => {
    const recorder = new Recorder();
    traceLine(seriesOf(y), mapping(0, 100, 100), recorder, step);
    return recorder.lines;
  };

  it('breaks at gaps', () => {
    const lines = draw([1, 2, NaN, 4, 5]);
    expect(lines).toHaveLength(2);
    expect(lines[1]?.at(-1)).toEqual([44, -5]);
  });

  it('shows a value alone between gaps', () => {
    expect(draw([NaN, 3, NaN])).toEqual([
      [
        [40, -3],
        [41, -3],
      ].map(([x, y]) => [x === 40 ? 40.25 : x, y]),
    ]);
  });

  it('holds a value over the interval that ends at its time when it is stepped', () => {
    expect(draw([1, 2], true)[0]?.slice(-3)).toEqual([
      [40, -1],
      [40, -2],
      [41, -2],
    ]);
  });
});

describe('an area and a band', () => {
  it('close at the base line and at gaps', () => {
    const recorder = new Recorder();
    traceArea(seriesOf([1, NaN, 2, 3]), mapping(0, 10, 10), recorder, false, 0);
    expect(recorder.lines).toHaveLength(2);
    expect(recorder.lines[1]?.at(-2)).toEqual([43, -0]);
  });

  it('run along the upper series and back along the lower one', () => {
    const recorder = new Recorder();
    traceBand(seriesOf([0, 1, 2]), seriesOf([5, 6, 7]), mapping(0, 10, 10), recorder);
    expect(recorder.lines).toEqual([
      [
        [40, -5],
        [41, -6],
        [42, -7],
        [42, -2],
        [41, -1],
        [40, -0],
        [40, -5],
      ],
    ]);
  });
});

describe('a crowded line', () => {
  /** Tops and bottoms of the bars, by column. */
  const bars = (y: number[], width: number): { x: number; top: number; bottom: number; width: number }[] => {
    const drawn: { x: number; top: number; bottom: number; width: number }[] = [];
    lineBars(
      seriesOf(y),
      mapping(0, y.length, width),
      (x, top, w, height) => void drawn.push({ x, top, bottom: top + height, width: w }),
      2,
    );
    return drawn;
  };

  it('has a bar per column from its greatest to its least value, as thick as the line', () => {
    expect(bars([3, 3, 3, 3, 9, 1, 5, 5], 2)).toEqual([
      { x: 40, top: -4, bottom: -2, width: 1 },
      { x: 41, top: -10, bottom: 0, width: 1 },
    ]);
  });

  it('has no holes: each bar reaches to where the one before ended', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 40, maxLength: 400 }), (y) => {
        const drawn = bars(y, 20);
        drawn.slice(1).forEach(({ top, bottom }, i) => {
          const before = drawn[i]!;
          expect(top).toBeLessThanOrEqual(before.bottom);
          expect(bottom).toBeGreaterThanOrEqual(before.top);
        });
      }),
    );
  });

  it('goes on level over columns without samples, and stops at gaps', () => {
    const drawn: number[][] = [];
    const data = seriesOf([1, 1, 1, 5, NaN, 5], [0.1, 0.2, 0.3, 4.5, 5.5, 6.5]);
    lineBars(data, mapping(0, 10, 10), (...bar) => void drawn.push(bar), 2);
    expect(drawn).toEqual([
      [40, -2, 1, 2],
      [41, -2, 3, 2],
      [44, -6, 1, 6],
      [46, -6, 1, 2],
    ]);
  });
});

describe('a crowded area', () => {
  it('tells what is certain from what is only sometimes there', () => {
    const [certain, sometimes]: number[][][] = [[], []];
    areaBars(
      seriesOf([4, 6, 8, 8]),
      mapping(0, 4, 2),
      (...bar) => void certain?.push(bar),
      (...bar) => void sometimes?.push(bar),
      0,
    );
    expect(certain).toEqual([
      [40, -4, 1, 4],
      [41, -8, 1, 8],
    ]);
    expect(sometimes).toEqual([[40, -6, 1, 2]]);
  });
});
