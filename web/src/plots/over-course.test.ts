import { expect, it } from 'vitest';
import { TimeView } from '../charts/time-view';
import { Visibility } from '../charts/visibility';
import { LISTING } from '../gallery/ccas';
import { RunFixture } from '../gallery/run-fixture';
import { layoutOf, MOST_BARS } from './course-layout';
import { parseOptions } from './options';
import { plot } from './over-course.plot';

const samples = new RunFixture({
  flows: [{ cca: 'curve' }, { cca: 'modelled', start_s: 10 }],
  duration_s: 30,
});
const data = {
  id: 'run',
  manifest: samples.manifest,
  samples,
  ccas: LISTING,
  view: new TimeView({ extent: [0, 30] }),
  visibility: new Visibility(),
};
const rows = (hidden: string[] = [], range: [number, number] | null = null): (string | number | null)[][] =>
  [...plot.table(data, parseOptions(plot.options, {}).all, { range, hidden: new Set(hidden) }).rows].map((row) => [
    ...row,
  ]);

it('has nothing to say while a run goes on, and then when each flow converged, who joined, and the boxes of both', () => {
  expect(rows()).toEqual([]);
  samples.finish();
  const what = rows().map(([, series, kind]) => [series, kind]);
  expect(what.filter(([, kind]) => kind === 'converges')).toHaveLength(2);
  expect(what.filter(([, kind]) => kind === 'settles')).toEqual([[expect.stringMatching(/ joins$/), 'settles']]);
  // 1 and 2 base RTTs of 20 ms are fewer samples than tell; 3000 are longer than the flows run together.
  const boxes = (of: string) => what.filter(([series]) => series === `Jain’s index of ${of}`).map(([, kind]) => kind);
  const windows = [5, 10, 20, 50, 100, 500, 1000].map((k) => `${k} base RTTs`);
  expect([boxes('throughput'), boxes('RTT')]).toEqual([windows, windows]);
});

it('leaves out what is hidden, and what did not begin in the range', () => {
  samples.finish();
  expect(rows(['flow:0', 'jain:rtt']).filter(([, series]) => /RTT$/.test(String(series)))).toEqual([]);
  expect(rows(['flow:0']).filter(([, , kind]) => kind === 'converges')).toHaveLength(1);
  for (const [time] of rows([], [5, 15])) expect(Number(time)).toBeGreaterThanOrEqual(5);
});

it('draws no more bars than a person reads, and says so', () => {
  expect(layoutOf(3, false)).toMatchObject({ bars: 3, more: 0 });
  expect(layoutOf(500, true)).toMatchObject({ bars: MOST_BARS, more: 500 - MOST_BARS });
  expect(layoutOf(500, true).height).toBe(layoutOf(501, true).height);
});
