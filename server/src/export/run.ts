// One run's series as CSV, JSON or Parquet: what is plotted live, value for value.
import { canonicalJson } from '#analysis/identity';
import { DIRECTIONS } from '#analysis/own-elements';
import type { RunMark } from '#analysis/trace-marks';
import type { TraceOwner } from '#analysis/trace-owners';
import { paused } from '#analysis/steps';
import { TIME_COLUMN } from '#protocol/columns';
import type { RunEvent } from '#protocol/control';
import type { MeasurementRecord } from '#protocol/measurement';
import type { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';
import { csvLine, shortFloat } from './csv.ts';
import { Course } from './dynamics.ts';
import { encodeText, pageOf, type Chunks, type ExportFormat, type Page } from './formats.ts';
import { ParquetStream, type ParquetColumn } from './parquet.ts';
import { seriesBatches, seriesColumns, type SampleSource, type SeriesBatch, type SeriesColumn } from './series.ts';

export interface RunExport extends SampleSource {
  readonly run: string;
  readonly manifest: RunManifest;
  /** Whose the traces are, and where they come from, as far as they are known. */
  readonly owners: readonly TraceOwner[];
  readonly summary: RunSummary | null;
  readonly events: readonly RunEvent[];
  /** Live connections that are laid over it. */
  readonly measurements: readonly MeasurementRecord[];
  /** As the model behind its trace tells them; absent: nobody was asked. */
  readonly handovers?: readonly RunMark[];
}

type Cell = number | string | null;

/** A value as people read it: states by name, unknown as null. */
function cellOf({ states }: SeriesColumn, value: number): Cell {
  if (Number.isNaN(value)) return null;
  return states.length === 0 ? shortFloat(value) : (states[value] ?? value);
}

/** Rows of a batch. Neighbouring values are often equal: the last one of each column is remembered with its cell. */
function* rowsOf(columns: readonly SeriesColumn[], batches: Iterable<SeriesBatch>): Generator<Cell[], void, undefined> {
  const last = columns.map(() => ({ value: Number.NaN, cell: null as Cell }));
  for (const batch of batches)
    for (let row = 0; row < batch.rows; row++) {
      const cells: Cell[] = [batch.time[row] ?? null];
      for (const [c, column] of columns.entries()) {
        const value = batch.columns[c]?.[row] ?? Number.NaN;
        const known = last[c];
        if (known === undefined || known.value === value) cells.push(known?.cell ?? null);
        else {
          known.value = value;
          cells.push((known.cell = cellOf(column, value)));
        }
      }
      yield cells;
    }
}

/** Of the bottleneck's trace; null: there is none, or not any more. */
function ownerOf({ owners, manifest: { forward } }: RunExport): TraceOwner | null {
  const { capacity } = forward;
  return (capacity.kind === 'trace' && owners.find(({ id }) => id === capacity.sha256)) || null;
}

/** What the run was, for those who have nothing but its file. */
export function identityOf(source: RunExport, page: Page): readonly (readonly [name: string, value: Cell])[] {
  const { run, manifest, owners } = source;
  const owner = ownerOf(source);
  const others = owners.filter((other) => other !== owner);
  const { capacity, queue } = manifest.forward;
  const trace =
    capacity.kind === 'trace' ? capacity.name : capacity.kind === 'constant' ? `${capacity.rate_mbps} Mbps` : null;
  return [
    ['run', run],
    ['trace', trace],
    ['trace_licence', owner?.licence ?? null],
    ['trace_source', owner?.source ?? null],
    ['cca', manifest.flows.map(({ cca }) => cca.id).join(' ')],
    ['queue_limit_bytes', queue.limit_bytes],
    ['queue_limit_packets', queue.limit_packets],
    ['engine_version', manifest.engine_version],
    ['permalink', pageOf(page, 'r', run)],
    // Where the path lists its elements, with the traces of further bottlenecks by content.
    ...DIRECTIONS.flatMap((direction) => {
      const { path } = manifest[direction];
      return path === undefined ? [] : [[`path_${direction}`, canonicalJson(path)] as const];
    }),
    // Of the way back, and of further bottlenecks.
    ...(others.length === 0 ? [] : [['other_trace_owners', JSON.stringify(others)] as const]),
  ];
}

/** The identity stands in the first row only: thousands of times the same would double the file. */
function* csv(source: RunExport, page: Page): Generator<string, void, undefined> {
  const columns = seriesColumns(source.streams);
  const identity = identityOf(source, page);
  yield csvLine([TIME_COLUMN.name, ...columns.map((column) => column.name), ...identity.map(([name]) => name)]);
  let beside: readonly Cell[] = identity.map(([, value]) => value);
  const nothing = beside.map(() => null);
  for (const row of rowsOf(columns, seriesBatches(source))) {
    yield csvLine([...row, ...beside]);
    beside = nothing;
  }
}

function* json(source: RunExport, page: Page): Generator<string, void, undefined> {
  const columns = seriesColumns(source.streams);
  const described = [TIME_COLUMN, ...columns].map(({ name, unit, label }) => ({ name, unit, label }));
  const { run, manifest, owners, summary, events, measurements } = source;
  const owner = ownerOf(source);
  const head = JSON.stringify({
    format: 'paceline.run',
    version: 1,
    run,
    permalink: pageOf(page, 'r', run),
    trace_licence: owner?.licence ?? null,
    trace_source: owner?.source ?? null,
    trace_owners: owners,
    manifest,
    summary,
    events,
    measurements,
    columns: described,
  });
  yield `${head.slice(0, -1)},"rows":[`;
  let separator = '\n';
  // Of a run that goes on it would be what there is so far.
  const course = summary === null ? null : Course.of(manifest, source);
  const batches = seriesBatches(source);
  for (const row of rowsOf(columns, course === null ? batches : course.watch(batches))) {
    yield `${separator}${JSON.stringify(row)}`;
    separator = ',\n';
  }
  yield '\n],"dynamics":';
  const dynamics = course === null ? null : yield* paused(course.steps());
  yield `${JSON.stringify(dynamics)},\n"around":`;
  yield `${JSON.stringify(course?.around(source.handovers ?? []) ?? null)}}\n`;
}

/** Enough rows for good compression, few enough to hold. */
const ROW_GROUP = 65_536;

function* parquet(source: RunExport, page: Page): Chunks {
  const columns = seriesColumns(source.streams);
  const all: ParquetColumn[] = [
    { name: TIME_COLUMN.name, type: 'DOUBLE', nullable: false },
    ...columns.map(({ name, states }): ParquetColumn => ({
      name,
      type: states.length === 0 ? 'FLOAT' : 'STRING',
      nullable: true,
    })),
  ];
  const file = new ParquetStream(all, {
    'paceline.run': source.run,
    ...Object.fromEntries(
      identityOf(source, page).flatMap(([name, value]) =>
        value === null || name === 'run' ? [] : [[`paceline.${name}`, String(value)]],
      ),
    ),
    'paceline.manifest': JSON.stringify(source.manifest),
    'paceline.summary': JSON.stringify(source.summary),
    'paceline.measurements': JSON.stringify(source.measurements),
    'paceline.columns': JSON.stringify(columns.map(({ name, unit, label }) => ({ name, unit, label }))),
  });
  const value = ({ states }: SeriesColumn, sample: number): Cell => {
    if (Number.isNaN(sample)) return null;
    return states.length === 0 ? sample : (states[sample] ?? String(sample));
  };
  let held: Cell[][] = all.map(() => []);
  for (const batch of seriesBatches(source)) {
    for (let row = 0; row < batch.rows; row++) {
      held[0]?.push(batch.time[row] ?? null);
      for (const [c, column] of columns.entries())
        held[c + 1]?.push(value(column, batch.columns[c]?.[row] ?? Number.NaN));
    }
    if ((held[0]?.length ?? 0) < ROW_GROUP) continue;
    yield file.rowGroup(held);
    held = all.map(() => []);
  }
  yield file.rowGroup(held);
  yield file.finish();
}

export function exportRun(source: RunExport, format: ExportFormat, page: Page = null): Chunks {
  if (format === 'parquet') return parquet(source, page);
  return encodeText(format === 'csv' ? csv(source, page) : json(source, page));
}
