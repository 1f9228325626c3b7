// The values under the cross-hair (or at the head), renewed when the cross-hair moves and while samples come in.
import { useEffect, useState } from 'react';
import { cursorReaders, readCursor } from '../../charts/cursor-values';
import type { TimeView } from '../../charts/time-view';
import type { CursorReading, Source } from '../../charts/types';

export interface Readings {
  /** null: no cross-hair; the values are those at the head. */
  readonly cursor: number | null;
  readonly head: number;
  /** null: nothing was read yet, and panels may still be on their way. */
  readonly values: readonly CursorReading[] | null;
}

/** Numbers that change faster cannot be read. */
const SAMPLES_MS = 100;

/** Panels come one after another, and the first may have nothing to tell: only what lasts so long is nothing. */
const PANELS_COME_MS = 2000;

export function useReadings(view: TimeView, samples: Source): Readings {
  const [readings, setReadings] = useState<Readings>({ cursor: null, head: 0, values: null });
  useEffect(() => {
    let frame: number | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let patience: ReturnType<typeof setTimeout> | undefined;
    let settled = false;
    const readers = cursorReaders(view);
    const read = (): void => {
      frame = null;
      const found = readers.any ? readCursor(view) : null;
      settled ||= found !== null && found.length > 0;
      if (found !== null && !settled)
        patience ??= setTimeout(() => {
          settled = true;
          soon();
        }, PANELS_COME_MS);
      setReadings({ cursor: view.cursor, head: view.head, values: settled ? found : null });
    };
    const soon = (): void => {
      frame ??= requestAnimationFrame(read);
    };
    const later = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        soon();
      }, SAMPLES_MS);
    };
    const stops = [view.subscribe(soon), readers.subscribe(soon), samples.subscribe(later)];
    soon();
    return () => {
      if (frame !== null) cancelAnimationFrame(frame);
      clearTimeout(timer);
      clearTimeout(patience);
      for (const stop of stops) stop();
    };
  }, [view, samples]);
  return readings;
}
