import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { expandSpec } from '#analysis/planner';
import { LISTING, findTrace, summaryOf } from '#analysis/testing';
import { madeMeasurement } from '#analysis/testing-iperf3';
import { LINK_COLUMNS, RECEIVER_COLUMNS, receiverStream, senderStream } from '#protocol/columns';
import type { MeasurementRecord } from '#protocol/measurement';
import { ExperimentSpec } from '#protocol/spec';
import { Course } from './dynamics.ts';
import { exportRun, type RunExport } from './run.ts';
import { seriesColumns } from './series.ts';
import { STREAMS, bytesOf, parseCsv, sourceOf, textOf } from './testing.ts';

const expansion = expandSpec(ExperimentSpec.parse({ traces: [{ trace: 'lte.down' }], ccas: [{ id: 'rival' }] }), {
  engine: LISTING,
  findTrace,
});
if (!expansion.ok) throw new Error('the spec of this test is wrong');
const [planned] = expansion.runs;
const { manifest } = planned!;

const PHASE = seriesColumns(STREAMS).findIndex((column) => column.name === 'sender0_phase') - LINK_COLUMNS.length;
/** Row 1 of the sender knows nothing but its phase; all else is column + row / 10. */
const value = (stream: number, column: number, row: number): number => {
  if (stream === senderStream(0) && column === PHASE) return row % 2;
  return stream === senderStream(0) && row === 1 ? Number.NaN : column + row / 10;
};

const LIVE: MeasurementRecord = {
  id: '0123456789abcdef',
  run: 'abc',
  name: 'walk.json',
  created_at: '2026-07-11T10:15:00.000Z',
  measurement: madeMeasurement({ mbps: [10, 20] }),
};

const OWNER = {
  id: manifest.forward.capacity.kind === 'trace' ? manifest.forward.capacity.sha256 : '',
  name: 'lte.down',
  licence: 'CC BY 4.0, https://creativecommons.org/licenses/by/4.0/ – A. Owner',
  source: 'A. Owner: “Measured”, 2020\nChanges: none',
};

function run(rows: number): RunExport {
  const times = Array.from({ length: rows }, (_, i) => (i + 1) / 100);
  const streams = new Map([0, senderStream(0), receiverStream(0)].map((stream) => [stream, times]));
  return {
    ...sourceOf(streams, value),
    run: 'abc',
    manifest,
    owners: [OWNER],
    summary: summaryOf({ utilisation: 0.9, queueing_ms: 10 }),
    events: [{ type: 'event', time_s: 0.02, flow: 0, event: 'rto' }],
    measurements: [LIVE],
  };
}

const names = ['time_s', ...seriesColumns(STREAMS).map((column) => column.name)];

const IDENTITY = [
  'run',
  'trace',
  'trace_licence',
  'trace_source',
  'cca',
  'queue_limit_bytes',
  'queue_limit_packets',
  'engine_version',
  'permalink',
];

describe('a run over a recording by others', () => {
  test('says in each format whose it is', () => {
    const [header, first] = parseCsv(textOf(exportRun(run(2), 'csv')));
    expect(first?.[header!.indexOf('trace_licence')]).toBe(OWNER.licence);
    expect(first?.[header!.indexOf('trace_source')]).toBe(OWNER.source);
    expect(JSON.parse(textOf(exportRun(run(2), 'json')))).toMatchObject({
      trace_licence: OWNER.licence,
      trace_source: OWNER.source,
    });
    const { key_value_metadata: said } = parquetMetadata(bytesOf(exportRun(run(2), 'parquet')).buffer);
    expect(said).toContainEqual({ key: 'paceline.trace_licence', value: OWNER.licence });
    expect(said).toContainEqual({ key: 'paceline.trace_source', value: OWNER.source });
  });

  test('names the owners of the other traces too', () => {
    const back = { ...OWNER, id: 'f'.repeat(64), name: 'lte.up' };
    const owned = { ...run(2), owners: [OWNER, back] };
    const [header, first] = parseCsv(textOf(exportRun(owned, 'csv')));
    expect(JSON.parse(first?.[header!.indexOf('other_trace_owners')] ?? '')).toEqual([back]);
    expect(JSON.parse(textOf(exportRun(owned, 'json')))).toMatchObject({ trace_owners: [OWNER, back] });
  });
});

describe('run as CSV', () => {
  test('says once of which run it is, behind all columns that it had', () => {
    const [header, ...rows] = parseCsv(textOf(exportRun(run(3), 'csv', 'http://lab:8080')));
    const said = rows.map((row) => IDENTITY.map((name) => row[header!.indexOf(name)]));
    const id = run(3).run;
    expect(said[0]).toEqual(expect.arrayContaining([id, manifest.engine_version, `http://lab:8080/r/${id}`]));
    expect(said.slice(1)).toEqual([IDENTITY.map(() => ''), IDENTITY.map(() => '')]);
    // Without a page, as from the command line, there is nothing to link to, and the rest is the same every time.
    expect(parseCsv(textOf(exportRun(run(3), 'csv')))[1]!.at(-1)).toBe('');
  });

  test('says which elements its path lists, behind all else', () => {
    const path = [
      { element: 'bottleneck' },
      {
        element: 'bottleneck',
        params: {},
        capacity: { kind: 'trace' as const, sha256: 'b'.repeat(64), name: 'b', offset_ms: 0 },
      },
      { element: 'delay' },
    ];
    const listed = { ...run(2), manifest: { ...manifest, forward: { ...manifest.forward, path } } };
    const [header, first, second] = parseCsv(textOf(exportRun(listed, 'csv')));
    expect(header).toEqual([...names, ...IDENTITY, 'path_forward']);
    expect(JSON.parse(first!.at(-1)!)).toEqual(path);
    expect(second!.at(-1)).toBe('');
  });

  test('a header with units, values as they were meant, unknown ones empty, states by name', () => {
    const [header, ...rows] = parseCsv(textOf(exportRun(run(3), 'csv')));
    expect(header).toEqual([...names, ...IDENTITY]);
    expect(rows).toHaveLength(3);
    const cell = (row: number, name: string) => rows[row]![names.indexOf(name)];
    expect(cell(0, 'time_s')).toBe('0.01');
    expect(cell(2, 'link_delivered_mbps')).toBe('1.2');
    expect(cell(1, 'sender0_cwnd_bytes')).toBe('');
    expect(cell(1, 'sender0_phase')).toBe('drain, "slow"');
    expect(cell(2, 'sender0_phase')).toBe('startup');
    expect(cell(2, 'receiver0_owd_mean_ms')).toBe('1.2');
  });
});

interface RunFile {
  readonly events: unknown;
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly (number | string | null)[])[];
}
const parse = (rows: number): RunFile => JSON.parse(textOf(exportRun(run(rows), 'json'))) as RunFile;

describe('run as JSON', () => {
  test('says what it is, and holds the same values with null for unknown', () => {
    const file = parse(3);
    expect(file).toMatchObject({ format: 'paceline.run', version: 1, run: 'abc', manifest, measurements: [LIVE] });
    expect(file.events).toEqual([{ type: 'event', time_s: 0.02, flow: 0, event: 'rto' }]);
    expect(file.columns.map((column) => column.name)).toEqual(names);
    expect(file.rows).toHaveLength(3);
    expect(file.rows[1]![names.indexOf('sender0_cwnd_bytes')]).toBeNull();
    expect(file.rows[2]![names.indexOf('link_delivered_mbps')]).toBe(1.2);
  });

  test('a run without samples is a whole file too', () => {
    expect(parse(0).rows).toEqual([]);
    expect(parseCsv(textOf(exportRun(run(0), 'csv')))).toEqual([[...names, ...IDENTITY]]);
  });
});

describe('the course of a run, at the end of its JSON', () => {
  const dynamicsIn = (source: RunExport): unknown =>
    (JSON.parse(textOf(exportRun(source, 'json'))) as { readonly dynamics: unknown }).dynamics;
  const times = Array.from({ length: 3000 }, (_, i) => (i + 1) / 100);
  const place = (columns: readonly { readonly name: string }[], name: string): number =>
    columns.findIndex((column) => column.name === name);
  const [capacity, delivered] = ['capacity_mbps', 'delivered_mbps'].map((name) => place(LINK_COLUMNS, name));
  const throughput = place(RECEIVER_COLUMNS, 'throughput_mbps');
  /** The link is out from 10 to 12 s; the sender is back at 15. */
  const failing: RunExport = {
    ...run(0),
    ...sourceOf(
      new Map([0, senderStream(0), receiverStream(0)].map((stream) => [stream, times])),
      (stream, column, row) => {
        const out = row >= 1000 && row < 1200;
        if (stream === 0 && column === capacity) return out ? 0 : 12;
        const served =
          (stream === 0 && column === delivered) || (stream === receiverStream(0) && column === throughput);
        return served ? (out ? 0 : row >= 1200 && row < 1500 ? 6 : 12) : 1;
      },
    ),
  };

  test('has what the link did, and how long it took', () => {
    const dynamics = dynamicsIn({ ...failing, manifest: { ...manifest, duration_s: 30 } });
    expect(dynamics).toMatchObject({
      convergence: [{ flow: 0, to_final_s: expect.closeTo(0, 1) as number }],
      recovery: [{ kind: 'outage', recovered_after_s: expect.closeTo(2.9, 1) as number }],
      settling: [],
      jain: [],
    });
  });

  test('has what it did around its handovers, beside which there is nothing else', () => {
    const aroundIn = (source: RunExport): unknown =>
      (JSON.parse(textOf(exportRun(source, 'json'))) as { readonly around: unknown }).around;
    const whole = { ...failing, manifest: { ...manifest, duration_s: 30 } };
    const handovers = [5, 10, 20].map((at_s) => ({ kind: 'handover' as const, at_s, lasts_s: 0.03 }));
    // One outage is too few, and three handovers are enough.
    expect(aroundIn(whole)).toBeNull();
    expect(aroundIn({ ...whole, handovers })).toMatchObject({ of: 'handovers', marks: handovers, rule: { near_s: 1 } });
    expect(aroundIn({ ...whole, handovers, summary: null })).toBeNull();
  });

  test('is nothing while the run goes on, or without samples', () => {
    expect(dynamicsIn({ ...failing, summary: null })).toBeNull();
    expect(dynamicsIn(run(0))).toMatchObject({ convergence: [], recovery: [], jain: [] });
  });

  test('is nothing where it would take more memory than a file in pieces should', () => {
    const endless = { ...failing, heads: new Map([[0, 10_000_000]]), read: failing.read };
    expect(Course.of(manifest, endless)).toBeNull();
  });
});

describe('run as Parquet', () => {
  test('is read back with types, nulls and metadata', async () => {
    const file = bytesOf(exportRun(run(3), 'parquet')).buffer;
    const metadata = parquetMetadata(file);
    expect(metadata.schema.slice(1, 3).map(({ name, type }) => [name, type])).toEqual([
      ['time_s', 'DOUBLE'],
      ['link_capacity_mbps', 'FLOAT'],
    ]);
    const entry = metadata.key_value_metadata?.find(({ key }) => key === 'paceline.manifest');
    expect(JSON.parse(entry?.value ?? '')).toEqual(manifest);
    const engine = metadata.key_value_metadata?.find(({ key }) => key === 'paceline.engine_version');
    expect(engine?.value).toBe(manifest.engine_version);
    const live = metadata.key_value_metadata?.find(({ key }) => key === 'paceline.measurements');
    expect(JSON.parse(live?.value ?? '')).toEqual([LIVE]);
    const rows: Record<string, unknown>[] = await parquetReadObjects({ file });
    expect(rows.map((row) => row['time_s'])).toEqual([0.01, 0.02, 0.03]);
    expect(rows.map((row) => row['link_delivered_mbps'])).toEqual([1, 1.1, 1.2].map(Math.fround));
    expect(rows.map((row) => row['sender0_cwnd_bytes'] === null)).toEqual([false, true, false]);
    expect(rows.map((row) => row['sender0_phase'])).toEqual(['startup', 'drain, "slow"', 'startup']);
  });

  test('a long run comes in several row groups, and leaves in pieces', async () => {
    const pieces = [...exportRun(run(150_000), 'parquet')];
    expect(pieces.length).toBeGreaterThan(2);
    const file = bytesOf(pieces).buffer;
    const metadata = parquetMetadata(file);
    expect(metadata.num_rows).toBe(150_000n);
    expect(metadata.row_groups.length).toBeGreaterThan(1);
    const tail = await parquetReadObjects({
      file,
      rowStart: 149_998,
      rowEnd: 150_000,
      columns: ['time_s', 'link_capacity_mbps'],
    });
    expect(tail).toEqual([
      { time_s: 1499.99, link_capacity_mbps: Math.fround(14_999.8) },
      { time_s: 1500, link_capacity_mbps: Math.fround(14_999.9) },
    ]);
  });

  test('an empty run is a valid file', async () => {
    expect(await parquetReadObjects({ file: bytesOf(exportRun(run(0), 'parquet')).buffer })).toEqual([]);
  });
});
