// The place and the speed of a replay live in the address: a shared link opens paused at that place.
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { z } from 'zod';
import type { Replay, ReplayState } from '../../live/replay';
import { useReplay } from '../../live/use-replay';
import type { RunSamples } from '../../plots/data';
import { oneOf, optionalNumber, parseSearch, rangeText, readSearch, type SearchState } from '../../ui/search';

export const SPEEDS = ['0.1', '0.25', '0.5', '1', '2', '5', '10', '20', '50', '100'] as const;
export type Speed = (typeof SPEEDS)[number];

export const REPLAY_SEARCH = {
  /** Where the replay stands, seconds; nothing: all is shown. */
  at: { codec: optionalNumber.pipe(z.number().min(0).nullable()), initial: null as number | null },
  speed: { codec: oneOf(SPEEDS), initial: '1' as Speed },
  /** Played over and over, seconds; nothing: all, once. */
  loop: { codec: rangeText, initial: null as [number, number] | null },
};
type ReplayShape = typeof REPLAY_SEARCH;
export type ReplayChange = (change: { speed?: Speed; loop?: [number, number] | null }) => void;

/** While it plays the address follows this often: browsers count how often they are asked. */
const FOLLOW_MS = 1000;
/** A scrubber that is dragged takes many small steps: they are one once it has stood still for so long. */
const SETTLE_MS = 300;

/** While it plays, to a thousandth of a second; it rests at such places only. */
const placeOf = (replay: Replay): number | null =>
  replay.getState().whole ? null : Math.round(replay.atS * 1000) / 1000;

/** `on` false: the run goes on, and there is nothing to replay yet. */
export function useSharedReplay<S extends ReplayShape>(
  runs: readonly RunSamples[],
  { search, setSearch }: Pick<SearchState<S>, 'search' | 'setSearch'>,
  on: boolean,
): { replay: Replay; state: ReplayState } {
  const { replay, state } = useReplay(runs, {});
  const { history } = useRouter();
  const { at, speed, loop } = search as { at: number | null; speed: string; loop: [number, number] | null };
  const set = setSearch as SearchState<ReplayShape>['setSearch'];
  /** What is in the address, and what was there when the last movement began: the way back leads there. */
  const address = useRef({ now: null as number | null, before: null as number | null });

  useEffect(() => replay.setSpeed(Number(speed)), [replay, speed]);
  const [from, to] = loop ?? [];
  useEffect(() => replay.setLoop(from === undefined || to === undefined ? null : [from, to]), [replay, from, to]);

  // Address to replay: on arrival, and with the browser's back button.
  useEffect(() => {
    const newest = readSearch(REPLAY_SEARCH, parseSearch(history.location.search)).values.at;
    // What was written here comes back, and may come late.
    if (!on || at === address.current.now || at !== newest) return;
    address.current = { now: at, before: at };
    replay.pause();
    if (at === null) replay.showAll();
    else replay.seek(at);
  }, [on, at, replay, history]);

  // Replay to address: now and then while it plays, and one history entry for each place where it came to rest.
  useEffect(() => {
    if (!on) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (place: number | null, replace: boolean): void => {
      if (place === address.current.now) return;
      address.current.now = place;
      set({ at: place }, { replace });
    };
    const rest = (): void => {
      const place = placeOf(replay);
      write(address.current.before, true);
      // The history takes both in only one after the other.
      timer = setTimeout(() => {
        write(place, false);
        address.current.before = place;
      });
    };
    let following = false;
    const follow = (): void => {
      write(placeOf(replay), true);
      timer = setTimeout(follow, FOLLOW_MS);
    };
    const moved = (): void => {
      const { playing } = replay.getState();
      if (playing && following) return;
      following = playing;
      clearTimeout(timer);
      const { now, before } = address.current;
      if (playing) timer = setTimeout(follow, FOLLOW_MS);
      else if (placeOf(replay) !== before || now !== before) timer = setTimeout(rest, SETTLE_MS);
    };
    const stops = [replay.subscribeHead(moved), replay.subscribeState(moved)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [on, replay, set]);
  return { replay, state };
}
