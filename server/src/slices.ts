import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the server may be busy with one thing before it looks who else has asked. */
const SLICE_MS = 8;

interface Work {
  /** False when it is over, or waits for something and comes again. */
  readonly goOn: () => boolean;
}

/**
 * Long work on the one thread that also answers: it is done in slices, and between two of them everybody else has a turn. Works that are
 * going on at the same time share the slices. A step (from one `yield` to the next) is not divided: it must be short. A step that yields
 * a promise waits for it.
 */
export class Slices {
  readonly #works: Work[] = [];

  /** Drives the steps to their end. When `signal` aborts, they are left where they are and what they hold is released. */
  run<T>(steps: Generator<unknown, T, undefined>, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const advance = (): boolean => {
        signal?.throwIfAborted();
        const step = steps.next();
        if (step.done === true) {
          resolve(step.value);
          return false;
        }
        if (!(step.value instanceof Promise)) return true;
        const enter = (): void => this.#enter({ goOn });
        step.value.then(enter, enter);
        return false;
      };
      const goOn = (): boolean => {
        try {
          return advance();
        } catch (error) {
          // What it holds is released; an error of that must not hide this one.
          reject(error instanceof Error ? error : new Error(String(error)));
          release(steps);
          return false;
        }
      };
      this.#enter({ goOn });
    });
  }

  #enter(work: Work): void {
    this.#works.push(work);
    if (this.#works.length === 1) setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    const work = this.#works.shift();
    const end = performance.now() + SLICE_MS;
    let more = work !== undefined;
    while (work !== undefined && more && performance.now() < end) more = work.goOn();
    if (work !== undefined && more) this.#works.push(work);
    if (this.#works.length > 0) setImmediate(this.#turn);
  };
}

function release(steps: Generator<unknown, unknown, undefined>): void {
  try {
    steps.return(undefined);
  } catch {
    // Told already what went wrong.
  }
}

/** The same values, with turns for everybody else in between. */
export async function* paced<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let end = performance.now() + SLICE_MS;
  for (const value of values) {
    yield value;
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + SLICE_MS;
  }
}

/** Values in groups of so many. */
export function* inGroups<T>(values: Iterable<T>, size: number): Generator<T[], void, undefined> {
  let group: T[] = [];
  for (const value of values) {
    group.push(value);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
