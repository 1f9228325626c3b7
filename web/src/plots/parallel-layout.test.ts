import { tableOf } from '#analysis/table';
import { resultsOf } from '#analysis/results';
import { expect, it } from 'vitest';
import { CCAS } from '../gallery/ccas';
import { experimentFixture } from '../gallery/experiment-fixture';
import { traceFixture } from '../gallery/trace-fixture';
import { isKept, ORDERS, parallelOf, readKept, withKept, writeKept } from './parallel-layout';

const rowsWith = (full: boolean) =>
  tableOf(
    resultsOf(
      experimentFixture({
        traces: [traceFixture('lte', 18, 1)],
        ccas: ['curve', 'modelled', 'halving', 'perfect'],
        repetitions: 2,
        full,
      }),
      CCAS,
    ),
  );
const rows = rowsWith(true);

it('puts better at the same end of every axis, and references where they have values', () => {
  const { axes, lines } = parallelOf(rows, 'measured');
  for (const [i, axis] of axes.entries()) {
    const best = lines.reduce((a, b) => ((b.places[i] ?? -1) > (a.places[i] ?? -1) ? b : a));
    const values = rows.flatMap((row) => axis.of(row) ?? []);
    expect(axis.of(best.row)).toBe(axis.better === 'more' ? Math.max(...values) : Math.min(...values));
  }
  const perfect = lines.find(({ row }) => row.reference);
  expect(perfect?.places.filter((place) => place === null)).toHaveLength(5);
});

it('has no axis of what nobody was measured on', () => {
  const ids = parallelOf(rowsWith(false), 'measured').axes.map(({ id }) => id);
  expect(ids).toEqual(['utilisation', 'delay', 'p95', 'loss']);
});

it('has the same axes and values in every order', () => {
  const [first, ...others] = ORDERS.map((order) => parallelOf(rows, order));
  const known = (parallel: typeof first) =>
    parallel?.axes.map(({ id }, i) => [id, parallel.lines.map(({ places }) => places[i])] as const).sort();
  for (const other of others) expect(known(other)).toEqual(known(first));
  expect(others[0]?.axes[0]?.id).toBe('score-real-time');
  // Like beside like: the two delays, which grow together.
  const alike = others[1]?.axes.map(({ id }) => id) ?? [];
  expect(Math.abs(alike.indexOf('delay') - alike.indexOf('p95'))).toBe(1);
});

it('keeps parts of axes in an address that anybody may have edited', () => {
  const kept = readKept('utilisation:80-100;loss:50-40;<b>:1-2;intra:0-101;p95:10-20');
  expect(writeKept(kept)).toBe('utilisation:80-100;p95:10-20');
  expect(writeKept(withKept(kept, 'p95', [-5, 130]))).toBe('utilisation:80-100');
  expect(writeKept(withKept(kept, 'p95', [30, 30]))).toBe(writeKept(kept));
});

it('keeps the cells that are within all kept parts, and none that was not measured there', () => {
  const parallel = parallelOf(rows, 'measured');
  const within = (text: string) => parallel.lines.filter((line) => isKept(parallel, line, readKept(text)));
  expect(within('')).toHaveLength(parallel.lines.length);
  const high = within('utilisation:90-100');
  expect(high.length).toBeGreaterThan(0);
  expect(high.length).toBeLessThan(parallel.lines.length);
  for (const { row } of high) expect(row.metrics.utilisation?.mean).toBeGreaterThanOrEqual(0.9);
  expect(within('intra:0-99').some(({ row }) => row.reference)).toBe(false);
});
