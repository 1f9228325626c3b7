// The program that a text is, read anew a moment after it was changed; the last sound one stays while the text is broken.
import { useEffect, useState } from 'react';
import type { OwnProblem } from '#protocol/own-algorithm';
import { Newest } from '../what-if/newest';
import { describe } from './describe';
import { programOf, type Program } from './program';

/** Who has typed nothing for so long wants to see what comes of it. */
const REST_MS = 250;
/** So many texts are remembered by what they say of themselves: those that runs on the page may still be of. */
const REMEMBERED = 4;

export interface Reading {
  /** The newest first. The first is what is run. */
  readonly programs: readonly Program[];
  /** Which text was read last; null: none yet. */
  readonly read: string | null;
  /** What is wrong with it. */
  readonly problem: OwnProblem | null;
  /** Nothing can be read: there is no engine. */
  readonly error: unknown;
}

type Answer =
  | { readonly kind: 'sound'; readonly program: Program }
  | { readonly kind: 'broken'; readonly problem: OwnProblem }
  | { readonly kind: 'error'; readonly error: unknown };

async function answerOf(text: string): Promise<Answer> {
  try {
    const told = await describe(text);
    return told.ok
      ? { kind: 'sound', program: programOf(text, told.declaration) }
      : { kind: 'broken', problem: told.problem };
  } catch (error) {
    return { kind: 'error', error };
  }
}

function after(before: Reading, answer: Answer, text: string): Reading {
  const read = { ...before, read: text, problem: null, error: null };
  if (answer.kind === 'broken') return { ...read, problem: answer.problem };
  if (answer.kind === 'error') return { ...read, error: answer.error };
  const others = before.programs.filter(({ program }) => program !== answer.program.program);
  return { ...read, programs: [answer.program, ...others].slice(0, REMEMBERED) };
}

const NOTHING: Reading = { programs: [], read: null, problem: null, error: null };

export function useProgram(text: string): Reading {
  const [reading, setReading] = useState(NOTHING);
  const [newest] = useState(
    () =>
      new Newest<string, Answer>({
        lanes: 1,
        answer: (asked) => answerOf(asked),
        show: (answer, asked) => setReading((before) => after(before, answer, asked)),
      }),
  );
  const isFirst = reading.read === null;
  useEffect(() => {
    const timer = setTimeout(() => newest.ask(text), isFirst ? 0 : REST_MS);
    return () => clearTimeout(timer);
  }, [text, newest, isFirst]);
  return reading;
}
