// Runs of equal values in a series of state numbers: what a ribbon shows. Found once, extended as the series grows.
import type { SeriesData } from './types';

export interface Phases {
  /** Where each phase begins (the end of the row before it), its state, and the time of the last row. */
  readonly starts: number[];
  readonly states: number[];
  end: number;
}

interface Progress extends Phases {
  seen: number;
}

const cache = new WeakMap<SeriesData, Progress>();

export function phasesOf(data: SeriesData): Phases {
  let phases = cache.get(data);
  if (phases === undefined) {
    phases = { starts: [], states: [], end: 0, seen: 0 };
    cache.set(data, phases);
  }
  const { x, y, length } = data;
  for (let i = phases.seen; i < length; i++) {
    const state = y[i] ?? NaN;
    if (i === 0 || !Object.is(state, phases.states.at(-1))) {
      // A row describes the interval that ends at its time, so its state began with the row before.
      phases.starts.push(i === 0 ? (x[0] ?? 0) - Math.max(0, (x[1] ?? x[0] ?? 0) - (x[0] ?? 0)) : (x[i - 1] ?? 0));
      phases.states.push(state);
    }
  }
  if (length > 0) phases.end = x[length - 1] ?? 0;
  phases.seen = length;
  return phases;
}
