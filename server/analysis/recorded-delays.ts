// Recorded delays as people have them: a delay a line, or a time and a delay, in milliseconds.
import { LIMITS } from '#protocol/limits';
import { type RecordedDelays, recordedPeriodMs } from '#protocol/recorded-delays';
import { shortened } from '#protocol/text';

/** Larger files have more lines than there may be delays. */
export const LARGEST_DELAYS_FILE = 1_000_000;
/** Between delays without times: as `ping` measures. */
export const USUAL_INTERVAL_MS = 1000;

export type ReadDelays =
  | { readonly ok: true; readonly recorded: RecordedDelays; readonly timed: boolean }
  | { readonly ok: false; readonly fault: string };

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const { max: MOST } = LIMITS.recorded_delays;

class Fault extends Error {}

const LONGEST_WORD = 40;
const LONGEST_NAME = 200;

function numbersOf(line: string): readonly number[] {
  const words = line.split(/\s*[,;\s]\s*/).filter((word) => word !== '');
  if (words.length > 2) throw new Fault(`has ${words.length} values, not a delay, or a time and a delay`);
  return words.map((word) => {
    if (!NUMBER.test(word)) throw new Fault(`“${shortened(word, LONGEST_WORD)}” is not a number`);
    return Number(word);
  });
}

const within = (what: string, value: number, { min, max }: { readonly min: number; readonly max: number }): number => {
  if (value >= min && value <= max) return value;
  throw new Fault(`the ${what} ${value} is not from ${min} to ${max} ms`);
};

const isData = (line: string): boolean => line !== '' && !line.startsWith('#');
/** Names of columns, above the first delay; a value that is none, such as NaN, is no name. */
const isHeader = (line: string): boolean =>
  line
    .split(/[,;\s]+/)
    .every((word) => /^[a-z_][a-z0-9_()/]*$/i.test(word) && !/^(nan|inf|infinity|null)$/i.test(word));

/** Lines without times are `intervalMs` apart. Empty lines, those that begin with # and a header do not count. */
export function readDelays(
  text: string,
  { name, intervalMs }: { readonly name?: string; readonly intervalMs?: number | undefined } = {},
): ReadDelays {
  const times_ms: number[] = [];
  const delays_ms: number[] = [];
  let columns = 0;
  let first = 0;
  let before = 0;
  let at = 0;
  try {
    for (const raw of lines(text)) {
      at++;
      const line = raw.trim();
      if (!isData(line) || (columns === 0 && at === 1 && isHeader(line))) continue;
      if (delays_ms.length === MOST)
        throw new Fault(`is more than the ${MOST} delays there may be: keep a part, or only every n-th`);
      const numbers = numbersOf(line);
      columns ||= numbers.length;
      if (numbers.length !== columns)
        throw new Fault(`has ${numbers.length} values where the lines before have ${columns}`);
      const delay = within('delay', numbers.at(-1) ?? NaN, LIMITS.delay_ms);
      const told = columns === 1 ? delays_ms.length * (intervalMs ?? USUAL_INTERVAL_MS) : (numbers[0] ?? NaN);
      if (delays_ms.length === 0) first = told;
      else if (!(told > before)) throw new Fault(`the time ${told} is not after the one before it, ${before}`);
      before = told;
      times_ms.push(within('time since the first', Math.round((told - first) * 1e6) / 1e6, LIMITS.recorded_ms));
      delays_ms.push(delay);
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ok: false, fault: `line ${at}: ${error.message}` };
  }
  if (delays_ms.length === 0) return { ok: false, fault: 'there are no delays in it' };
  return {
    ok: true,
    timed: columns === 2,
    recorded: { ...(name === undefined ? {} : { name: shortened(name, LONGEST_NAME) }), times_ms, delays_ms },
  };
}

/** One after the other: of a text that is far too long only the beginning is looked at. */
function* lines(text: string): Generator<string, void, undefined> {
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length + 1 : end + 1;
  }
}

/** The same delays as a text that reads as them. */
export const writeDelays = ({ times_ms, delays_ms }: RecordedDelays): string =>
  times_ms.map((time, i) => `${time},${delays_ms[i] ?? 0}`).join('\n');

export interface DelaysSummary {
  readonly count: number;
  readonly least_ms: number;
  readonly most_ms: number;
  /** After which they begin anew; null: one delay, which holds for ever. */
  readonly period_ms: number | null;
}

export function delaysSummary({ times_ms, delays_ms }: RecordedDelays): DelaysSummary {
  const sorted = delays_ms.toSorted((a, b) => a - b);
  return {
    count: delays_ms.length,
    least_ms: sorted[0] ?? 0,
    most_ms: sorted.at(-1) ?? 0,
    period_ms: times_ms.length < 2 ? null : recordedPeriodMs({ times_ms }),
  };
}

/** What holds at so many moments, evenly over the whole. */
export function delaysOver(recorded: RecordedDelays, points: number): number[] {
  const { times_ms, delays_ms } = recorded;
  const step = recordedPeriodMs(recorded) / points;
  let at = 0;
  return Array.from({ length: points }, (_, i) => {
    while (at + 1 < times_ms.length && (times_ms[at + 1] ?? 0) <= i * step) at++;
    return delays_ms[at] ?? 0;
  });
}
