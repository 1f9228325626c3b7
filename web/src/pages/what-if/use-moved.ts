// What a hand moves, and the address of where it came to rest: one step back for each move, however many places it went through.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ExperimentSpec } from '#protocol/spec';
import { specText } from '../../what-if/address';

/** A hand that has let go, and does nothing for so long, has ended its move. */
const REST_MS = 400;

interface Moved {
  readonly spec: ExperimentSpec;
  /** The same function always. */
  readonly move: (next: (spec: ExperimentSpec) => ExperimentSpec) => void;
}

/**
 * `asked`: what the address says. `onMove` hears of every place, and whether it is the first of a move; `onRest` of the last. What the
 * address says by itself, as on the way back, is a move too.
 */
export function useMoved(
  asked: ExperimentSpec,
  onMove: (spec: ExperimentSpec, begins: boolean) => void,
  onRest: (spec: ExperimentSpec) => void,
): Moved {
  const [spec, setSpec] = useState(asked);
  const text = specText(asked);
  const held = useHeld();
  const state = useRef({
    spec: asked,
    moving: false,
    written: '',
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
  });

  useEffect(() => {
    const { current } = state;
    if (current.written === text) return;
    clearTimeout(current.timer);
    Object.assign(current, { spec: asked, moving: false, written: text });
    setSpec(asked);
    onMove(asked, true);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the text stands for the spec
  }, [text, onMove]);
  useEffect(() => () => clearTimeout(state.current.timer), []);

  const move = useCallback(
    (changed: (spec: ExperimentSpec) => ExperimentSpec) => {
      const { current } = state;
      const next = changed(current.spec);
      current.spec = next;
      setSpec(next);
      onMove(next, !current.moving);
      current.moving = true;
      const rest = (): void => {
        clearTimeout(current.timer);
        current.timer = setTimeout(() => {
          if (held.current) {
            rest();
            return;
          }
          current.moving = false;
          const reached = specText(next);
          // Back where it began: nothing to go back from.
          if (reached === current.written) return;
          current.written = reached;
          onRest(next);
        }, REST_MS);
      };
      rest();
    },
    [onMove, onRest, held],
  );
  return { spec, move };
}

/** Whether a button or a finger is down. */
function useHeld(): { readonly current: boolean } {
  const held = useRef(false);
  useEffect(() => {
    const ends = new AbortController();
    const set = (down: boolean) => () => {
      held.current = down;
    };
    const options = { capture: true, passive: true, signal: ends.signal };
    addEventListener('pointerdown', set(true), options);
    for (const type of ['pointerup', 'pointercancel', 'blur']) addEventListener(type, set(false), options);
    return () => ends.abort();
  }, []);
  return held;
}
