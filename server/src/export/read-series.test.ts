import { describe, expect, test } from 'vitest';
import { receiverStream, senderStream } from '#protocol/columns';
import { csvLine } from './csv.ts';
import { ReadSeries, SeriesUnreadable } from './read-series.ts';
import { seriesBatches, seriesColumns } from './series.ts';
import { sourceOf } from './testing.ts';

const times = [0.01, 0.02, 0.03];
const source = sourceOf(
  new Map([0, senderStream(0), receiverStream(0)].map((stream) => [stream, times])),
  (_, column, row) => column + row / 2,
);
const columns = seriesColumns(source.streams);
const [batch] = [...seriesBatches(source)];
const rows = times.map((time, row) => [time, ...columns.map((_, c) => batch?.columns[c]?.[row] ?? null)]);
const names = ['time_s', ...columns.map(({ name }) => name)];

describe('an exported series', () => {
  test.each([
    ['CSV', [names, ...rows].map((cells) => csvLine(cells)).join('')],
    ['JSON', JSON.stringify({ format: 'paceline.run', columns: names.map((name) => ({ name })), rows })],
  ])('of %s is read back by its columns', (_, text) => {
    const series = new ReadSeries(text).column('receiver0_throughput_mbps');
    expect(Array.from(series?.time ?? [])).toEqual(times);
    expect(Array.from(series?.values ?? [])).toEqual([0, 0.5, 1]);
    expect(new ReadSeries(text).column('receiver7_throughput_mbps')).toBeNull();
  });

  test('has unknown values where nothing is written, and cells may hold commas', () => {
    const series = new ReadSeries('time_s,sender0_phase,a\r\n1,"drain, ""slow""",5\r\n2,,\r\n').column('a');
    expect(Array.from(series?.values ?? [])).toEqual([5, Number.NaN]);
  });

  test.each(['', 'run,cca\r\n1,2\r\n', '{"format": "paceline.experiment"}', '{'])('%j is none', (text) => {
    expect(() => new ReadSeries(text)).toThrow(SeriesUnreadable);
  });
});
