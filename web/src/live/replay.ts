// Replays finished runs on the panels that showed them live: the same stores, cut at a moving playhead. Several runs can share one
// playhead. Going back makes new cut views, because what charts were given never shrinks.
import type { RunEvent, StreamInfo } from '#protocol/control';
import type { RunSamples, StreamData } from '../plots/data';

/** The first index at which `values[index] > limit`, of the first `length` values. */
export function upperBound(values: ArrayLike<number>, limit: number, length: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

class CutStream implements StreamData {
  readonly #whole: StreamData;
  rows = 0;

  constructor(whole: StreamData) {
    this.#whole = whole;
  }
  get info(): StreamInfo {
    return this.#whole.info;
  }
  get time(): Float64Array {
    return this.#whole.time;
  }
  column(name: string): Float32Array | undefined {
    return this.#whole.column(name);
  }
  advance(toS: number): void {
    this.rows = upperBound(this.#whole.time, toS, this.#whole.rows);
  }
}

/** A run up to the playhead. */
export class CutSamples implements RunSamples {
  readonly #whole: RunSamples;
  readonly #streams = new Map<number, CutStream>();
  readonly #listeners = new Set<() => void>();
  readonly events: RunEvent[] = [];
  timeS = 0;

  constructor(whole: RunSamples) {
    this.#whole = whole;
    this.#adopt();
  }
  get streams(): ReadonlyMap<number, StreamData> {
    return this.#streams;
  }
  get complete(): boolean {
    return this.#whole.complete && this.timeS >= this.#whole.timeS;
  }
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  advance(toS: number): void {
    this.timeS = Math.min(toS, this.#whole.timeS);
    this.#adopt();
    for (const stream of this.#streams.values()) stream.advance(toS);
    for (;;) {
      const next = this.#whole.events[this.events.length];
      if (next === undefined || next.time_s > toS) break;
      this.events.push(next);
    }
    for (const listener of this.#listeners) listener();
  }

  /** A run that still loads brings its streams later. */
  #adopt(): void {
    for (const [id, stream] of this.#whole.streams)
      if (!this.#streams.has(id)) this.#streams.set(id, new CutStream(stream));
  }
}

/** Where a playhead can rest, finer than any sample: what an address has to say it in. */
const PLACES_PER_S = 1000;
const PLACE_S = 1 / PLACES_PER_S;
/** The first place at which what happens at a time is there; times are whole nanoseconds, written as binary fractions. */
const placeFrom = (timeS: number): number => Math.ceil(timeS * PLACES_PER_S - 1e-6) / PLACES_PER_S;

export type Direction = 'back' | 'on';
/** From `from` to `to`, seconds of the link. */
export type Span = readonly [from: number, to: number];

/** What a playhead has come to: which of the runs, and what happened there. */
export interface Landmark {
  readonly run: number;
  readonly event: RunEvent;
}

/** Messages and marks come by the thousand: they are drawn, and nobody steps through them. */
const isLandmark = ({ event }: RunEvent): boolean => event !== 'message' && event !== 'marked';

export interface ReplayState {
  readonly playing: boolean;
  /** The panels show everything; otherwise they are cut at the playhead. */
  readonly whole: boolean;
  /** One per run, in the order given. A new object after going back. */
  readonly samples: readonly RunSamples[];
}

export interface ReplayOptions {
  /** Starts again at the end. */
  readonly loop?: boolean;
  /** Link seconds per second. */
  readonly speed?: number;
  /** Calls back before the next picture with the time in milliseconds; tests bring their own. */
  readonly nextFrame?: (callback: (nowMs: number) => void) => number;
  readonly cancelFrame?: (handle: number) => void;
}

export class Replay {
  readonly #runs: readonly RunSamples[];
  #loop: Span | null;
  readonly #nextFrame: (callback: (nowMs: number) => void) => number;
  readonly #cancelFrame: (handle: number) => void;
  readonly #stateListeners = new Set<() => void>();
  readonly #headListeners = new Set<() => void>();
  #cuts: CutSamples[] | null = null;
  #state: ReplayState;
  #atS: number;
  #speed: number;
  #frame: number | null = null;
  #lastMs: number | null = null;

  constructor(runs: readonly RunSamples[], options: ReplayOptions = {}) {
    this.#runs = runs;
    this.#loop = options.loop === true ? [0, Infinity] : null;
    this.#speed = options.speed ?? 1;
    this.#nextFrame = options.nextFrame ?? ((callback) => requestAnimationFrame(callback));
    this.#cancelFrame = options.cancelFrame ?? ((handle) => cancelAnimationFrame(handle));
    this.#state = { playing: false, whole: true, samples: runs };
    this.#atS = this.endS;
  }

  /** Link time up to which there is something to show. */
  get endS(): number {
    return Math.max(0, ...this.#runs.map((run) => run.timeS));
  }
  get atS(): number {
    return this.#state.whole ? this.endS : this.#atS;
  }
  get speed(): number {
    return this.#speed;
  }
  get #loaded(): boolean {
    return this.#runs.every((run) => run.complete);
  }

  /** Keeps the panels up to date while runs still load; returns how to stop that. */
  watch(): () => void {
    const stops = this.#runs.map((run) =>
      run.subscribe(() => {
        for (const cut of this.#cuts ?? []) cut.advance(this.#atS);
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }

  readonly getState = (): ReplayState => this.#state;
  readonly subscribeState = (listener: () => void): (() => void) => subscribe(this.#stateListeners, listener);
  /** The playhead, rounded so that a slider renders no more often than it can show. */
  readonly getHead = (): number => Math.round(this.atS * 50) / 50;
  /** Also hears of samples that come: while all is shown, the playhead is at the end of what has come. */
  readonly subscribeHead = (listener: () => void): (() => void) => {
    const offs = [subscribe(this.#headListeners, listener), ...this.#runs.map((run) => run.subscribe(listener))];
    return () => {
      for (const off of offs) off();
    };
  };

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#emit(this.#headListeners);
  }

  /** Plays this part over and over; null: to the end, once. */
  setLoop(loop: Span | null): void {
    this.#loop = loop;
  }

  play(): void {
    if (this.#state.playing) return;
    const [from, to] = this.#loop ?? [0, Infinity];
    const outside = this.#loop !== null && (this.#atS < from || this.#atS >= to);
    if (this.#state.whole || outside || (this.#atS >= this.endS && this.#loaded)) this.#cutAt(from);
    this.#set({ playing: true });
    this.#lastMs = null;
    this.#frame = this.#nextFrame(this.#tick);
  }

  /** Stands still at a whole place, the next one: a link to it shows just what is seen here. */
  pause(): void {
    if (this.#frame !== null) this.#cancelFrame(this.#frame);
    this.#frame = null;
    if (!this.#state.playing) return;
    this.#cutAt(Math.ceil(this.#atS * PLACES_PER_S) / PLACES_PER_S);
    this.#set({ playing: false });
  }

  toggle(): void {
    if (this.#state.playing) this.pause();
    else this.play();
  }

  /** Moves the playhead, also to where a run that loads has not come yet; at the end everything is shown again. */
  seek(toS: number): void {
    if (toS >= this.endS && !this.#state.playing && this.#loaded) this.showAll();
    else this.#cutAt(Math.round(Math.max(0, toS) * PLACES_PER_S) / PLACES_PER_S);
  }

  /** To the next sample of any stream, or the one before. */
  stepSamples(direction: Direction, samples = 1): void {
    for (let i = 0; i < samples; i++) {
      const time = this.#sampleBeside(direction);
      if (time === null) return;
      this.seek(placeFrom(time));
    }
  }

  /** To the next thing that happened (a loss, a timeout, a phase …), or the one before; says what. */
  stepEvent(direction: Direction): Landmark | null {
    let found: Landmark | null = null;
    for (const [run, { events }] of this.#runs.entries())
      for (const event of events) {
        const at = placeFrom(event.time_s);
        if (!isLandmark(event) || (direction === 'on' ? at <= this.atS : at >= this.atS)) continue;
        const further =
          found !== null &&
          (direction === 'on' ? event.time_s >= found.event.time_s : event.time_s <= found.event.time_s);
        if (!further) found = { run, event };
      }
    if (found !== null) this.#cutAt(placeFrom(found.event.time_s));
    return found;
  }

  #sampleBeside(direction: Direction): number | null {
    const times = this.#runs.flatMap((run) =>
      [...run.streams.values()].flatMap(({ time, rows }) => {
        const index =
          direction === 'on' ? upperBound(time, this.atS, rows) : upperBound(time, this.atS - PLACE_S + 1e-9, rows) - 1;
        return index >= 0 && index < rows ? [time[index] ?? 0] : [];
      }),
    );
    if (times.length === 0) return direction === 'on' ? null : 0;
    return direction === 'on' ? Math.min(...times) : Math.max(...times);
  }

  readonly #tick = (nowMs: number): void => {
    const passed = this.#lastMs === null ? 0 : (nowMs - this.#lastMs) / 1000;
    this.#lastMs = nowMs;
    const next = this.#atS + passed * this.#speed;
    const [from, to] = this.#loop ?? [0, Infinity];
    if (next >= this.endS && this.#loop === null && this.#loaded) {
      this.pause();
      this.showAll();
      return;
    }
    if (next < Math.min(to, this.endS)) this.#cutAt(next);
    else if (this.#loop !== null) this.#cutAt(from);
    this.#frame = this.#nextFrame(this.#tick);
  };

  #cutAt(toS: number): void {
    if (this.#cuts === null || toS < this.#atS) {
      this.#cuts = this.#runs.map((run) => new CutSamples(run));
      this.#set({ whole: false, samples: this.#cuts });
    }
    this.#atS = toS;
    for (const cut of this.#cuts) cut.advance(toS);
    this.#emit(this.#headListeners);
  }

  showAll(): void {
    this.#cuts = null;
    this.#atS = this.endS;
    this.#set({ whole: true, samples: this.#runs });
    this.#emit(this.#headListeners);
  }

  #set(change: Partial<ReplayState>): void {
    this.#state = { ...this.#state, ...change };
    this.#emit(this.#stateListeners);
  }

  #emit(listeners: ReadonlySet<() => void>): void {
    for (const listener of listeners) listener();
  }
}

function subscribe(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
