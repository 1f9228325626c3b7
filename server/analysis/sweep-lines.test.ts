import { describe, expect, test } from 'vitest';
import { resultsOf } from '#analysis/results';
import { sweepPlanes } from '#analysis/sweep-lines';
import { experimentOf, LISTING, type TestRun } from '#analysis/testing';

const planes = (runs: readonly TestRun[]) => sweepPlanes(resultsOf(experimentOf(runs), LISTING.ccas), 'utilisation');
const run = (more: Partial<TestRun>): TestRun => ({ cca: 'rival', utilisation: 0.5, queueing_ms: 10, ...more });
const told = (found: ReturnType<typeof planes>) =>
  found.map(({ values, lines }) => ({
    values,
    lines: lines.map(({ cca, points, level }) => [
      cca.id,
      points.map(({ at, y }) => [at, y.mean]),
      level?.y.mean ?? null,
    ]),
  }));

describe('a metric along a sweep', () => {
  test('is nothing where nothing was swept', () => {
    expect(planes([run({})])).toEqual([]);
  });

  test('of a CCA’s parameter is one line, whatever else that CCA was given, beside the levels of the others', () => {
    const beta = (value: number, utilisation: number, params = {}): TestRun =>
      run({ cca: 'base', params: { ...params, beta: value }, utilisation, sweep: { path: 'ccas.base.beta', value } });
    const found = planes([
      beta(0.9, 0.8),
      beta(0.5, 0.6),
      beta(0.9, 0.7, { fast: false }),
      run({ utilisation: 0.4 }),
      run({ cca: 'perfect', utilisation: 1 }),
    ]);
    expect(told(found)).toEqual([
      {
        values: [0.5, 0.9],
        lines: [
          [
            'base',
            [
              [0.5, 0.6],
              [0.9, 0.8],
            ],
            null,
          ],
          ['base', [[0.9, 0.7]], null],
          ['rival', [], 0.4],
          ['perfect', [], 1],
        ],
      },
    ]);
    expect(found[0]!.lines[1]!.cca.params).toEqual({ fast: false });
  });

  test('has a plane for each link and limit, with the ideal of its trace in each', () => {
    const sweep = { path: 'reverse.rate_mbps', value: 2 };
    const found = planes([
      run({ buffer: { bdp: 1 }, sweep }),
      run({ buffer: { bdp: 5 }, sweep, utilisation: 0.7 }),
      run({ buffer: { bdp: 5 }, sweep, trace: 'other' }),
      run({ cca: 'perfect', utilisation: 1 }),
    ]);
    expect(told(found).map(({ lines }) => lines.map(([id]) => id))).toEqual([
      ['rival', 'perfect'],
      ['rival', 'perfect'],
      ['rival'],
    ]);
  });

  test('keeps words in their order, and leaves out what was not measured', () => {
    const mode = (value: string, more: Partial<TestRun> = {}): TestRun =>
      run({ cca: 'base', params: { mode: value }, sweep: { path: 'ccas.base.mode', value }, ...more });
    expect(told(planes([mode('rfc'), mode('linux'), mode('none', { state: 'failed' })]))).toEqual([
      {
        values: ['rfc', 'linux'],
        lines: [
          [
            'base',
            [
              ['rfc', 0.5],
              ['linux', 0.5],
            ],
            null,
          ],
        ],
      },
    ]);
  });

  test('has intervals from three repetitions on', () => {
    const [plane] = planes(
      [0.5, 0.6, 0.7].map((utilisation, repetition) =>
        run({ utilisation, repetition, sweep: { path: 'flows.0.ecn', value: true } }),
      ),
    );
    const [point] = plane!.lines[0]!.points;
    expect([point!.at, point!.y.mean]).toEqual(['true', expect.closeTo(0.6, 12)]);
    expect(point!.y.low).toBeLessThan(0.6);
  });
});
