import { expect, it } from 'vitest';
import { phasePoints, pointAt, stepOf } from './phase-points';

const COLUMNS = { x: 'rtt', y: 'cwnd', xUnit: 1, yUnit: 1000 };

/** A row every 10 ms; what is not known is NaN. */
const stream = (seconds: number, rtt: (at: number) => number = () => 20) => {
  const rows = Math.round(seconds * 100);
  const time = Float64Array.from({ length: rows }, (_, i) => (i + 1) / 100);
  const columns: Record<string, Float32Array> = {
    rtt: Float32Array.from(time, rtt),
    cwnd: Float32Array.from(time, (at) => at * 1e6),
  };
  return { time, rows, column: (name: string) => columns[name] };
};

it('takes the last row of every step, however many rows a step has', () => {
  const points = phasePoints(stream(2), COLUMNS, [0, 2], 0.5);
  expect(points.map(({ time_s }) => time_s)).toEqual([0.5, 1, 1.5, 2]);
  expect(points.map(({ y }) => Math.round(y))).toEqual([500, 1000, 1500, 2000]);
  expect(points.map(({ joined }) => joined)).toEqual([false, true, true, true]);
});

it('stays within the range, and does not lead a line over what is not known', () => {
  const gap = stream(2, (at) => (at > 0.505 && at < 1.005 ? NaN : 20));
  expect(phasePoints(gap, COLUMNS, [0.3, 1.7], 0.25).map(({ time_s, joined }) => [time_s, joined])).toEqual([
    [0.5, false],
    [1.25, false],
    [1.5, true],
    [1.7, true],
  ]);
  expect(phasePoints(stream(1), { ...COLUMNS, x: 'unheard of' }, [0, 1], 0.1)).toEqual([]);
});

it('makes steps round, no finer than rows are, and no more than fit', () => {
  expect(stepOf([0, 0.5])).toBe(0.01);
  expect(stepOf([0, 30])).toBe(0.2);
  for (const span of [1, 7, 60, 3600, 86_400]) expect(span / stepOf([0, span])).toBeLessThanOrEqual(240);
});

it('finds where a flow was at a moment, and nothing before it began', () => {
  const points = phasePoints(stream(2), COLUMNS, [0, 2], 0.5);
  expect(pointAt(points, 1.2)?.time_s).toBe(1);
  expect(pointAt(points, 0.2)).toBeNull();
});
