// What a shipped trace really has, measured from the trace itself, for every figure that its name or description states.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Recipe } from '#protocol/recipe';
import type { Recording } from '#protocol/recording';

const PACKET_BITS = 12_000;
/** Bins in which a rate is looked for that holds for a while. */
const HOLD_MS = 100;

/** Opportunities of each millisecond, those at 0 with those of the end: one lap. */
export function lapOf(file: string): Uint32Array {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  const pairs = lines.filter((line) => !line.startsWith('#')).map((line) => line.split(' ').map(Number));
  const period = pairs.at(-1)?.[0] ?? 0;
  const lap = new Uint32Array(period);
  for (const [ms = 0, count = 0] of pairs)
    lap[(ms + period - 1) % period] = (lap[(ms + period - 1) % period] ?? 0) + count;
  return lap;
}

const ratesOf = (lap: Uint32Array, bin_ms: number): number[] =>
  Array.from({ length: Math.floor(lap.length / bin_ms) }, (_, i) => {
    const packets = lap.subarray(i * bin_ms, (i + 1) * bin_ms).reduce((sum, count) => sum + count, 0);
    return (packets * PACKET_BITS) / bin_ms / 1000;
  });

/** So much a rate may be off because a packet falls into one bin or the next. */
const packetOf = (bin_ms: number): number => PACKET_BITS / bin_ms / 1000;

interface Measured {
  readonly value: number;
  /** What a packet more or less makes of it. */
  readonly grain: number;
}

const exactly = (value: number): Measured => ({ value, grain: 0 });

/** Longest run of bins of which something holds, in seconds. */
function longestRun(rates: readonly number[], holds: (rate: number) => boolean): number {
  let run = 0;
  let longest = 0;
  for (const rate of rates) longest = Math.max(longest, (run = holds(rate) ? run + 1 : 0));
  return (longest * HOLD_MS) / 1000;
}

/** From the last bin that is full to the first that is empty, of the quickest; or the other way round. */
function transition(rates: readonly number[], from: (rate: number) => boolean, to: (rate: number) => boolean): number {
  let last = -1;
  let quickest = Infinity;
  rates.forEach((rate, i) => {
    if (from(rate)) last = i;
    else if (to(rate) && last >= 0) {
      quickest = Math.min(quickest, i - last);
      last = -1;
    }
  });
  return (quickest * HOLD_MS) / 1000;
}

/** The shortest time after which everything comes again. */
function repetition(rates: readonly number[]): number {
  const same = (lag: number): boolean =>
    rates.every((rate, i) => Math.abs(rate - (rates[(i + lag) % rates.length] ?? 0)) <= packetOf(HOLD_MS) * 1.001);
  const lag = rates.findIndex((_, i) => i > 0 && same(i));
  return ((lag === -1 ? rates.length : lag) * HOLD_MS) / 1000;
}

/** Rates that hold for a hundredth of the time at least. */
function levelsOf(rates: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const rate of rates) counts.set(rate, (counts.get(rate) ?? 0) + 1);
  return [...counts].flatMap(([rate, count]) => (count * 100 >= rates.length ? [rate] : [])).sort((a, b) => a - b);
}

function silence(lap: Uint32Array): number {
  let run = 0;
  let longest = 0;
  for (const count of lap) longest = Math.max(longest, (run = count === 0 ? run + 1 : 0));
  return longest / 1000;
}

/** Statistics of a trace by name. */
export function measured(lap: Uint32Array): (statistic: string) => Measured | undefined {
  const second = ratesOf(lap, 1000);
  const hold = ratesOf(lap, HOLD_MS);
  const ten = ratesOf(lap, 10);
  const top = Math.max(...second);
  const near = (level: number) => (rate: number) => Math.abs(rate - level) <= packetOf(HOLD_MS) * 1.001;
  const isFull = (rate: number): boolean => rate >= 0.9 * top;
  const isEmpty = (rate: number): boolean => rate <= 0.01 * top;
  const known: Record<string, () => Measured> = {
    mean_mbps: () => exactly(ratesOf(lap, lap.length)[0] ?? 0),
    peak_1s_mbps: () => ({ value: top, grain: packetOf(1000) }),
    least_1s_mbps: () => ({ value: Math.min(...second), grain: packetOf(1000) }),
    peak_10ms_mbps: () => ({ value: Math.max(...ten), grain: packetOf(10) }),
    least_10ms_mbps: () => ({ value: Math.min(...ten), grain: packetOf(10) }),
    most_per_ms: () => exactly(Math.max(...lap)),
    least_per_ms: () => exactly(Math.min(...lap)),
    levels: () => exactly(levelsOf(hold).length),
    held_high_s: () => exactly(longestRun(hold, near(top))),
    held_low_s: () => exactly(longestRun(hold, near(Math.min(...second)))),
    silent_s: () => exactly(silence(lap)),
    fall_s: () => exactly(transition(hold, isFull, isEmpty)),
    rise_s: () => exactly(transition(hold, isEmpty, isFull)),
    repeats_every_s: () => exactly(repetition(hold)),
    period_s: () => exactly(lap.length / 1000),
  };
  return (statistic) => {
    const [, place] = /^level_(\d)_mbps$/.exec(statistic) ?? [];
    if (place !== undefined) return exactly(levelsOf(hold)[Number(place) - 1] ?? Number.NaN);
    return known[statistic]?.();
  };
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Point = [number, number];

/** What a recipe says: `/radio/carrier_ghz`, or something that follows from several of its numbers. */
export function saidBy(recipe: Recipe | Recording): (place: string) => number | undefined {
  const at = (path: string): Json | undefined =>
    path
      .slice(1)
      .split('/')
      .reduce<Json | undefined>(
        (value, key) =>
          value !== null && typeof value === 'object' ? (value as { [key: string]: Json })[key] : undefined,
        recipe as unknown as Json,
      );
  const list = <T>(path: string): T[] => (at(path) ?? []) as unknown as T[];
  const length = (points: readonly Point[]): number =>
    points.reduce((sum, [x, y], i) => {
      const [x0, y0] = points[i - 1] ?? [x, y];
      return sum + Math.hypot(x - x0, y - y0);
    }, 0);
  const antennas = (gain_db: number): number => 2 ** Math.round(Math.log2(10 ** (gain_db / 10)));
  const distinct = (edge: 0 | 1): number => new Set(list<number[]>('/radio/buildings').map((b) => b[edge])).size;
  const derived: Record<string, () => number> = {
    stations: () => list('/radio/stations').length,
    buildings: () => list('/radio/buildings').length,
    blocks_across: () => distinct(0),
    blocks_down: () => distinct(1),
    stations_apart_m: () => length(list<Point>('/radio/stations')),
    way_m: () => length(list<Point>('/radio/walk/path/corners')),
    // Of 30 dBm; docs/channel.md.
    station_antennas: () => antennas(Number(at('/radio/budget/power_dbm')) - 30),
    user_antennas: () => antennas(Number(at('/radio/budget/user_gain_db'))),
  };
  return (place) => {
    const value = place.startsWith('/') ? at(place) : derived[place]?.();
    return typeof value === 'number' ? value : undefined;
  };
}

const WORDS = [
  'nothing',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
/** Not those that belong to a word: 4G, B3a, ns-3. */
const NUMBER = new RegExp(String.raw`(?<![\w.]|\bns-)(?:\d+(?:\.\d+)?(?![\w]|\.\d)|(?:${WORDS.join('|')})\b)`, 'gi');

/** A number as it stands in a text. */
export interface Figure {
  readonly at: number;
  readonly said: string;
  readonly value: number;
  /** Half of its last digit. */
  readonly rounding: number;
}

export const figuresIn = (text: string): Figure[] =>
  [...text.matchAll(NUMBER)].map(({ 0: said, index }) => {
    const word = WORDS.indexOf(said.toLowerCase());
    const decimals = said.split('.')[1]?.length ?? 0;
    return { at: index, said, value: word === -1 ? Number(said) : word, rounding: 10 ** -decimals / 2 };
  });

/** What a unit is of the statistics' own: Mbps, s, m. */
const UNITS: Readonly<Record<string, number>> = { Gbps: 1000 };
export const unitOf = (text: string): number => UNITS[/[A-Za-z]+$/.exec(text)?.[0] ?? ''] ?? 1;
