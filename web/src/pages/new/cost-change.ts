// What the last change of the form has done to what it costs.
import { useState } from 'react';
import type { Plan } from '#protocol/api';
import { formatCount, formatDuration, plural } from '../../ui/format';
import { factorText, type Factor } from './sum';

/** A form whose cost is known. */
export interface Priced {
  /** The spec: two forms with the same are the same. */
  readonly spec: object;
  readonly plan: Pick<Plan, 'runs' | 'estimate_s'>;
  readonly factors: readonly Factor[];
  readonly duration_s: number;
  readonly pairs: boolean;
}

/** Less is lost in what machines do besides. */
const FELT_S = 1;
const MOST_REASONS = 3;

const middle = ({ low, high }: Plan['estimate_s']): number => (low + high) / 2;
const signed = (by: number, words: string): string => `${by < 0 ? '−' : '+'} ${words}`;

function reasons(before: Priced, now: Priced): string[] {
  const names = [...new Set([...now.factors, ...before.factors].map(({ of }) => of))];
  const count = ({ factors }: Priced, name: Factor['of']): number => factors.find(({ of }) => of === name)?.count ?? 1;
  const changed = names
    .map((of) => ({ of, count: count(now, of), was: count(before, of) }))
    .filter((factor) => factor.count !== factor.was)
    .map((factor) => `${factorText(factor)} instead of ${formatCount(factor.was)}`);
  const longer =
    now.duration_s === before.duration_s
      ? []
      : [`${formatDuration(now.duration_s)} each instead of ${formatDuration(before.duration_s)}`];
  const pairs = now.pairs === before.pairs ? [] : [now.pairs ? 'with pairs' : 'without pairs'];
  return [...changed, ...longer, ...pairs];
}

/** `+ 40 runs, + 3 min: 4 limits instead of 2`; null: it costs the same. */
export function changeText(before: Priced, now: Priced): string | null {
  const runs = now.plan.runs - before.plan.runs;
  const seconds = middle(now.plan.estimate_s) - middle(before.plan.estimate_s);
  const by = [
    ...(runs === 0 ? [] : [signed(runs, plural(Math.abs(runs), 'run'))]),
    ...(Math.abs(seconds) < FELT_S ? [] : [signed(seconds, `about ${formatDuration(Math.round(Math.abs(seconds)))}`)]),
  ];
  if (by.length === 0) return null;
  const why = reasons(before, now);
  const told = why.length > MOST_REASONS ? [...why.slice(0, MOST_REASONS), '…'] : why;
  return `${by.join(', ')}${told.length === 0 ? '' : `: ${told.join(', ')}`}`;
}

/** `now`: null while its cost is not known. */
export function useCostChange(now: Priced | null): string | null {
  const [{ last, change }, setSeen] = useState<{ readonly last: Priced | null; readonly change: string | null }>({
    last: null,
    change: null,
  });
  if (now !== null && now.spec !== last?.spec)
    setSeen({ last: now, change: last === null ? null : changeText(last, now) });
  return change;
}
