// Steps of an edit as words: `--cut 10s..40s --scale 0.5 --outage 5s+2s`.
import type { EditStep } from '#protocol/edit';
import { UsageError } from '../config.ts';

/** `to_ms` of a part that goes on to the end: how long the trace is then is not known yet. */
export const TO_THE_END = Number.POSITIVE_INFINITY;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 };

/** `1.5s`, `200ms`, `2min`; only 0 needs no unit. */
export function milliseconds(word: string, option: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|min|h)?$/.exec(word) ?? [];
  const factor = UNITS[unit] ?? (Number(digits) === 0 ? 1 : undefined);
  if (digits === '' || factor === undefined)
    throw new UsageError(`${option}: ${JSON.stringify(word)} is not a time; write 10s, 200ms or 2min`);
  return Math.round(Number(digits) * factor);
}

function part(word: string, option: string): { from_ms: number; to_ms: number } {
  const [from, to, ...more] = word.split('..');
  if (from === undefined || to === undefined || more.length > 0)
    throw new UsageError(`${option}: ${JSON.stringify(word)} is not a part of a trace; write 10s..40s, 10s.. or ..40s`);
  return {
    from_ms: from === '' ? 0 : milliseconds(from, option),
    to_ms: to === '' ? TO_THE_END : milliseconds(to, option),
  };
}

/** `5s+2s`, `5s+2s:insert`. */
function outage(word: string): EditStep {
  const [span = '', mode = 'overwrite', ...more] = word.split(':');
  const [at, duration, ...others] = span.split('+');
  if (at === undefined || duration === undefined || more.length + others.length > 0)
    throw new UsageError(`--outage: ${JSON.stringify(word)} is not an outage; write 5s+2s or 5s+2s:insert`);
  if (mode !== 'insert' && mode !== 'overwrite')
    throw new UsageError(`--outage: ${JSON.stringify(mode)} is neither insert nor overwrite`);
  return {
    op: 'outage',
    at_ms: milliseconds(at, '--outage'),
    duration_ms: milliseconds(duration, '--outage'),
    mode,
  };
}

/** `5s`, `5s+40ms`, `5s+40ms+300ms`. */
function handover(word: string): EditStep {
  const [at = '', interruption = '30ms', ramp = '0', ...more] = word.split('+');
  if (more.length > 0)
    throw new UsageError(`--handover: ${JSON.stringify(word)} is not a handover; write 5s, 5s+40ms or 5s+40ms+300ms`);
  return {
    op: 'handover',
    at_ms: milliseconds(at, '--handover'),
    interruption_ms: milliseconds(interruption, '--handover'),
    ramp_ms: milliseconds(ramp, '--handover'),
  };
}

function factor(word: string): number {
  const value = Number(word.replace(/%$/, '')) / (word.endsWith('%') ? 100 : 1);
  if (word.trim() === '' || !(value > 0)) throw new UsageError(`--scale: ${JSON.stringify(word)} is not a factor`);
  return value;
}

/** The options that are steps, each with what its value makes; `--reverse` has none, `--concatenate` and `--steps` name files. */
export const STEP_WORDS: Readonly<Record<string, (word: string) => EditStep>> = {
  cut: (word) => ({ op: 'cut', ...part(word, '--cut') }),
  remove: (word) => ({ op: 'remove', ...part(word, '--remove') }),
  loop: (word) => ({ op: 'loop', duration_ms: milliseconds(word, '--loop') }),
  scale: (word) => ({ op: 'scale', factor: factor(word) }),
  smooth: (word) => ({ op: 'smooth', window_ms: milliseconds(word, '--smooth') }),
  outage,
  handover,
  shift: (word) => ({ op: 'shift', by_ms: milliseconds(word, '--shift') }),
};
