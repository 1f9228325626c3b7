import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementStream, receiverStream, senderStream } from '#protocol/columns';
import type { StreamInfo } from '#protocol/control';
import { seriesBatches, seriesColumns } from './series.ts';
import { STREAMS, sourceOf } from './testing.ts';

const SENDER = senderStream(0);
const RECEIVER = receiverStream(0);

/** Time and first value of each stream, row by row; the value is the row’s number in its stream. */
function rows(times: readonly (readonly number[])[]): (number | null)[][] {
  const source = sourceOf(
    new Map([0, SENDER, RECEIVER].map((stream, i) => [stream, times[i] ?? []])),
    (_, __, row) => row,
  );
  const columns = seriesColumns(STREAMS);
  const firsts = ['link_capacity_mbps', 'sender0_sent_mbps', 'receiver0_throughput_mbps'].map((name) =>
    columns.findIndex((column) => column.name === name),
  );
  return [...seriesBatches(source)].flatMap((batch) =>
    Array.from({ length: batch.rows }, (_, row) => [
      batch.time[row]!,
      ...firsts.map((c) => (Number.isNaN(batch.columns[c]![row]!) ? null : batch.columns[c]![row]!)),
    ]),
  );
}

describe('joined series', () => {
  test('columns carry their stream and unit, without the time', () => {
    const names = seriesColumns(STREAMS).map((column) => column.name);
    expect(names).toHaveLength(10 + 13 + 3);
    expect(names).toContain('link_lost_packets');
    expect(names).toContain('sender0_lost_packets');
    expect(names.at(-4)).toBe('sender0_phase');
    expect(new Set(names).size).toBe(names.length);
  });

  test('elements are told apart by direction and place', () => {
    const element = (direction: 'forward' | 'reverse', place: number): StreamInfo => ({
      stream: elementStream(direction, place),
      kind: 'element',
      direction,
      place,
      element: 'token-bucket',
      label: 'Token bucket',
      columns: [
        { name: 'time_s', unit: 's', label: 'time', type: 'f64' },
        { name: 'tokens_bytes', unit: 'B', label: 'tokens', type: 'f32' },
      ],
    });
    const streams = [element('forward', 0), element('forward', 2), element('reverse', 0)];
    expect(seriesColumns(streams).map(({ name }) => name)).toEqual([
      'forward0_token_bucket_tokens_bytes',
      'forward2_token_bucket_tokens_bytes',
      'reverse0_token_bucket_tokens_bytes',
    ]);
  });

  test('equal times make one row; a stream that starts later is empty before', () => {
    expect(rows([[0.01, 0.02, 0.03], [0.02, 0.03], [0.03]])).toEqual([
      [0.01, 0, null, null],
      [0.02, 1, 0, null],
      [0.03, 2, 1, 0],
    ]);
  });

  test('times within half a period belong together, others do not', () => {
    expect(rows([[0.01, 0.02], [0.0149, 0.0202], [0.0151]])).toEqual([
      [0.01, 0, 0, null],
      [0.0151, 1, null, 0],
      [0.0202, null, 1, null],
    ]);
  });

  test('no streams, no rows', () => {
    expect(rows([[], [], []])).toEqual([]);
  });

  test('every row of every stream appears once, in order of time', () => {
    const times = fc
      .uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 60 })
      .map((ms) => ms.sort((a, b) => a - b).map((t) => t / 1000));
    fc.assert(
      fc.property(times, times, times, (a, b, c) => {
        const joined = rows([a, b, c]);
        [a, b, c].forEach((stream, i) => {
          expect(joined.map((row) => row[i + 1]).filter((v) => v !== null)).toEqual(stream.map((_, row) => row));
        });
        joined.forEach((row, i) => expect(row[0]).toBeGreaterThanOrEqual(joined[i - 1]?.[0] ?? 0));
      }),
    );
  });

  test('long streams are read in pieces', () => {
    const long = Array.from({ length: 20_000 }, (_, i) => (i + 1) / 100);
    const joined = rows([long, long.slice(5000), long]);
    expect(joined).toHaveLength(20_000);
    expect(joined[4999]).toEqual([50, 4999, null, 4999]);
    expect(joined.at(-1)).toEqual([200, 19_999, 14_999, 19_999]);
  });
});
