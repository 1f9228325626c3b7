import { expect, test } from 'vitest';
import { harmPlace, pairGrids, type PairMetric } from '#analysis/pair-matrix';
import { resultsOf } from '#analysis/results';
import { LISTING, experimentOf, type TestRun } from '#analysis/testing';

const grids = (runs: readonly TestRun[], metric: PairMetric) =>
  pairGrids(resultsOf(experimentOf(runs), LISTING.ccas), metric).map(({ incumbent, rows }) => ({
    incumbent,
    values: Object.fromEntries(
      rows.flatMap(({ cells }) => cells.map(({ cell, value }) => [cell.cca.id, value?.mean ?? null])),
    ),
  }));

const solo = (cca: string): TestRun => ({ cca, utilisation: 1, queueing_ms: 80, throughput_mbps: [12] });
const pair = (cca: string, role: 'self_pair' | 'baseline_pair', rates: [number, number]): TestRun => ({
  ...{ cca, role, utilisation: 1, queueing_ms: 80, throughput_mbps: rates },
  ccas: [cca, role === 'self_pair' ? cca : 'base'],
});
const RUNS = [
  solo('base'),
  pair('base', 'self_pair', [7, 5]),
  solo('rival'),
  pair('rival', 'self_pair', [9, 3]),
  pair('rival', 'baseline_pair', [10, 2]),
];
const close = (value: number): number => expect.closeTo(value, 9) as number;

test('a share is of the half that would be fair: the baseline’s flow, and of two alike the lesser one', () => {
  expect(grids(RUNS, 'share')).toEqual([
    { incumbent: 'baseline', values: { base: close((5 / 6) * 100), rival: close((2 / 6) * 100) } },
    { incumbent: 'itself', values: { base: close((5 / 6) * 100), rival: close((3 / 6) * 100) } },
  ]);
});

test('harm is to the baseline alone, and its colour is centred on what the baseline does to itself', () => {
  expect(grids(RUNS, 'throughput_harm')).toEqual([
    { incumbent: 'baseline', values: { base: close(50), rival: close((10 / 12) * 100) } },
  ]);
  const [grid] = pairGrids(resultsOf(experimentOf(RUNS), LISTING.ccas), 'throughput_harm');
  for (const { cells } of grid?.rows ?? []) for (const { centre } of cells) expect(centre).toBeCloseTo(50, 9);
});

test('a cell names the runs behind it, and is empty where there are none', () => {
  const [beside] = pairGrids(resultsOf(experimentOf(RUNS), LISTING.ccas), 'share');
  for (const { cells } of beside?.rows ?? []) for (const { runs } of cells) expect(runs).toHaveLength(1);
  const [without] = pairGrids(
    resultsOf(
      experimentOf(RUNS.filter(({ cca, role }) => !(cca === 'rival' && role === 'baseline_pair'))),
      LISTING.ccas,
    ),
    'share',
  );
  expect(without?.rows.map(({ cells }) => [cells[0]?.value === null, cells[0]?.runs.length])).toEqual([
    [false, 1],
    [true, 0],
  ]);
  expect(grids([solo('base'), solo('rival')], 'share')).toEqual([]);
});

test('the scale has the centre in its middle, loss at one end, and an end', () => {
  expect([200, 100, 0].map((share) => harmPlace('share', share, 100))).toEqual([-1, 0, 1]);
  expect([0, 50, 75, 300].map((harm) => harmPlace('throughput_harm', harm, 50))).toEqual([-1, 0, 0.5, 1]);
});

test('everyone beside everyone is a grid a condition, those met across; the other way round it adds up to what both have', () => {
  const meets = (cca: string, value: string, rates: [number, number], more: Partial<TestRun> = {}): TestRun => ({
    ...{ cca, utilisation: 1, queueing_ms: 80, throughput_mbps: rates, ccas: [cca, value] },
    sweep: { path: 'flows.1.cca.id', value },
    ...more,
  });
  const runs = [
    meets('base', 'base', [6, 6]),
    meets('base', 'rival', [3, 9]),
    meets('rival', 'base', [9, 3]),
    meets('rival', 'rival', [8, 4]),
    meets('rival', 'rival', [8, 4], { buffer: { bdp: 5 } }),
  ];
  const found = pairGrids(resultsOf(experimentOf(runs), LISTING.ccas), 'share');
  expect(found.map(({ incumbent }) => incumbent)).toEqual(['met', 'met']);
  const [grid] = found;
  const values = grid?.rows.map(({ cells }) =>
    cells.map(({ column, value }) => [column, Math.round(value?.mean ?? NaN)]),
  );
  const [base, rival] = ['base', 'rival'].map((id) => LISTING.ccas.find((cca) => cca.id === id)?.label);
  expect(values).toEqual([
    [
      [base, 100],
      [rival, 150],
    ],
    [
      [base, 50],
      [rival, 67],
    ],
  ]);
  // Of harm nothing is told: nobody was alone.
  expect(pairGrids(resultsOf(experimentOf(runs), LISTING.ccas), 'throughput_harm')).toEqual([]);
});
