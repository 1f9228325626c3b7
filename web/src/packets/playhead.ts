// A moment that moves through a window of a run, much slower than the link: it has no samples to cut, only a place.
export interface PlayheadState {
  readonly playing: boolean;
  readonly speed: number;
}

export interface PlayheadOptions {
  readonly from_s: number;
  readonly to_s: number;
  /** Seconds of the link per second. */
  readonly speed: number;
  /** Calls back before the next picture with the time in milliseconds; tests bring their own. */
  readonly nextFrame?: (callback: (nowMs: number) => void) => number;
  readonly cancelFrame?: (handle: number) => void;
}

export class Playhead {
  readonly from_s: number;
  readonly to_s: number;
  readonly #nextFrame: (callback: (nowMs: number) => void) => number;
  readonly #cancelFrame: (handle: number) => void;
  readonly #moved = new Set<() => void>();
  readonly #changed = new Set<() => void>();
  #at: number;
  #state: PlayheadState;
  #frame: number | null = null;
  #lastMs: number | null = null;

  constructor({ from_s, to_s, speed, nextFrame, cancelFrame }: PlayheadOptions) {
    this.from_s = from_s;
    this.to_s = to_s;
    this.#at = from_s;
    this.#state = { playing: false, speed };
    this.#nextFrame = nextFrame ?? ((callback) => requestAnimationFrame(callback));
    this.#cancelFrame = cancelFrame ?? ((handle) => cancelAnimationFrame(handle));
  }

  readonly getAt = (): number => this.#at;
  readonly getState = (): PlayheadState => this.#state;
  readonly subscribeAt = (listener: () => void): (() => void) => {
    this.#moved.add(listener);
    return () => this.#moved.delete(listener);
  };
  readonly subscribeState = (listener: () => void): (() => void) => {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  };

  setSpeed(speed: number): void {
    if (speed !== this.#state.speed) this.#change({ ...this.#state, speed });
  }

  /** From the end it begins anew. */
  toggle(): void {
    if (this.#state.playing) {
      this.pause();
      return;
    }
    if (this.#at >= this.to_s) this.#move(this.from_s);
    this.#lastMs = null;
    this.#change({ ...this.#state, playing: true });
    this.#frame = this.#nextFrame(this.#tick);
  }

  pause(): void {
    if (this.#frame !== null) this.#cancelFrame(this.#frame);
    this.#frame = null;
    if (this.#state.playing) this.#change({ ...this.#state, playing: false });
  }

  seek(at: number): void {
    this.#move(Math.min(this.to_s, Math.max(this.from_s, at)));
  }

  /** To the next of these moments, which are in order, or to the one before. */
  step(moments: Float64Array, direction: 'back' | 'on'): void {
    this.pause();
    const found =
      direction === 'on' ? moments.find((time) => time > this.#at) : moments.findLast((time) => time < this.#at);
    if (found !== undefined) this.seek(found);
  }

  readonly #tick = (nowMs: number): void => {
    const passed = this.#lastMs === null ? 0 : (nowMs - this.#lastMs) / 1000;
    this.#lastMs = nowMs;
    this.seek(this.#at + passed * this.#state.speed);
    if (this.#at >= this.to_s) this.pause();
    else this.#frame = this.#nextFrame(this.#tick);
  };

  #move(at: number): void {
    if (at === this.#at) return;
    this.#at = at;
    for (const listener of this.#moved) listener();
  }

  #change(state: PlayheadState): void {
    this.#state = state;
    for (const listener of this.#changed) listener();
  }
}
