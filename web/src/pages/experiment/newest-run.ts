// Which run of an experiment stands large: the newest that has something to show, held long enough to be seen.
import { useEffect, useState } from 'react';
import type { ExperimentRecord, RunRef } from '#protocol/api';
import { liveClient } from '../../live/live-client';

/** Runs in virtual time last milliseconds: none is shown shorter than this. */
const SHOW_MS = 1500;

const isRunning = ({ state }: Pick<RunRef, 'state'>): boolean => state === 'running';
/** A run that waits has nothing to show. */
const hasBegun = ({ state, time_s }: Pick<RunRef, 'state' | 'time_s'>): boolean =>
  state === 'running' || (state !== 'queued' && time_s > 0);

type Heard = Pick<RunRef, 'id' | 'state' | 'time_s'>;

/** Chooses among the runs it hears of: one that goes on is kept until it is over, then the newest follows. */
export class NewestRun {
  #shown: Heard | null;
  #next: Heard | null = null;

  constructor(runs: readonly Heard[]) {
    this.#shown = runs.find(isRunning) ?? runs.findLast(hasBegun) ?? null;
  }

  get shown(): string | null {
    return this.#shown?.id ?? null;
  }

  hear(run: Heard): void {
    if (run.id === this.#shown?.id) this.#shown = run;
    else if (hasBegun(run)) this.#next = run;
  }

  /** It has been seen long enough: whether another one takes its place. */
  turn(): boolean {
    if (this.#next === null || (this.#shown !== null && isRunning(this.#shown))) return false;
    this.#shown = this.#next;
    this.#next = null;
    return true;
  }
}

export function useNewestRun({ id, runs }: ExperimentRecord): string | null {
  const [newest] = useState(() => new NewestRun(runs));
  const [shown, setShown] = useState(newest.shown);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let since = -Infinity;
    const look = (): void => {
      timer = undefined;
      if (!newest.turn()) return;
      since = performance.now();
      setShown(newest.shown);
    };
    const unwatch = liveClient.watchExperiment(id, (message) => {
      if (message.type !== 'run') return;
      newest.hear(message.run);
      timer ??= setTimeout(look, Math.max(0, since + SHOW_MS - performance.now()));
    });
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }, [id, newest]);
  return shown;
}
