// Some columns of a stored run, whole: what is read off samples wants all of a few at once.
import type { TimeSeries } from '#analysis/live-comparison';
import type { ColumnOf } from '#analysis/run-dynamics';
import type { Needed } from '#analysis/sampled-parts';
import { TIME_COLUMN } from '#protocol/columns';
import { ControlFrame } from '#protocol/control';
import { decodeSamples } from '#protocol/frames';
import type { RunReader } from '../jobs/run-reader.ts';

/** 100 MB of them, which is hours of a few flows: more of one run is not held. */
export const MOST_VALUES = 25_000_000;
/** Rows taken in before others have their turn: some blobs, each of which may have to be unpacked. */
const STEP_ROWS = 2048;

interface Stream {
  readonly stream: number;
  readonly rows: number;
  /** Of what is wanted: place in the stream's columns, by name. */
  readonly places: ReadonlyMap<string, number>;
}

function streamsOf(reader: RunReader, run: string, needed: readonly Needed[]): Stream[] {
  const [first] = reader.controls(run, 0, 1);
  const hello = first === undefined ? null : ControlFrame.parse(JSON.parse(first.body));
  if (hello?.type !== 'hello') return [];
  const heads = reader.heads(run);
  return hello.streams.flatMap(({ stream, columns }): Stream[] => {
    const rows = heads.get(stream) ?? 0;
    const names = columns.map(({ name }) => name).filter((name) => name !== TIME_COLUMN.name);
    const places = new Map(
      needed.flatMap(([of, name]) => (of === stream && names.includes(name) ? [[name, names.indexOf(name)]] : [])),
    );
    return rows === 0 || places.size === 0 ? [] : [{ stream, rows, places }];
  });
}

/** null: its samples were not kept, or are more than can be held. */
export function* columnSteps(
  reader: RunReader,
  run: string,
  needed: readonly Needed[],
): Generator<void, ColumnOf | null, undefined> {
  const streams = streamsOf(reader, run, needed);
  const values = streams.reduce((total, { rows, places }) => total + rows * places.size, 0);
  if (values === 0 || values > MOST_VALUES) return null;
  const found = new Map<string, TimeSeries>();
  for (const { stream, rows, places } of streams) {
    const time = new Float64Array(rows);
    const columns = [...places].map(([name, place]) => ({ name, place, values: new Float32Array(rows) }));
    for (let from = 0; from < rows; from += STEP_ROWS) {
      const block = decodeSamples(reader.read(run, stream, from, Math.min(from + STEP_ROWS, rows)));
      time.set(block.time, from);
      for (const column of columns) column.values.set(block.columns[column.place] ?? [], from);
      yield;
    }
    for (const { name, values: of } of columns) found.set(`${stream}/${name}`, { time, values: of, rows });
  }
  return (stream, column) => found.get(`${stream}/${column}`) ?? null;
}
