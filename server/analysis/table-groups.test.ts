import { describe, expect, test } from 'vitest';
import { resultsOf } from '#analysis/results';
import { tableOf } from '#analysis/table';
import { dimensionsOf, groupMean, groupRows } from '#analysis/table-groups';
import { LISTING, experimentOf } from '#analysis/testing';
import type { TestRun } from '#analysis/testing';

const rows = (runs: readonly TestRun[]) => tableOf(resultsOf(experimentOf(runs), LISTING.ccas));
const LIMITS = [{ bdp: 1 }, { bdp: 4 }];
const MATRIX = rows(
  LIMITS.flatMap((buffer, i) => [
    { cca: 'rival', buffer, utilisation: 0.5 + i / 10, queueing_ms: 10 },
    { cca: 'base', buffer, utilisation: 0.7 + i / 10, queueing_ms: 40 },
    { cca: 'perfect', buffer, utilisation: 1, queueing_ms: 0 },
  ]),
);
const names = (groups: ReturnType<typeof groupRows>) =>
  groups.map((group) => group.rows.map(({ label, limit }) => `${label} ${limit}`));

describe('groups of rows', () => {
  test('are offered where there is more than one', () => {
    expect(dimensionsOf(MATRIX)).toEqual(['cca', 'limit']);
    expect(dimensionsOf(MATRIX.slice(0, 1))).toEqual([]);
  });

  test('are by what was swept, where anything was; who is not changed by it stands alone', () => {
    const own = { cca: 'rival', queueing_ms: 10 };
    const swept = rows([
      ...[40, 5].map((value) => ({ ...own, utilisation: value / 50, sweep: { path: 'flows.0.extra_rtt_ms', value } })),
      { ...own, cca: 'perfect', utilisation: 1 },
    ]);
    expect(dimensionsOf(swept)).toContain('sweep');
    const values = (groups: ReturnType<typeof groupRows>) => groups.map(({ rows: [row] }) => row!.cell.sweep?.value);
    expect(values(groupRows(swept, 'sweep', null))).toEqual([40, 5, undefined]);
    expect(values(groupRows(swept, 'sweep', 'sweep'))).toEqual([5, 40, undefined]);
    expect(values(groupRows(swept, 'sweep', 'sweep', true))).toEqual([40, 5, undefined]);
  });

  test('stay in the order of the cells', () => {
    expect(names(groupRows(MATRIX, 'limit', null))).toEqual([
      ['RIVAL 1 BDP', 'BASE 1 BDP', 'PERFECT 1 BDP'],
      ['RIVAL 4 BDP', 'BASE 4 BDP', 'PERFECT 4 BDP'],
    ]);
  });

  test('have means over cells that compete; references alone have theirs', () => {
    const [first] = groupRows(MATRIX, 'limit', null);
    const mean = groupMean(first!, (row) => row.metrics.utilisation?.mean ?? null);
    expect([mean?.mean, mean?.n, mean?.of]).toEqual([expect.closeTo(0.6, 12), 2, 2]);
    const perfect = groupRows(MATRIX, 'cca', null)[2]!;
    expect(groupMean(perfect, (row) => row.metrics.utilisation?.mean ?? null)).toEqual({
      mean: 1,
      n: 2,
      of: 2,
      interval_traces: null,
    });
    expect(groupMean(first!, (row) => row.intra?.mean ?? null)).toBeNull();
  });

  test('say of how many cells a mean is', () => {
    const [group] = groupRows(MATRIX, 'limit', null);
    expect(groupMean(group!, (row) => (row.label === 'BASE' ? 7 : null))).toEqual({
      mean: 7,
      n: 1,
      of: 2,
      interval_traces: null,
    });
  });

  describe('of several traces', () => {
    const limits = [1, 4].map((bdp) => ({ bdp }));
    const over = (...traces: readonly (readonly number[])[]) => {
      const runs = traces.flatMap((values, t) =>
        values.map((utilisation, i) => ({
          cca: 'rival',
          trace: `${t}`,
          buffer: limits[i]!,
          utilisation,
          queueing_ms: 10,
        })),
      );
      const [group] = groupRows(rows(runs), 'cca', null);
      return groupMean(group!, (row) => row.metrics.utilisation?.mean ?? null)?.interval_traces;
    };

    test('have an interval over these: Student’s t of the traces’ means', () => {
      // Their means are 0.5, 0.6 and 0.7: ± 4.3027 · 0.1 / √3.
      const interval = over([0.4, 0.6], [0.5, 0.7], [0.6, 0.8]);
      expect(interval?.low).toBeCloseTo(0.6 - 0.248413, 5);
      expect(interval?.high).toBeCloseTo(0.6 + 0.248413, 5);
    });

    test('have none over two, or where one has more cells than another', () => {
      expect(over([0.4, 0.6], [0.5, 0.7])).toBeNull();
      expect(over([0.4, 0.6], [0.5, 0.7], [0.6])).toBeNull();
    });
  });

  test('are sorted by their means, and rows within them', () => {
    expect(names(groupRows(MATRIX, 'cca', 'queueing_mean', true))).toEqual([
      ['BASE 1 BDP', 'BASE 4 BDP'],
      ['RIVAL 1 BDP', 'RIVAL 4 BDP'],
      ['PERFECT 1 BDP', 'PERFECT 4 BDP'],
    ]);
    expect(names(groupRows(MATRIX, 'cca', 'utilisation', true)).at(-1)).toEqual(['RIVAL 4 BDP', 'RIVAL 1 BDP']);
    expect(names(groupRows(MATRIX, 'limit', 'limit', true)).map(([name]) => name)).toEqual([
      'BASE 4 BDP',
      'BASE 1 BDP',
    ]);
  });

  test('stay where they are when the column says nothing of a group, and rows are sorted', () => {
    expect(names(groupRows(MATRIX, 'cca', 'limit', true)).map(([name]) => name)).toEqual([
      'RIVAL 4 BDP',
      'BASE 4 BDP',
      'PERFECT 4 BDP',
    ]);
  });
});
