// What a run's samples say of its course, from the rows on their way into a file: they are read once, whatever is made of them.
import { aroundMarks, type AroundMarks } from '#analysis/around-marks';
import type { TimeSeries } from '#analysis/live-comparison';
import { dynamicsSteps, type RunDynamics } from '#analysis/run-dynamics';
import type { RunMark } from '#analysis/trace-marks';
import { FORWARD_LINK_STREAM, receiverStream, senderStream, TIME_COLUMN } from '#protocol/columns';
import type { RunManifest } from '#protocol/manifest';
import type { SampleSource, SeriesBatch } from './series.ts';

const neededOf = ({ flows }: RunManifest): readonly string[] => [
  `${FORWARD_LINK_STREAM}/capacity_mbps`,
  `${FORWARD_LINK_STREAM}/delivered_mbps`,
  `${FORWARD_LINK_STREAM}/sojourn_mean_ms`,
  ...flows.flatMap((_, flow) => [`${receiverStream(flow)}/throughput_mbps`, `${senderStream(flow)}/latest_rtt_ms`]),
];

/** Files are made in pieces, and this needs all of a few columns at once: 100 MB of them, which is hours of a few flows. */
const MOST_VALUES = 25_000_000;

export class Course {
  readonly #manifest: RunManifest;
  /** Place among the columns of a batch. */
  readonly #places: ReadonlyMap<string, number>;
  readonly #batches: SeriesBatch[] = [];

  private constructor(manifest: RunManifest, { streams }: Pick<SampleSource, 'streams'>) {
    this.#manifest = manifest;
    const needed = new Set(neededOf(manifest));
    const all = streams.flatMap(({ stream, columns }) =>
      columns.filter(({ name }) => name !== TIME_COLUMN.name).map(({ name }) => `${stream}/${name}`),
    );
    this.#places = new Map([...all.entries()].flatMap(([place, name]) => (needed.has(name) ? [[name, place]] : [])));
  }

  /** null: there is more of it than can be held. */
  static of(manifest: RunManifest, source: SampleSource): Course | null {
    const rows = Math.max(0, ...source.heads.values());
    return rows * neededOf(manifest).length > MOST_VALUES ? null : new Course(manifest, source);
  }

  /** The same batches, of which what is needed is kept. */
  *watch(batches: Iterable<SeriesBatch>): Generator<SeriesBatch, void, undefined> {
    for (const batch of batches) {
      this.#batches.push({
        rows: batch.rows,
        time: batch.time,
        columns: [...this.#places.values()].map((place) => batch.columns[place] ?? new Float32Array()),
      });
      yield batch;
    }
  }

  #column(name: string): TimeSeries | null {
    const kept = [...this.#places.keys()].indexOf(name);
    if (kept < 0) return null;
    const rows = this.#batches.reduce((total, batch) => total + batch.rows, 0);
    const [time, values] = [new Float64Array(rows), new Float32Array(rows)];
    let at = 0;
    for (const batch of this.#batches) {
      time.set(batch.time.subarray(0, batch.rows), at);
      values.set((batch.columns[kept] ?? new Float32Array()).subarray(0, batch.rows), at);
      at += batch.rows;
    }
    return { time, values, rows };
  }

  steps(): Generator<void, RunDynamics, undefined> {
    return dynamicsSteps(this.#manifest, (stream, column) => this.#column(`${stream}/${column}`));
  }

  /** Around its handovers, or the outages of its link. */
  around(handovers: readonly RunMark[]): AroundMarks | null {
    return aroundMarks(this.#manifest, handovers, (stream, column) => this.#column(`${stream}/${column}`));
  }
}
