// The values under the cross-hair (or at the head), renewed when the cross-hair moves and while samples come in.
import { useEffect, useState } from 'react';
import { cursorReaders, readCursor } from '../../charts/cursor-values';
import type { TimeView } from '../../charts/time-view';
import type { CursorReading, Source } from '../../charts/types';

export interface Readings {
  /** null: no cross-hair; the values are those at the head. */
  readonly cursor: number | null;
  readonly head: number;
  /** null: there was no panel to read yet. */
  readonly values: readonly CursorReading[] | null;
}

/** Numbers that change faster cannot be read. */
const SAMPLES_MS = 100;

export function useReadings(view: TimeView, samples: Source): Readings {
  const [readings, setReadings] = useState<Readings>({ cursor: null, head: 0, values: null });
  useEffect(() => {
    let frame: number | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readers = cursorReaders(view);
    const read = (): void => {
      frame = null;
      setReadings({ cursor: view.cursor, head: view.head, values: readers.any ? readCursor(view) : null });
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
      for (const stop of stops) stop();
    };
  }, [view, samples]);
  return readings;
}
