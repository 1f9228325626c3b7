// The values under the cross-hair, for a table beside the panels. Each panel registers a reader with the view it is on.
import { useEffect, useState } from 'react';
import { cancelDraw, requestDraw } from './frame-loop';
import type { Moment } from './readings';
import type { TimeView } from './time-view';
import type { CursorReading } from './types';

/** Reads a panel's series at a moment. */
export type CursorReader = (moment: Moment) => readonly CursorReading[];

class Readers {
  readonly #readers = new Map<CursorReader, Element>();
  readonly #listeners = new Set<() => void>();

  /** `element` says where the panel stands: readings come in the order of the page. */
  add(element: Element, reader: CursorReader): () => void {
    this.#readers.set(reader, element);
    this.#emit();
    return () => {
      this.#readers.delete(reader);
      this.#emit();
    };
  }

  /** False: no panel has come yet, or none ever will. */
  get any(): boolean {
    return this.#readers.size > 0;
  }

  read(moment: Moment): CursorReading[] {
    return [...this.#readers]
      .sort(([, a], [, b]) => ((a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) === 0 ? 1 : -1))
      .flatMap(([reader]) => reader(moment));
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

/** All readings at the cursor, or at the head while there is none, in the order of the panels. */
export const readCursor = (view: TimeView): CursorReading[] =>
  cursorReaders(view).read(view.cursor === null ? { head: view.head } : { at: view.cursor });

export interface CursorValues {
  /** null: the cursor is nowhere; the readings are then those at the head. */
  readonly time: number | null;
  readonly readings: readonly CursorReading[];
}

const NOWHERE: CursorValues = { time: null, readings: [] };

/** Renders again at most once per animation frame while the cursor moves or panels come and go. */
export function useCursorValues(view: TimeView): CursorValues {
  const [values, setValues] = useState(NOWHERE);
  useEffect(() => {
    const read = (): void => setValues({ time: view.cursor, readings: readCursor(view) });
    const later = (): void => requestDraw(read);
    const stops = [view.subscribe(later), cursorReaders(view).subscribe(later)];
    later();
    return () => {
      cancelDraw(read);
      for (const stop of stops) stop();
    };
  }, [view]);
  return values;
}
