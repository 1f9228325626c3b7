// What the experiments of the server have come to since the last look: for the title of the tab, and for who wants to be told.
import type { ExperimentListItem } from '#protocol/api';

type Item = Pick<ExperimentListItem, 'id' | 'name' | 'state' | 'runs_total' | 'runs_done' | 'runs_failed'>;

export interface Ending {
  readonly item: Item;
  readonly took_s: number;
}

const goesOn = ({ state }: Item): boolean => state === 'running' || state === 'queued';

/** The part of all runs of those that go on that are over; null: nothing goes on. */
export function progressOf(items: readonly Item[]): number | null {
  const going = items.filter(goesOn);
  const total = going.reduce((sum, { runs_total }) => sum + runs_total, 0);
  return total === 0
    ? null
    : going.reduce((sum, { runs_done, runs_failed }) => sum + runs_done + runs_failed, 0) / total;
}

/** Follows experiments from one list to the next: what went on and does no more has ended. */
export class Endings {
  #since = new Map<string, number>();

  /** `now`: milliseconds. What is gone from the list was deleted, and has not ended. */
  next(items: readonly Item[], now: number): Ending[] {
    const before = this.#since;
    this.#since = new Map(items.filter(goesOn).map(({ id }) => [id, before.get(id) ?? now]));
    return items.flatMap((item) => {
      const since = before.get(item.id);
      return since === undefined || this.#since.has(item.id) ? [] : [{ item, took_s: (now - since) / 1000 }];
    });
  }
}

/** `42 %`: whole percents, and no hundred before it is over. */
export const percentText = (share: number): string => `${Math.min(99, Math.floor(share * 100))}\u00a0%`;
