// The oracle on time lines: there when asked for, by name, in the rows; why it is not, in the subtitle.
import { describe, expect, it } from 'vitest';
import { SMALL_DATA } from '../gallery/small-data';
import { getTheme } from '../theme/theme';
import { plotsFor } from './all-plots';
import type { OracleState, RunPlotData } from './data';
import { flowsOf } from './flows';
import { oracleLines } from './oracle';
import { parseOptions } from './options';
import type { Plot } from './registry';

const EVERYTHING = { range: null, hidden: new Set<string>() };
const data = SMALL_DATA.run();

function rowsOf(plot: Plot<'run'>, oracle: boolean, of: RunPlotData = data, hidden = EVERYTHING.hidden) {
  const { all } = parseOptions(plot.options, { oracle });
  return [...plot.table(of, all, { ...EVERYTHING, hidden }).rows].filter(([, series]) => /oracle/.test(String(series)));
}

const timeLines = plotsFor('run').filter(({ options }) => 'oracle' in options.shape);
const known = (...courses: [of: string, runs: number[]][]): OracleState => {
  const samples = data.oracle?.state === 'known' ? data.oracle.courses[0]?.samples : undefined;
  if (samples === undefined) throw new Error('the fixture has an oracle');
  return { state: 'known', courses: courses.map(([of, runs]) => ({ of, runs, samples })) };
};
const linesOf = (oracle: OracleState | undefined) =>
  oracleLines({ ...data, oracle }, flowsOf(data, data.samples.streams, getTheme()), getTheme(), true);

describe('the oracle on the time lines of a run', () => {
  it('is on all of them', () => {
    expect(timeLines.map(({ id }) => id)).toEqual(['throughput', 'queue', 'cwnd', 'rtt', 'sequence']);
  });

  it.each(timeLines.map((plot) => [plot.id, plot] as const))('%s: in its rows when asked for', (_, plot) => {
    expect(rowsOf(plot, false)).toEqual([]);
    const rows = rowsOf(plot, true);
    expect(rows.length).toBeGreaterThan(20);
    expect(rowsOf(plot, true, data, new Set(['oracle']))).toEqual([]);
    expect(rowsOf(plot, true, { ...data, oracle: { state: 'asked' } })).toEqual([]);
  });

  it('has the very rates of its receiver', () => {
    const [throughput] = timeLines;
    if (throughput === undefined || data.oracle?.state !== 'known') throw new Error('there is one');
    const { all } = parseOptions(throughput.options, { oracle: true, mean: 'none' });
    const drawn = [...throughput.table(data, all, EVERYTHING).rows].flatMap(([, series, value]) =>
      series === 'Delayed oracle' && typeof value === 'number' ? [value] : [],
    );
    const [course] = data.oracle.courses;
    const stream = [...(course?.samples.streams.values() ?? [])].find(({ info }) => info.kind === 'receiver');
    const told = [...(stream?.column('throughput_mbps') ?? [])].slice(0, stream?.rows).filter((v) => !Number.isNaN(v));
    expect(drawn).toEqual(told);
  });

  it('is called by its run where there are several', () => {
    expect(linesOf(known(['A', [0]])).legend.map(({ label }) => label)).toEqual(['Delayed oracle']);
    const two = linesOf(known(['A', [0]], ['B', [1]])).legend;
    expect(two.map(({ label }) => label)).toEqual(['Delayed oracle · A', 'Delayed oracle · B']);
    expect(new Set(two.map(({ key, dash = [] }) => `${key} ${dash.join(' ')}`)).size).toBe(2);
  });

  it('says why there is none', () => {
    expect(linesOf({ state: 'refused', reason: 'its link was changed' }).note).toBe(
      '; no oracle: its link was changed',
    );
    expect(linesOf({ state: 'asked' }).note).toContain('being made');
    expect(oracleLines(data, [], getTheme(), false)).toMatchObject({ legend: [], note: '' });
  });
});

it('is on the time lines of a measurement over a run', () => {
  for (const plot of plotsFor('live').filter(({ id }) => id !== 'live-distribution')) {
    const { all } = parseOptions(plot.options, { oracle: true });
    const rows = [...plot.table(SMALL_DATA.live(), all, EVERYTHING).rows];
    expect(rows.some(([, series]) => /oracle/.test(String(series)))).toBe(true);
  }
});

describe('the oracle less a run', () => {
  const [throughput] = plotsFor('difference');
  const rows = (reference: number, flows: number): unknown[] => {
    if (throughput === undefined) throw new Error('there is one');
    const laid = SMALL_DATA.difference();
    const { all } = parseOptions(throughput.options, { oracle: true });
    const overlays = laid.overlays.map((one, i) => ({ ...one, firstFlow: i * flows }));
    return [...throughput.table({ ...laid, reference, overlays }, all, EVERYTHING).rows].filter(([, series]) =>
      /oracle less/.test(String(series)),
    );
  };
  it('is there for a reference of one flow', () => {
    expect(rows(0, 1).length).toBeGreaterThan(20);
    expect(rows(1, 1).length).toBeGreaterThan(20);
  });
  it('and not for one of several, none of which had the link alone', () => {
    expect(rows(0, 2)).toEqual([]);
  });
});
