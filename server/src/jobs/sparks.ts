import { setImmediate as nextTurn } from 'node:timers/promises';
import { Spark } from '#analysis/spark';
import type { RunSpark } from '#protocol/api';
import { FORWARD_LINK_STREAM } from '#protocol/columns';
import { ControlFrame } from '#protocol/control';
import { decodeSamples } from '#protocol/frames';
import type { Store } from '../store/store.ts';
import type { RunReader } from './run-reader.ts';

const PARTS = 60;
const COLUMNS = ['capacity_mbps', 'delivered_mbps', 'queue_bytes'] as const;
/** Rows taken in before others have their turn: about a millisecond. */
const SLICE_ROWS = 4096;
/** Some 2 kB each. */
const KEPT = 4096;

/** Runs at a glance: made from the link's samples when somebody first looks at them, and kept for the next. */
export class Sparks {
  readonly #store: Store;
  readonly #reader: RunReader;
  /** By run and execution, the least recently asked for first. */
  readonly #kept = new Map<string, RunSpark>();

  constructor(store: Store, reader: RunReader) {
    this.#store = store;
    this.#reader = reader;
  }

  /** Null when there is no such run, or it has no samples. */
  async of(run: string, signal: AbortSignal): Promise<RunSpark | null> {
    const standing = this.#store.runs.standing(run);
    const manifest = standing === null ? null : this.#store.runs.manifest(run);
    if (standing === null || manifest === null) return null;
    const key = `${run} ${standing.started_at ?? ''}`;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const made = await this.#make(run, manifest.duration_s, signal);
    const over = standing.state !== 'queued' && standing.state !== 'running';
    if (made !== null && over) this.#keep(key, made);
    return made;
  }

  async #make(run: string, duration_s: number, signal: AbortSignal): Promise<RunSpark | null> {
    const head = this.#reader.heads(run).get(FORWARD_LINK_STREAM) ?? 0;
    const [first] = this.#reader.controls(run, 0, 1);
    const hello = first === undefined ? null : ControlFrame.parse(JSON.parse(first.body));
    if (head === 0 || hello?.type !== 'hello') return null;
    const names = hello.streams.find(({ stream }) => stream === FORWARD_LINK_STREAM)?.columns.slice(1) ?? [];
    const places = COLUMNS.map((name) => names.findIndex((column) => column.name === name));
    const spark = new Spark(COLUMNS.length, PARTS, duration_s);
    for (let from = 0; from < head; from += SLICE_ROWS) {
      const to = Math.min(head, from + SLICE_ROWS);
      const { time, columns } = decodeSamples(this.#reader.read(run, FORWARD_LINK_STREAM, from, to));
      spark.add(
        time,
        places.map((place) => columns[place]),
      );
      await nextTurn(undefined, { signal });
    }
    const [capacity_mbps = [], delivered_mbps = [], queue_bytes = []] = spark.means();
    return { run, capacity_mbps, delivered_mbps, queue_bytes };
  }

  #keep(key: string, spark: RunSpark): void {
    this.#kept.set(key, spark);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}
