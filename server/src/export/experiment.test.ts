import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { LISTING, experimentOf, type TestRun } from '#analysis/testing';
import { ExperimentRecord } from '#protocol/api';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import { ExperimentSpec } from '#protocol/spec';
import type { CcaDescriptor } from '#protocol/cca';
import type { Frontier } from '#analysis/frontier';
import type { Stability } from '#analysis/ranking';
import type { Estimate } from '#analysis/statistics';
import { finish } from '#analysis/steps';
import type { TableRow } from '#analysis/table';
import type { TermTable } from '#analysis/terms';
import type { TraceOwner } from '#analysis/trace-owners';
import { exportExperiment, surveySteps } from './experiment.ts';
import { bytesOf, parseCsv, textOf } from './testing.ts';

const pair = (cca: string, role: TestRun['role'] & string, jain: number): TestRun => ({
  cca,
  role,
  ccas: [cca, role === 'self_pair' ? cca : 'base'],
  utilisation: 1,
  queueing_ms: 20,
  fairness: [
    [1, jain],
    [50, jain],
  ],
});

function experiment(runs: readonly TestRun[]): WholeExperiment {
  const record: ExperimentRecord = {
    ...experimentOf(runs),
    spec: ExperimentSpec.parse({ traces: [{ trace: 'lte.down' }], ccas: [{ id: 'rival' }] }),
    id: 'exp',
    name: 'A "name", with commas',
    state: 'done',
    created_at: '2026-01-01T00:00:00Z',
    traces: ['lte.down'],
    ccas: ['rival'],
    runs_total: runs.length,
    runs_done: runs.length,
    runs_failed: 0,
    eta_s: null,
  };
  return { ...ExperimentRecord.parse(record), engine_version: '1.2.3+abc' };
}

const RECORD = experiment([
  { cca: 'rival', params: { gain: 2 }, buffer: { bdp: 5 }, utilisation: 0.9, queueing_ms: 30, p95_ms: 60 },
  {
    cca: 'rival',
    params: { gain: 2 },
    buffer: { bdp: 5 },
    utilisation: 0.8,
    queueing_ms: 10,
    repetition: 1,
    duration_s: 3,
  },
  { cca: 'base', utilisation: 1, queueing_ms: 80 },
  { cca: 'base', utilisation: 1, queueing_ms: 80, repetition: 1, state: 'failed', reason: 'it crashed, at once' },
  pair('base', 'self_pair', 0.9),
  pair('base', 'baseline_pair', 0.8),
  { cca: 'perfect', utilisation: 1, queueing_ms: 0 },
]);

const exported = (
  record: WholeExperiment,
  format: 'csv' | 'json' | 'parquet' | 'latex',
  owners: readonly TraceOwner[] = [],
) => exportExperiment(record, finish(surveySteps(record)), LISTING.ccas, format, { page: 'http://lab:8080', owners });

test('what was swept is in the rows of an experiment that sweeps, and in no others', () => {
  const sweep = { path: 'flows.0.extra_rtt_ms', value: 40 };
  const made = experiment([
    { cca: 'rival', utilisation: 1, queueing_ms: 10, sweep },
    { cca: 'perfect', utilisation: 1, queueing_ms: 0 },
  ]);
  const swept = { ...made, spec: { ...made.spec, sweep: { path: sweep.path, values: [40] } } };
  const columns = (record: WholeExperiment) => {
    const [header, ...rows] = parseCsv(textOf(exported(record, 'csv')));
    return ['sweep', 'swept_value'].map((name) => rows.map((row) => row[header!.indexOf(name)]));
  };
  expect(columns(swept)).toEqual([
    ['flows.0.extra_rtt_ms', ''],
    ['40', ''],
  ]);
  expect(textOf(exported(RECORD, 'csv'))).not.toContain('swept_value');
});

test('as LaTeX it is a table with a row per cell, and its name is text in it', () => {
  const named = { ...RECORD, name: String.raw`100 % \input{x}` };
  const lines = textOf(exported(named, 'latex')).split('\n');
  expect(lines[1]).toBe('% http://lab:8080/e/exp');
  expect(lines.find((line) => line.startsWith(String.raw`\caption`))).toContain(
    String.raw`{100 \% \textbackslash{}input\{x\}: means of`,
  );
  const from = lines.indexOf(String.raw`\midrule`);
  const rows = lines.slice(from + 1, lines.indexOf(String.raw`\bottomrule`));
  expect(rows).toHaveLength(RECORD.cells.length);
  const head = lines[from - 1]?.split(' & ') ?? [];
  expect(rows.map((row) => row.split(' & ').length)).toEqual(rows.map(() => head.length));
  expect(head).toContain(String.raw`utilisation, \%`);
  expect(rows[0]).toContain('5 BDP & ');
});

describe('experiment as CSV', () => {
  const [header, ...rows] = parseCsv(textOf(exported(RECORD, 'csv')));
  const cell = (row: number, name: string) => rows[row]![header!.indexOf(name)];

  test('one row per run, units in the header', () => {
    expect(rows).toHaveLength(7);
    expect(header).toContain('queueing_mean_ms');
    expect(new Set(header).size).toBe(header!.length);
    expect(cell(0, 'cca_params')).toBe('{"gain":2}');
    expect([cell(0, 'buffer'), cell(0, 'limit_bytes'), cell(2, 'buffer'), cell(2, 'limit_bytes')]).toEqual([
      '5 BDP',
      '150000',
      'infinite',
      '',
    ]);
    expect(cell(0, 'bdp_of')).toBe('trace');
    expect(Number(cell(0, 'capacity_mean_mbps'))).toBeGreaterThan(0);
    expect([cell(0, 'utilisation'), cell(0, 'queueing_p95_ms'), cell(0, 'delay_inflation')]).toEqual([
      '0.9',
      '60',
      '2.5',
    ]);
    expect([cell(4, 'role'), cell(4, 'jain'), cell(4, 'flow1_cca'), cell(4, 'flow1_throughput_mbps')]).toEqual([
      'self_pair',
      '0.9',
      'base',
      '6',
    ]);
    expect(cell(0, 'flow1_cca')).toBe('');
  });

  test('says on how many of the ten windows Jain’s index stands, and which are missing', () => {
    expect([cell(4, 'jain_windows'), cell(4, 'jain_missing_k')]).toEqual(['2', '2 5 10 20 100 500 1000 3000']);
    expect([cell(0, 'jain_windows'), cell(0, 'jain_missing_k')]).toEqual(['', '']);
  });

  test('each row says which engine made it and where it is shown', () => {
    expect([cell(0, 'engine_version'), cell(0, 'permalink')]).toEqual([
      '1.2.3+abc',
      `http://lab:8080/r/${cell(0, 'run') ?? ''}`,
    ]);
    // Earlier columns stay where readers that count them look for them.
    expect(header!.slice(-2)).toEqual(['engine_version', 'permalink']);
  });

  test('runs that do not count say why', () => {
    expect(rows.map((_, i) => cell(i, 'valid'))).toEqual(['true', 'false', 'true', '', 'true', 'true', 'true']);
    expect(cell(1, 'reason')).toBe('it ended after 3 s of 60 s');
    expect([cell(3, 'state'), cell(3, 'reason'), cell(3, 'utilisation')]).toEqual([
      'failed',
      'it crashed, at once',
      '',
    ]);
  });
});

describe('experiment as Parquet', () => {
  test('holds the same rows with types', async () => {
    const file = bytesOf(exported(RECORD, 'parquet')).buffer;
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(7);
    expect(rows[0]).toMatchObject({ cca: 'rival', repetition: 0, utilisation: 0.9, limit_bytes: 150_000, valid: true });
    expect(rows[3]).toMatchObject({ state: 'failed', valid: null, utilisation: null });
    const said = new Map(parquetMetadata(file).key_value_metadata?.map(({ key, value }) => [key, value]));
    expect(ExperimentSpec.parse(JSON.parse(said.get('paceline.spec') ?? ''))).toEqual(RECORD.spec);
    expect(said.get('paceline.engine_version')).toBe('1.2.3+abc');
    expect(said.get('paceline.permalink')).toBe('http://lab:8080/e/exp');
  });
});

interface ExperimentFile {
  readonly runs: unknown;
  readonly cells: unknown;
  readonly cca_descriptors: readonly CcaDescriptor[];
  readonly derived: {
    readonly table: readonly TableRow[];
    readonly frontiers: readonly Frontier[];
    readonly terms: TermTable;
    readonly scores: readonly { readonly scenario: string }[];
    readonly stability: Stability;
    readonly harm: { readonly bars: Readonly<Record<string, { readonly throughput: Estimate | null }>> };
  };
}
const parse = (record: WholeExperiment): ExperimentFile =>
  JSON.parse(textOf(exported(record, 'json'))) as ExperimentFile;

describe('experiment as JSON', () => {
  const file = parse(RECORD);

  test('carries the record and the descriptors of its CCAs', () => {
    expect(file).toMatchObject({ format: 'paceline.experiment', version: 1, id: 'exp', name: 'A "name", with commas' });
    expect(file).toMatchObject({ engine_version: '1.2.3+abc', permalink: 'http://lab:8080/e/exp' });
    expect(file.runs).toEqual(JSON.parse(JSON.stringify(RECORD.runs)));
    expect(file.cells).toEqual(JSON.parse(JSON.stringify(RECORD.cells)));
    expect(file.cca_descriptors.map((cca) => cca.id)).toEqual(['base', 'rival', 'perfect']);
  });

  test('and everything that is derived from it', () => {
    const { table, frontiers, scores, harm, stability, terms } = file.derived;
    expect(table.map((row) => [row.label, row.n, row.planned])).toEqual([
      ['RIVAL (gain 2)', 1, 2],
      ['BASE', 1, 2],
      ['PERFECT', 1, 1],
    ]);
    expect(frontiers).toHaveLength(1);
    expect(scores.map((score) => score.scenario)).toContain('mixed');
    // The bar: beside itself the baseline keeps 6 of 12 Mbps.
    expect(Object.values(harm.bars).map((bar) => bar.throughput?.mean)).toContain(50);
    expect(stability.terms).toEqual([]);
    expect(terms.ccas).toHaveLength(2);
  });

  test('an experiment of which nothing is known yet is a whole file', () => {
    const empty = experiment([{ cca: 'base', utilisation: 1, queueing_ms: 1, state: 'queued' }]);
    expect(parse(empty).derived.frontiers.map(({ series, hull }) => [series, hull])).toEqual([[[], []]]);
    expect(parseCsv(textOf(exported(empty, 'csv')))).toHaveLength(2);
  });
});

test('an experiment whose path lists its elements says so behind all other columns', () => {
  const forward = [
    { element: 'bottleneck' },
    { element: 'bottleneck', capacity: { trace: 'b'.repeat(64) } },
    { element: 'delay' },
  ];
  const listed = { ...RECORD, spec: { ...RECORD.spec, elements: { forward } } };
  const csvOf = (record: WholeExperiment) => parseCsv(textOf(exported(record, 'csv')));
  const [header, first] = csvOf(listed);
  expect(header).toEqual([...csvOf(RECORD)[0]!, 'path_forward']);
  expect(JSON.parse(first!.at(-1)!)).toEqual(forward);
});

describe('an experiment over recordings by others', () => {
  const { trace } = RECORD.cells[0]!;
  const own: TraceOwner = {
    id: 'trace' in trace ? trace.trace : '',
    name: 'lte.down',
    licence: 'CC BY 4.0, https://creativecommons.org/licenses/by/4.0/ – A. Owner',
    source: 'A. Owner: “Measured”, 2020\nChanges: none',
  };
  const back: TraceOwner = { ...own, id: 'f'.repeat(64), name: 'lte.up', licence: 'MIT, B. Owner' };

  test('says in each format whose they are', () => {
    const [header, ...rows] = parseCsv(textOf(exported(RECORD, 'csv', [own, back])));
    expect(rows).toHaveLength(7);
    for (const row of rows) {
      const cell = (name: string) => row[header!.indexOf(name)];
      expect([cell('trace_licence'), cell('trace_source')]).toEqual([own.licence, own.source]);
      expect(JSON.parse(cell('other_trace_owners') ?? '')).toEqual([back]);
    }
    expect(JSON.parse(textOf(exported(RECORD, 'json', [own, back])))).toMatchObject({ trace_owners: [own, back] });
    const { key_value_metadata: said } = parquetMetadata(bytesOf(exported(RECORD, 'parquet', [own])).buffer);
    expect(said).toContainEqual({ key: 'paceline.trace_owners', value: JSON.stringify([own]) });
  });

  test('constant rates have nobody to name, and their files no columns for it', () => {
    expect(textOf(exported(RECORD, 'csv'))).not.toContain('trace_licence');
  });
});
