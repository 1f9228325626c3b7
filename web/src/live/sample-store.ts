// All telemetry of one run in the page: growing typed arrays per stream and the control frames. Charts read the arrays directly;
// React sees only a version counter. The same store is filled live and in replay.
import type { ControlFrame, Hello, RunEvent, StreamInfo } from '#protocol/control';
import type { SampleBlock } from '#protocol/frames';
import type { RunSummary } from '#protocol/summary';

const FIRST_CAPACITY = 1024;

/** One stream's rows so far. `time` and `columns` are longer than `rows`: read only the first `rows` elements. */
export class StreamSamples {
  readonly info: StreamInfo;
  rows = 0;
  time = new Float64Array(FIRST_CAPACITY);
  columns: Float32Array[];
  readonly #index: ReadonlyMap<string, number>;

  constructor(info: StreamInfo) {
    this.info = info;
    const values = info.columns.slice(1);
    this.columns = values.map(() => new Float32Array(FIRST_CAPACITY));
    this.#index = new Map(values.map((column, i) => [column.name, i]));
  }

  /** Values of a column by name; undefined when the stream does not have it. */
  column(name: string): Float32Array | undefined {
    const index = this.#index.get(name);
    return index === undefined ? undefined : this.columns[index];
  }

  append(block: SampleBlock, skip: number): void {
    const added = block.rows - skip;
    this.#reserve(this.rows + added);
    this.time.set(skip === 0 ? block.time : block.time.subarray(skip), this.rows);
    this.columns.forEach((column, i) => {
      const values = block.columns[i];
      if (values !== undefined) column.set(skip === 0 ? values : values.subarray(skip), this.rows);
    });
    this.rows += added;
  }

  #reserve(rows: number): void {
    let capacity = this.time.length;
    if (rows <= capacity) return;
    while (capacity < rows) capacity *= 2;
    const time = new Float64Array(capacity);
    time.set(this.time.subarray(0, this.rows));
    this.time = time;
    this.columns = this.columns.map((column) => {
      const grown = new Float32Array(capacity);
      grown.set(column.subarray(0, this.rows));
      return grown;
    });
  }
}

/** Calls `flush` once per animation frame at most, however often it is asked to. */
export type Schedule = (flush: () => void) => void;
const everyFrame: Schedule = (flush) => void requestAnimationFrame(flush);

export class SampleStore {
  readonly #streams = new Map<number, StreamSamples>();
  readonly #waiting = new Map<number, SampleBlock[]>();
  readonly #control = new Map<number, ControlFrame>();
  readonly #listeners = new Set<() => void>();
  readonly #schedule: Schedule;
  #nextControl = 0;
  #version = 0;
  #flushing = false;

  hello: Hello | null = null;
  readonly events: RunEvent[] = [];
  summary: RunSummary | null = null;
  /** The child's own words when it failed. */
  error: string | null = null;
  /** Link time reached, seconds. */
  timeS = 0;
  /** Everything there is has arrived. */
  complete = false;

  constructor(schedule: Schedule = everyFrame) {
    this.#schedule = schedule;
  }

  get streams(): ReadonlyMap<number, StreamSamples> {
    return this.#streams;
  }

  /** The first control frame not seen yet; frames before it need not be sent again. */
  get nextControl(): number {
    return this.#nextControl;
  }

  /** The first row of each stream not seen yet. */
  nextRows(): Record<string, number> {
    return Object.fromEntries([...this.#streams].map(([id, stream]) => [String(id), stream.rows]));
  }

  /** True when rows are missing before others that have arrived. */
  get hasGap(): boolean {
    for (const blocks of this.#waiting.values()) if (blocks.length > 0) return true;
    return this.#control.size > 0;
  }

  addControl(seq: number, frame: ControlFrame): void {
    if (seq < this.#nextControl) return;
    this.#control.set(seq, frame);
    for (;;) {
      const next = this.#control.get(this.#nextControl);
      if (next === undefined) break;
      this.#control.delete(this.#nextControl++);
      this.#apply(next);
    }
    this.changed();
  }

  addSamples(block: SampleBlock): void {
    const stream = this.#streams.get(block.stream);
    if (stream === undefined || block.firstRow > stream.rows) this.#wait(block);
    else if (this.#take(stream, block)) this.#drain(stream, block.stream);
    this.changed();
  }

  markComplete(): void {
    this.complete = true;
    this.changed();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Grows by one per animation frame in which something arrived. */
  readonly getVersion = (): number => this.#version;

  changed(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    this.#schedule(() => {
      this.#flushing = false;
      this.#version++;
      for (const listener of this.#listeners) listener();
    });
  }

  #apply(frame: ControlFrame): void {
    switch (frame.type) {
      case 'hello':
        this.hello = frame;
        for (const info of frame.streams)
          if (!this.#streams.has(info.stream)) {
            const stream = new StreamSamples(info);
            this.#streams.set(info.stream, stream);
            this.#drain(stream, info.stream);
          }
        break;
      case 'event':
        this.events.push(frame);
        break;
      case 'progress':
      case 'end':
        this.timeS = Math.max(this.timeS, frame.time_s);
        break;
      case 'summary': {
        const { type: _, ...summary } = frame;
        this.summary = summary;
        break;
      }
      case 'error':
        this.error = frame.message;
        break;
      case 'cost':
      case 'ready':
        break;
    }
  }

  /** Appends what is new of the block; false when it held nothing new. */
  #take(stream: StreamSamples, block: SampleBlock): boolean {
    const skip = stream.rows - block.firstRow;
    if (skip >= block.rows) return false;
    stream.append(block, skip);
    this.timeS = Math.max(this.timeS, stream.time[stream.rows - 1] ?? 0);
    return true;
  }

  #wait(block: SampleBlock): void {
    const blocks = this.#waiting.get(block.stream) ?? [];
    blocks.push(block);
    this.#waiting.set(block.stream, blocks);
  }

  #drain(stream: StreamSamples, id: number): void {
    const blocks = this.#waiting.get(id);
    if (blocks === undefined) return;
    blocks.sort((a, b) => a.firstRow - b.firstRow);
    while (blocks[0] !== undefined && blocks[0].firstRow <= stream.rows) {
      this.#take(stream, blocks[0]);
      blocks.shift();
    }
    if (blocks.length === 0) this.#waiting.delete(id);
  }
}
