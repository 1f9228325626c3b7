// A slider's whole range: runs at values all along its rail, made when the hand rests.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';
import type { Band } from '../plots/data';
import { patiently } from '../ui/lazy-part';
import { specText } from './address';
import { allKnobs, type Knob } from './knobs';
import type { Made } from './make';
import type { Known } from './plan';
import { valuesAlong } from './scale';

/** So many runs, the ends of the range among them. */
const VALUES = 11;
/** A hand that has rested so long waits for nothing else. */
const REST_MS = 500;

export interface Swept {
  readonly value: number;
  readonly made: Made;
}

export interface Sweep {
  /** The knob's id. */
  readonly knob: string;
  /** In the order of their values; fewer than there will be until all are made. */
  readonly runs: readonly Swept[];
  /** All of them, once they are made. */
  readonly band: Band | null;
}

const knobOf = (made: Made, id: string, listing: EngineListing, period_ms: number | null): Knob | undefined =>
  allKnobs(made.spec, listing, period_ms).find((knob) => knob.id === id);

/** `id` of the knob whose range is run; empty: of none. What the knob itself says does not matter to it. */
export function useSweep(id: string, now: Made | null, known: Known, period_ms: number | null): Sweep | null {
  const queries = useQueryClient();
  const [{ key: madeFor, sweep }, setMade] = useState<{ key: string; sweep: Sweep | null }>({ key: '', sweep: null });
  const knob = now === null || id === '' ? undefined : knobOf(now, id, known.listing, period_ms);
  const key = now === null || knob === undefined ? '' : keyOf(knob, now);
  useEffect(() => {
    if (now === null || knob === undefined) return;
    const abort = new AbortController();
    const timer = setTimeout(
      () => void make(queries, known, now, knob, abort.signal, (sweep) => setMade({ key, sweep })),
      REST_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the key stands for the run and the knob
  }, [key, queries, known]);
  if (sweep?.knob !== id) return null;
  // What belongs to another run is no band of this one; what is above the rail stays until there is something else.
  return madeFor === key ? sweep : { ...sweep, band: null };
}

/** What all runs of the range have in common. */
const keyOf = (knob: Knob, { place }: Made): string =>
  `${specText(knob.written(knob.scale.min))} ${JSON.stringify(place)}`;

async function make(
  queries: QueryClient,
  known: Known,
  { place }: Made,
  knob: Knob,
  signal: AbortSignal,
  tell: (sweep: Sweep) => void,
): Promise<void> {
  const planner = await patiently(() => import('./make'));
  const runs: Swept[] = [];
  const values = valuesAlong(knob.scale, VALUES);
  for (const value of values) {
    const spec: ExperimentSpec = knob.written(value);
    const answer = await planner.make(queries, known, { spec, place, askedMs: performance.now() }, signal);
    if (signal.aborted) return;
    // Where a value cannot be run, as a flow that begins after the end, the range goes on without it.
    if (answer?.kind === 'made') runs.push({ value, made: answer });
    tell({ knob: knob.id, runs: [...runs], band: null });
  }
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return;
  const label = `${knob.label} ${knob.text(first.value)} to ${knob.text(last.value)}`;
  tell({ knob: knob.id, runs, band: { label, runs: runs.map((run) => run.made.store) } });
}
