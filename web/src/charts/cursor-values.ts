// The values under the cross-hair, for a table beside the panels. Each panel registers a reader with the view it is on.
import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { TimeView } from './time-view';
import type { CursorReading } from './types';

/** Reads a panel's series at a time. */
export type CursorReader = (time: number) => readonly CursorReading[];

class Readers {
  readonly #readers = new Map<string, { reader: CursorReader; order: number }>();
  readonly #listeners = new Set<() => void>();

  set(panel: string, reader: CursorReader, order: number): () => void {
    const entry = { reader, order };
    this.#readers.set(panel, entry);
    this.#emit();
    return () => {
      if (this.#readers.get(panel) !== entry) return;
      this.#readers.delete(panel);
      this.#emit();
    };
  }

  read(time: number): CursorReading[] {
    const ordered = [...this.#readers.values()].sort((a, b) => a.order - b.order);
    return ordered.flatMap(({ reader }) => reader(time));
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #emit(): void {
    for (const listener of this.#listeners) listener();
  }
}

const ofView = new WeakMap<TimeView, Readers>();

export function cursorReaders(view: TimeView): Readers {
  let readers = ofView.get(view);
  if (readers === undefined) {
    readers = new Readers();
    ofView.set(view, readers);
  }
  return readers;
}

/** All readings at a time, in the order of the panels. */
export const readCursor = (view: TimeView, time: number): CursorReading[] => cursorReaders(view).read(time);

export interface CursorValues {
  /** null: the cursor is nowhere; the readings are then those at the head. */
  readonly time: number | null;
  readonly readings: readonly CursorReading[];
}

/** Renders again at most once per animation frame while the cursor moves or panels come and go. */
export function useCursorValues(view: TimeView): CursorValues {
  const cached = useRef<{ key: string; values: CursorValues } | null>(null);
  const revision = useRef(0);
  const subscribe = useCallback(
    (listener: () => void) => {
      let frame = 0;
      const later = (): void => {
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          revision.current++;
          listener();
        });
      };
      const stops = [view.subscribe(later), cursorReaders(view).subscribe(later)];
      later();
      return () => {
        cancelAnimationFrame(frame);
        for (const stop of stops) stop();
      };
    },
    [view],
  );
  return useSyncExternalStore(subscribe, () => {
    const key = `${revision.current}`;
    if (cached.current?.key !== key) {
      const time = view.cursor;
      cached.current = { key, values: { time, readings: readCursor(view, time ?? view.head) } };
    }
    return cached.current.values;
  });
}
