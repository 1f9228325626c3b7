// What section IV of the paper leaves to its reader (docs/cca/reminis.md), each with its alternatives.

export type Reading = Readonly<Record<string, number | string | boolean>>;

const OPEN: Readonly<Record<string, readonly (number | string | boolean)[]>> = {
  d_stat: ['mean', 'last', 'min'],
  slow_start_again: [false, true],
  base: ['reno', 'cubic'],
  pacing: ['on', 'off'],
  si_factor: [1, 1.5, 2],
  first_d: ['mrtt', 'sample'],
  sigma_mode: ['abs', 'clamp0'],
  int_cwnd: [false, true],
};

/** Every combination. */
export function readings(): Reading[] {
  return Object.entries(OPEN).reduce<Reading[]>(
    (all, [name, values]) => all.flatMap((reading) => values.map((value) => ({ ...reading, [name]: value }))),
    [{}],
  );
}

const SHORT: Readonly<Record<string, (value: number | string | boolean) => string>> = {
  d_stat: String,
  slow_start_again: (value) => (value === true ? 'again' : 'once'),
  base: String,
  pacing: (value) => (value === 'on' ? 'paced' : 'bursts'),
  si_factor: (value) => `${value} RTT`,
  first_d: (value) => (value === 'mrtt' ? 'from least' : 'from first'),
  sigma_mode: (value) => (value === 'abs' ? '|µ|' : 'µ⁺'),
  int_cwnd: (value) => (value === true ? 'whole' : 'parts'),
};

/** A line for the table. */
export const nameOf = (reading: Reading): string =>
  Object.entries(SHORT)
    .flatMap(([name, text]) => {
      const value = reading[name];
      return value === undefined ? [] : [text(value)];
    })
    .join(', ');

export const DEFAULT: Reading = {
  d_stat: 'last',
  slow_start_again: false,
  base: 'cubic',
  pacing: 'on',
  si_factor: 2,
  first_d: 'mrtt',
  sigma_mode: 'abs',
  int_cwnd: false,
};

/** To the letter of the paper: an interval of one least RTT, the mean of its RTTs, Reno below. */
export const LETTER: Reading = { ...DEFAULT, d_stat: 'mean', base: 'reno', si_factor: 1 };
