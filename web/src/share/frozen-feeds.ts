// The samples of runs as a share has kept them, for the components that show live ones.
import { z } from 'zod';
import { ControlFrame } from '#protocol/control';
import { asApiError } from '../api/client';
import { addFrames } from '../live/add-frames';
import { RunFeed, type RunSource } from '../live/run-feed';
import type { SampleStore } from '../live/sample-store';

/** Control frames as JSON and sample frames one after the other, as the API gives them. */
export interface RunFrames {
  readonly control: unknown;
  readonly samples: Uint8Array;
}
export type LoadRun = (run: string, signal: AbortSignal) => Promise<RunFrames>;

export function fillStore(store: SampleStore, { control, samples }: RunFrames): void {
  for (const [seq, frame] of z.array(ControlFrame).parse(control).entries()) store.addControl(seq, frame);
  addFrames(store, samples);
  store.markComplete();
}

/** One feed a run, as long as the share is shown. */
export function frozenFeeds(load: LoadRun): (run: string) => RunFeed {
  const feeds = new Map<string, RunFeed>();
  const source: RunSource = {
    subscribeRun: (run, store, _onState, onError) => {
      const abort = new AbortController();
      load(run, abort.signal)
        .then((frames) => fillStore(store, frames))
        .catch((error: unknown) => {
          if (!abort.signal.aborted) onError(asApiError(error).problem.detail);
        });
      return () => abort.abort();
    },
  };
  return (run) => {
    const known = feeds.get(run);
    if (known !== undefined) return known;
    const feed = new RunFeed(run, source, () => feeds.delete(run));
    feeds.set(run, feed);
    return feed;
  };
}
