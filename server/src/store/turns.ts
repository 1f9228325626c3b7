// Where a job's place in the queue is, so that people share the machines: start-time fair queueing (Goyal, Vin & Cheng, SIGCOMM 1996), with
// people for flows and what a run should take for the length of a packet. Whoever has nothing waiting comes in level with the head of the
// queue; from then on their runs are as far apart as they are long. A place is given once: nothing moves when others come.
import type { Db } from './database.ts';

/** Places apart, per second of a core: also the shortest runs leave room for those of others between them. */
const PLACES_PER_S = 1000;
const LEAST_PLACES = 8;
/** Which runs are long against which is enough to know: packets that a core makes in a second, and what every run takes. */
const PACKETS_PER_S = 2e6;
const OVERHEAD_S = 0.008;
/** Nobody is kept for years behind one run. */
const MOST_PLACES = 1e9;

export interface Weighed {
  readonly cores: number;
  readonly packets: number;
  readonly realtime_s: number | null;
}

function placesOf({ cores, packets, realtime_s }: Weighed): number {
  const seconds = realtime_s === null ? packets / PACKETS_PER_S : realtime_s * cores;
  return Math.min(MOST_PLACES, Math.max(LEAST_PLACES, Math.round((seconds + OVERHEAD_S) * PLACES_PER_S)));
}

export class Turns {
  /** The last place of each, as far as it was asked for: while something of theirs waits, nobody else gives them one. */
  readonly #known = new Map<string, number>();
  readonly #lastOf;
  readonly #waits;
  readonly #head;
  readonly #last;
  readonly #isTaken;

  constructor(db: Db) {
    this.#lastOf = db.prepare('SELECT MAX(position) FROM jobs WHERE share = ?').pluck();
    // A job that is still being written ('held') waits, too.
    this.#waits = db
      .prepare("SELECT 1 FROM jobs WHERE share = ? AND (lease_owner IS NULL OR lease_owner = 'held') LIMIT 1")
      .pluck();
    this.#head = db.prepare('SELECT position FROM jobs WHERE lease_owner IS NULL ORDER BY position LIMIT 1').pluck();
    this.#last = db.prepare('SELECT MAX(position) FROM jobs').pluck();
    this.#isTaken = db.prepare('SELECT 1 FROM jobs WHERE position = ?').pluck();
  }

  /** The place of somebody's next job. */
  next(share: string, job: Weighed): number {
    let place = this.#after(share, placesOf(job));
    while (this.#isTaken.get(place) !== undefined) place += 1;
    this.#known.set(share, place);
    return place;
  }

  #after(share: string, places: number): number {
    const waits = this.#waits.get(share) !== undefined;
    const known = waits ? this.#known.get(share) : undefined;
    const last = known ?? this.#lastOf.get(share);
    const own = typeof last === 'number' ? last + places : 1;
    return waits ? own : Math.max(own, Number(this.#head.get() ?? this.#last.get() ?? 0));
  }
}
