import type { RunFeed } from './feed.ts';

const MINUTE_S = 60;

/** How many runs ended in the last minute. */
export class Pace {
  /** By second, and which second it was. */
  readonly #ended = Array.from({ length: MINUTE_S }, () => ({ second: -1, runs: 0 }));

  constructor(feed: Pick<RunFeed, 'onAny'>) {
    feed.onAny((_run, change, ended) => {
      if (change !== 'state' || ended === undefined || ended === 'cancelled') return;
      const second = Math.floor(performance.now() / 1000);
      const slot = this.#ended[second % MINUTE_S];
      if (slot === undefined) return;
      if (slot.second !== second) Object.assign(slot, { second, runs: 0 });
      slot.runs += 1;
    });
  }

  get perMinute(): number {
    const from = Math.floor(performance.now() / 1000) - MINUTE_S;
    return this.#ended.reduce((sum, { second, runs }) => sum + (second > from ? runs : 0), 0);
  }
}
