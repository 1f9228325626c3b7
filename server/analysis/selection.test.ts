import { describe, expect, it } from 'vitest';
import { selection, SelectionFault, type Selectable } from '#analysis/selection';
import { experimentOf, type TestRun } from '#analysis/testing';

function runsOf(measured: readonly TestRun[]): Selectable[] {
  const { cells, runs } = experimentOf(measured);
  return runs.flatMap((ref) => {
    const cell = cells.find(({ key }) => key === ref.cell);
    if (cell === undefined) return [];
    const flows = [{ cca: { id: cell.cca.id }, transport: 'tcp' }];
    const manifest = { engine: 'virtual' as const, engine_version: '1', duration_s: 60, flows };
    return [{ ref, cell, manifest, also: cell.cca.id.startsWith('own-') ? ['mine.ts'] : [] }];
  });
}

const RUNS = runsOf([
  { cca: 'cubic', utilisation: 0.5, queueing_ms: 1, buffer: { bdp: 1 }, trace: 'LTE walk' },
  { cca: 'cubic', utilisation: 0.5, queueing_ms: 1, buffer: { bdp: 5 }, repetition: 3 },
  { cca: 'bbr', utilisation: 0.5, queueing_ms: 1, base_rtt_ms: 80, role: 'self_pair' },
  { cca: `own-${'a'.repeat(40)}`, utilisation: 0.5, queueing_ms: 1 },
]);
const found = (query: string): number[] => RUNS.flatMap((run, i) => (selection(query)(run) ? [i] : []));

describe('which runs an expectation is about', () => {
  it('says the language of Runs', () => {
    expect(found('cca:cubic')).toEqual([0, 1]);
    expect(found('cca:cubic buffer:5bdp')).toEqual([1]);
    expect(found('trace:"lte walk"')).toEqual([0]);
    expect(found('rep:2..4')).toEqual([1]);
    expect(found('-cca:cubic')).toEqual([3]);
    expect(found('cca:mine.ts')).toEqual([3]);
    expect(found('cca:reno')).toEqual([]);
  });

  it('is about what runs alone, unless a role is named', () => {
    expect(found('')).toEqual([0, 1, 3]);
    expect(found('role:self_pair rtt0:80')).toEqual([2]);
  });

  it('cannot choose by what came out, or by what only a data folder knows', () => {
    for (const query of ['util<0.4', 'state:done', 'tag:good', 'since:2026-01-01', 'experiment:x', 'cca:cubic p95<9'])
      expect(() => selection(query), query).toThrow(
        /^runs are chosen by their conditions \(cca, trace, .*, not by \w+$/,
      );
    expect(() => selection('nope:1')).toThrow(SelectionFault);
    expect(() => selection('rtt0:"')).toThrow(SelectionFault);
  });
});
