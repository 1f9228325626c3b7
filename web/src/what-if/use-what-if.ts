// The run that belongs to what a hand is moving, and the one before it.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ExperimentSpec } from '#protocol/spec';
import { lanes } from '../engine/engines';
import { patiently } from '../ui/lazy-part';
import type { Answer, Made, Question } from './make';
import { begun, NO_RUNS, shown, type MovedRuns } from './moved-runs';
import { Newest } from './newest';
import type { Known, Place } from './plan';

/** A run that takes longer says that it is being made. */
const LONG_MS = 250;

/** What performance entries of it are called. */
const MEASURE = 'what-if';

export type Problem = Exclude<Answer, Made>;

export interface WhatIf {
  /** null: none has been made yet. */
  readonly now: Made | null;
  /** That of where the hand was when it began to move. */
  readonly before: Made | null;
  /** Why there is no run of what is asked; what was shown stays. */
  readonly problem: Problem | null;
  /** It takes its time. */
  readonly busy: boolean;
}

interface Asking extends WhatIf {
  /** Runs it, and shows it unless something newer was asked for. `begins`: what is shown now becomes the one before. */
  readonly ask: (spec: ExperimentSpec, begins: boolean) => void;
}

/** The planner comes while the engine does. */
async function answerOf(
  queries: QueryClient,
  known: Known,
  question: Question,
  signal: AbortSignal,
): Promise<Answer | null> {
  try {
    const { make } = await patiently(() => import('./make'));
    return await make(queries, known, question, signal);
  } catch (error) {
    return { kind: 'error', error };
  }
}

/** Whether two runs are the same run. */
const sameRun = (a: Made, b: Made): boolean => a.run.canonical === b.run.canonical;

const NOTHING: WhatIf = { now: null, before: null, problem: null, busy: false };

export function useWhatIf(known: Known, place: Place): Asking {
  const queries = useQueryClient();
  const [state, setState] = useState(NOTHING);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef<Question>(null);
  /** Nothing is drawn anew because the hand begins to move. */
  const moved = useRef<MovedRuns<Question, Made>>(NO_RUNS);
  const newest = useRef<Newest<Question, Answer> | null>(null);
  useEffect(() => {
    const own = new Newest<Question, Answer>({
      lanes: lanes(),
      answer: (question, signal) => answerOf(queries, known, question, signal),
      show: (answer, question) => {
        clearTimeout(timer.current);
        if (answer.kind === 'made') moved.current = shown(moved.current, question, answer);
        const { before } = moved.current;
        setState((state) => after(state, answer, before));
        if (answer.kind === 'made') measured(question.askedMs);
      },
    });
    newest.current = own;
    // What was asked before there was anybody to ask, or with what is known now.
    if (last.current !== null) own.ask(last.current);
    return () => {
      own.stop();
      clearTimeout(timer.current);
    };
  }, [queries, known]);
  const ask = useCallback(
    (spec: ExperimentSpec, begins: boolean) => {
      if (begins) moved.current = begun(moved.current, last.current);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setState((state) => ({ ...state, busy: true })), LONG_MS);
      last.current = { spec, place, askedMs: performance.now() };
      newest.current?.ask(last.current);
    },
    [place],
  );
  return { ...state, ask };
}

function after(state: WhatIf, answer: Answer, before: Made | null): WhatIf {
  if (answer.kind !== 'made') return { ...state, problem: answer, busy: false };
  const same = before !== null && sameRun(before, answer);
  return { now: answer, before: same ? null : before, problem: null, busy: false };
}

/** From the hand's move to the picture of it: what `npm run bench` reads. */
function measured(askedMs: number): void {
  requestAnimationFrame(() =>
    setTimeout(() => {
      performance.clearMeasures(MEASURE);
      performance.measure(MEASURE, { start: askedMs, end: performance.now() });
    }),
  );
}
