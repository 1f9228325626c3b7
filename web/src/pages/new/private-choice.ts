// Whether what is to be run is private, kept over a reload as the form is.
import { useEffect, useState } from 'react';
import { membersOf, traceNamed } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import { useTellsApart } from '../Private';
import type { Draft } from './draft';

const STORAGE_KEY = 'paceline.new-experiment.private';

interface PrivateChoice {
  readonly value: boolean;
  readonly onChange: (on: boolean) => void;
  /** Why it is private whatever is chosen; null: it need not be. */
  readonly because: string | null;
  /** What the server is asked for. */
  readonly asked: boolean;
}

/** `was`: what fills the form is private. */
export function usePrivateChoice(was: boolean, draft: Draft, traces: readonly TraceRecord[]): PrivateChoice {
  const [value, onChange] = useState(was || sessionStorage.getItem(STORAGE_KEY) !== null);
  useEffect(() => {
    if (value) sessionStorage.setItem(STORAGE_KEY, '1');
    else sessionStorage.removeItem(STORAGE_KEY);
  }, [value]);
  const trace = privateTraceOf(draft, traces);
  const tellsApart = useTellsApart();
  return {
    value,
    onChange,
    because: trace === undefined ? null : `as ${trace.name} is`,
    asked: asksPrivate(value, tellsApart),
  };
}

/** Who is quicker than the server says who they are is not shown to all: rather refused. */
export const asksPrivate = (chosen: boolean, tellsApart: boolean | null): boolean => chosen && tellsApart !== false;

/** What runs over a private trace is private. */
const privateTraceOf = (draft: Draft, traces: readonly TraceRecord[]): TraceRecord | undefined =>
  draft.traces
    .flatMap((entry) => {
      if ('rate_mbps' in entry || 'recipe' in entry) return [];
      if (!('trace' in entry)) return membersOf(traces, entry);
      const { trace } = entry;
      return traces.find(({ id }) => id === trace) ?? traceNamed(traces, trace) ?? [];
    })
    .find((one) => one.private === true);
