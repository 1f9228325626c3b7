import { describe, expect, it } from 'vitest';
import { experimentFixture } from '../../gallery/experiment-fixture';
import { traceFixture } from '../../gallery/trace-fixture';
import { columnsFor, rowsOf, tilesOf } from './cell-rows';

const fixture = (traces: number, progress = 1) =>
  experimentFixture({
    traces: Array.from({ length: traces }, (_, i) => traceFixture(`trace ${i}`, 20, i + 1)),
    ccas: ['curve', 'modelled', 'perfect'],
    repetitions: 2,
    progress,
  });

describe('the cells of an experiment as tiles', () => {
  it('are all there from the beginning, with a run as soon as one has samples', () => {
    const { cells, runs } = fixture(2);
    const waiting = tilesOf(
      cells,
      runs.map((run) => ({ ...run, state: 'queued' as const, time_s: 0 })),
    );
    expect(waiting.map(({ cell }) => cell.key)).toEqual(cells.map(({ key }) => key));
    expect(waiting.filter(({ run }) => run !== null)).toEqual([]);
    for (const { cell, run } of tilesOf(cells, runs)) expect([run?.cell, run?.repetition]).toEqual([cell.key, 1]);
  });

  it('stand below one another by their limits where these fit', () => {
    const { cells } = fixture(1);
    expect([1, 3, 4, 7, 8, 11].map((room) => columnsFor(cells, room))).toEqual([1, 3, 4, 4, 8, 8]);
  });

  it('lie in rows, a group for each trace under its name; their number does not depend on what has run', () => {
    const rows = (progress: number) => {
      const { cells, runs } = fixture(2, progress);
      return rowsOf(tilesOf(cells, runs), 5).map((row) => (row.kind === 'heading' ? row.title : row.tiles.length));
    };
    expect(rows(1)).toEqual(['trace 0', 5, 5, 2, 'trace 1', 5, 5, 2]);
    expect(rows(0)).toEqual(rows(1));
    const { cells, runs } = fixture(1);
    expect(rowsOf(tilesOf(cells, runs), 6).map(({ kind }) => kind)).toEqual(['tiles', 'tiles']);
  });
});
