import { describe, expect, it } from 'vitest';
import { summaryOf } from '#analysis/testing';
import { summaryCsv, summaryLatex, summaryRows } from './summary-table';

const runs = [summaryOf({ utilisation: 0.8, queueing_ms: 10 }), null, summaryOf({ utilisation: 0.9, queueing_ms: 40 })];
const plain = (text: string | undefined): string =>
  (text ?? '').replace(/[\u00a0\u202f]/g, ' ').replaceAll('\u2212', '-');

describe('figures of runs beside those of one of them', () => {
  const row = (id: string, reference = 0) => summaryRows(runs, reference).find((one) => one.id === id);

  it('have values, and differences in their unit and in per cent', () => {
    expect(row('queueing_mean')?.title).toBe('Queueing delay, mean, ms');
    expect(row('queueing_mean')?.figures.map(({ value, difference }) => [value, plain(difference)])).toEqual([
      ['10.0', ''],
      ['–', ''],
      ['40.0', '+30.0 (+300 %)'],
    ]);
    expect(row('utilisation')?.figures.map(({ difference }) => plain(difference))).toEqual(['', '', '+10.0 (+12.5 %)']);
  });

  it('are held against any of them; against one without figures there are no differences', () => {
    expect(row('queueing_mean', 2)?.figures.map(({ difference }) => plain(difference))).toEqual([
      '-30.0 (-75.0 %)',
      '',
      '',
    ]);
    expect(row('queueing_mean', 1)?.figures.map(({ difference }) => difference)).toEqual(['', '', '']);
  });

  it('leave out what none of them measured', () => {
    expect(summaryRows([null, null], 0)).toEqual([]);
    expect(row('jain')).toBeUndefined();
  });

  it('are the same for LaTeX, and numbers in full for CSV', () => {
    const latex = summaryLatex(runs, ['A', 'B', 'C'], 0);
    expect(latex.columns).toEqual(['Metric', 'A', 'B', 'C']);
    expect(
      latex.rows.find(([title]) => title === 'Queueing delay, mean, ms')?.map((cell) => plain(String(cell))),
    ).toEqual(['Queueing delay, mean, ms', '10.0', '–', '40.0, +30.0 (+300 %)']);
    const ids = ['a', 'b', 'c'].map((id) => ({ id, label: id.toUpperCase() }));
    expect([...summaryCsv(runs, ids, 0).rows]).toContainEqual(['queueing_mean', 'ms', 'c', 'C', 40, 'a', 30, 300]);
  });
});
