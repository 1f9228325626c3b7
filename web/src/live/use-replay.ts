// A replay for components: it belongs to the runs it was made for and stops with the component.
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { RunSamples } from '../plots/data';
import { Replay, type ReplayOptions, type ReplayState } from './replay';

export function useReplay(runs: readonly RunSamples[], options: ReplayOptions): { replay: Replay; state: ReplayState } {
  const { loop = false, speed = 1 } = options;
  const replay = useMemo(() => new Replay(runs, { loop, speed }), [runs, loop, speed]);
  useEffect(() => {
    const unwatch = replay.watch();
    return () => {
      unwatch();
      replay.pause();
    };
  }, [replay]);
  const state = useSyncExternalStore(replay.subscribeState, replay.getState);
  return { replay, state };
}

/** The playhead, for the component that shows it. */
export const useReplayHead = (replay: Replay): number => useSyncExternalStore(replay.subscribeHead, replay.getHead);
