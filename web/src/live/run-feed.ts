// The page's live copy of each run it shows, shared by all components that show it and kept for a while after the last one has gone.
import { createContext, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { RunState } from '#protocol/api';
import { liveClient, type LiveClient, type StateMessage } from './live-client';
import { SampleStore } from './sample-store';

/** Going back to a page within this time costs no second download. */
const KEEP_MS = 60_000;

export interface RunStatus {
  readonly state: RunState;
  readonly reason: string | null;
  readonly timeS: number;
  readonly etaS: number | null;
}

/** Where a run's samples come from. */
export type RunSource = Pick<LiveClient, 'subscribeRun'>;

export class RunFeed {
  readonly run: string;
  readonly store = new SampleStore();
  /** From the socket; null until the first state message. */
  status: RunStatus | null = null;
  /** Why the server does not send this run. */
  refusal: string | null = null;
  readonly #client: RunSource;
  #users = 0;
  #stop: (() => void) | null = null;
  #keepTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #onUnused: () => void;

  constructor(run: string, client: RunSource, onUnused: () => void) {
    this.run = run;
    this.#client = client;
    this.#onUnused = onUnused;
  }

  use(): () => void {
    clearTimeout(this.#keepTimer);
    this.#users++;
    this.#stop ??= this.#client.subscribeRun(
      this.run,
      this.store,
      (message) => this.#onState(message),
      (detail) => {
        this.refusal = detail;
        this.store.changed();
      },
    );
    return () => {
      if (--this.#users > 0) return;
      this.#keepTimer = setTimeout(() => this.#end(), KEEP_MS);
    };
  }

  #onState(message: StateMessage): void {
    this.status = { state: message.state, reason: message.reason, timeS: message.time_s, etaS: message.eta_s };
    this.refusal = null;
    this.store.changed();
  }

  #end(): void {
    this.#stop?.();
    this.#stop = null;
    this.#onUnused();
  }
}

const feeds = new Map<string, RunFeed>();
const generations = new Map<string, number>();

export function runFeed(run: string): RunFeed {
  const known = feeds.get(run);
  if (known !== undefined) return known;
  const feed = new RunFeed(run, liveClient, () => {
    if (feeds.get(run) === feed) feeds.delete(run);
  });
  feeds.set(run, feed);
  return feed;
}

/** Whose feeds the components below take: the server's, unless a share has kept its own. */
export const RunFeeds = createContext<(run: string) => RunFeed>(runFeed);

/** Forgets what was received: a retried run starts again from its first row. */
export function forgetRun(run: string): void {
  feeds.delete(run);
  generations.set(run, (generations.get(run) ?? 0) + 1);
}

/** A feed that is kept up to date while the component is mounted; renders once per animation frame in which something arrived. */
export function useRunFeed(run: string): RunFeed {
  const feedOf = useContext(RunFeeds);
  const generation = generations.get(run) ?? 0;
  const [held, setHeld] = useState(() => ({ run, generation, feed: feedOf(run) }));
  if (held.run !== run || held.generation !== generation) setHeld({ run, generation, feed: feedOf(run) });
  const { feed } = held;
  useEffect(() => feed.use(), [feed]);
  useSyncExternalStore(feed.store.subscribe, feed.store.getVersion);
  return feed;
}

/** Several feeds at once; renders once per animation frame in which something arrived for any of them. */
export function useRunFeeds(runs: readonly string[]): readonly RunFeed[] {
  const feedOf = useContext(RunFeeds);
  const key = runs.join();
  const feeds = useMemo(() => (key === '' ? [] : key.split(',').map((run) => feedOf(run))), [key, feedOf]);
  useEffect(() => {
    const stops = feeds.map((feed) => feed.use());
    return () => stops.forEach((stop) => stop());
  }, [feeds]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = feeds.map((feed) => feed.store.subscribe(listener));
      return () => stops.forEach((stop) => stop());
    },
    [feeds],
  );
  useSyncExternalStore(subscribe, () => feeds.reduce((sum, feed) => sum + feed.store.getVersion(), 0));
  return feeds;
}
