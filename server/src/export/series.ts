// All streams of a run as one table. Every row of every stream appears in exactly one row of the table: rows of different
// streams are joined when their times lie within half a sampling period of each other. In virtual time they are equal; in
// real time each process samples by its own clock readings.
import { decodeSamples, type SampleBlock } from '#protocol/frames';
import { TIME_COLUMN } from '#protocol/columns';
import type { StreamColumn, StreamInfo } from '#protocol/control';

/** What is known of a run's samples, whoever keeps them. */
export interface SampleSource {
  readonly streams: readonly StreamInfo[];
  readonly period_ms: number;
  /** Rows there are, per stream. */
  readonly heads: ReadonlyMap<number, number>;
  /** A sample frame with rows [from, to) of a stream. */
  readonly read: (stream: number, from: number, to: number) => Uint8Array;
}

export interface SeriesColumn {
  /** The stream’s prefix and the column’s name, which ends in its unit: `sender0_cwnd_bytes`. */
  readonly name: string;
  readonly unit: string;
  readonly label: string;
  /** Non-empty: the value is an index into these names. */
  readonly states: readonly string[];
}

export interface SeriesBatch {
  readonly rows: number;
  readonly time: Float64Array;
  /** One per column; NaN where the stream has no such row or the value is unknown. */
  readonly columns: readonly Float32Array[];
}

const BATCH_ROWS = 8192;

/** `link`, `reverse`, `sender0`, `receiver0`, `forward1_policer` …: flows are numbered as in the manifest, elements as in the summary. */
function prefixOf(info: StreamInfo): string {
  if (info.kind === 'link') return info.direction === 'forward' ? 'link' : 'reverse';
  if (info.kind === 'element') return `${info.direction}${info.place}_${info.element.replaceAll('-', '_')}`;
  return `${info.kind}${info.flow}`;
}

export const valueColumns = (info: StreamInfo): StreamColumn[] =>
  info.columns.filter((c) => c.name !== TIME_COLUMN.name);

export const seriesColumns = (streams: readonly StreamInfo[]): SeriesColumn[] =>
  streams.flatMap((info) =>
    valueColumns(info).map(({ name, unit, label, states }) => ({
      name: `${prefixOf(info)}_${name}`,
      unit,
      label,
      states: states ?? [],
    })),
  );

/** Reads one stream from its first row to its last, a block at a time. */
class StreamCursor {
  readonly firstColumn: number;
  readonly columns: number;
  readonly #source: SampleSource;
  readonly #stream: number;
  readonly #rows: number;
  #block: SampleBlock | null = null;
  #row = 0;

  constructor(source: SampleSource, info: StreamInfo, firstColumn: number) {
    this.firstColumn = firstColumn;
    this.columns = valueColumns(info).length;
    this.#source = source;
    this.#stream = info.stream;
    this.#rows = source.heads.get(info.stream) ?? 0;
    this.#load();
  }

  /** Time of the next row; Infinity after the last. */
  get time(): number {
    return this.#block?.time[this.#row - this.#block.firstRow] ?? Infinity;
  }

  /** Puts the next row’s values at `at` and moves on. */
  take(target: readonly Float32Array[], at: number): void {
    const block = this.#block;
    if (block === null) return;
    for (let c = 0; c < this.columns; c++) {
      const column = target[this.firstColumn + c];
      if (column !== undefined) column[at] = block.columns[c]?.[this.#row - block.firstRow] ?? Number.NaN;
    }
    this.#row++;
    if (this.#row >= block.firstRow + block.rows) this.#load();
  }

  #load(): void {
    const to = Math.min(this.#row + BATCH_ROWS, this.#rows);
    this.#block = to > this.#row ? decodeSamples(this.#source.read(this.#stream, this.#row, to)) : null;
  }
}

/** The joined rows in order of time. */
export function* seriesBatches(source: SampleSource): Generator<SeriesBatch, void, undefined> {
  const tolerance = source.period_ms / 2e3;
  let width = 0;
  const cursors = source.streams.map((info) => {
    const cursor = new StreamCursor(source, info, width);
    width += cursor.columns;
    return cursor;
  });
  for (;;) {
    const time = new Float64Array(BATCH_ROWS);
    const columns = Array.from({ length: width }, () => new Float32Array(BATCH_ROWS).fill(Number.NaN));
    let rows = 0;
    while (rows < BATCH_ROWS) {
      let first = Infinity;
      for (const cursor of cursors) first = Math.min(first, cursor.time);
      if (first === Infinity) break;
      time[rows] = first;
      for (const cursor of cursors) if (cursor.time < first + tolerance) cursor.take(columns, rows);
      rows++;
    }
    if (rows === 0) return;
    yield { rows, time, columns };
  }
}
