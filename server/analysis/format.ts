// How numbers are written: three significant digits, thin-space groups, SI prefixes, the unit beside the number.

/** Between groups of three digits (narrow, does not break a line). */
export const GROUP_SPACE = '\u202f';
/** Between a number and its unit. */
export const UNIT_SPACE = '\u00a0';
/** Shown where there is no number. */
export const NO_VALUE = '–';
const FIGURE_SPACE = '\u2007';
const PUNCTUATION_SPACE = '\u2008';
const MINUS = '\u2212';

/** How somebody wants numbers to be written on the page. Files, reports and addresses are always written plainly. */
export interface Writing {
  readonly decimal: 'point' | 'comma';
  /** `mark`: whichever of point and comma is not the decimal one. */
  readonly groups: 'space' | 'mark' | 'none';
  readonly rates: 'bits' | 'bytes';
}
export const PLAIN_WRITING: Writing = { decimal: 'point', groups: 'space', rates: 'bits' };

let writing = PLAIN_WRITING;
/** For all that is written from now on: only the page asks for anything but the plain one. */
export function setWriting(next: Writing): void {
  writing = next;
}
export const getWriting = (): Writing => writing;

const decimalMark = (): string => (writing.decimal === 'comma' ? ',' : '.');

function group(digits: string): string {
  if (writing.groups === 'none') return digits;
  const between = writing.groups === 'space' ? GROUP_SPACE : writing.decimal === 'comma' ? '.' : ',';
  return digits.replace(/\B(?=(\d{3})+$)/g, between);
}

/** A plain number (`-1234.5`) as it is shown: groups, decimal mark, a real minus. */
export function decorate(plain: string): string {
  const negative = plain.startsWith('-');
  const [whole = '', fraction] = (negative ? plain.slice(1) : plain).split('.');
  const text = fraction === undefined ? group(whole) : `${group(whole)}${decimalMark()}${fraction}`;
  return negative && /[1-9]/.test(text) ? MINUS + text : text;
}

/** A measured number: 93.1, 0.120, 1 230, 184. Trailing zeros stay, they are measured too. */
export function formatMeasured(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NO_VALUE;
  if (value === 0) return '0';
  const rounded = Number(value.toPrecision(digits));
  const magnitude = Math.floor(Math.log10(Math.abs(rounded)));
  if (magnitude < -6)
    return rounded
      .toExponential(digits - 1)
      .replace('.', decimalMark())
      .replace('e-', '×10⁻')
      .replace(/\d+$/, superscript);
  return decorate(rounded.toFixed(Math.max(0, digits - 1 - magnitude)));
}

/** A chosen number, as exact as it was written: 20, 0.5, 1 000. */
export function formatChosen(value: number): string {
  return Number.isFinite(value) ? decorate(String(Number(value.toPrecision(12)))) : NO_VALUE;
}

/** A count of whole things, exact: 160, 1 048 576. */
export const formatCount = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value) ? NO_VALUE : decorate(Math.round(value).toFixed(0));

const superscript = (digits: string): string => digits.replace(/\d/g, (d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(d)));

interface Step {
  readonly factor: number;
  readonly unit: string;
  /** Nothing is written in this one. */
  readonly zero?: true;
}

/** Steps from small to large; a number moves up when its three digits would reach 1000. */
function inSteps(value: number | null | undefined, steps: readonly Step[], write = formatMeasured): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NO_VALUE;
  const size = Math.abs(value);
  let chosen = steps[0];
  if (chosen === undefined) return NO_VALUE;
  if (size === 0) chosen = steps.find((s) => s.zero ?? s.factor === 1) ?? chosen;
  else for (const step of steps) if (size >= step.factor * 0.9995) chosen = step;
  return `${write(value / chosen.factor)}${UNIT_SPACE}${chosen.unit}`;
}

const RATE_STEPS: readonly Step[] = [
  { factor: 1e-6, unit: 'bps' },
  { factor: 1e-3, unit: 'kbps' },
  { factor: 1, unit: 'Mbps' },
  { factor: 1e3, unit: 'Gbps' },
];
/** Of Mbps, too: a byte is eight bits. */
const BYTE_RATE_STEPS: readonly Step[] = [
  { factor: 8e-6, unit: 'B/s' },
  { factor: 8e-3, unit: 'kB/s' },
  { factor: 8, unit: 'MB/s', zero: true },
  { factor: 8e3, unit: 'GB/s' },
];
const BYTE_STEPS: readonly Step[] = [
  { factor: 1, unit: 'B' },
  { factor: 1e3, unit: 'kB' },
  { factor: 1e6, unit: 'MB' },
  { factor: 1e9, unit: 'GB' },
  { factor: 1e12, unit: 'TB' },
];
const DELAY_STEPS: readonly Step[] = [
  { factor: 1e-3, unit: 'µs' },
  { factor: 1, unit: 'ms' },
  { factor: 1e3, unit: 's' },
];

export const formatRate = (mbps: number | null | undefined): string =>
  inSteps(mbps, writing.rates === 'bytes' ? BYTE_RATE_STEPS : RATE_STEPS);
/** What columns of rates are in, and how many Mbps one of it is. */
export const rateUnit = (): { readonly factor: number; readonly unit: string } =>
  writing.rates === 'bytes' ? { factor: 8, unit: 'MB/s' } : { factor: 1, unit: 'Mbps' };
/** From a rate to another, with the unit once where they share it. */
export function formatRates(low: number | null | undefined, high: number | null | undefined): string {
  const [from = '', fromUnit] = formatRate(low).split(UNIT_SPACE);
  const to = formatRate(high);
  return `${fromUnit === to.split(UNIT_SPACE)[1] ? from : formatRate(low)} … ${to}`;
}
export const formatBytes = (bytes: number | null | undefined): string => inSteps(bytes, BYTE_STEPS);
/** Delays of packets and queues: µs, ms, s. */
export const formatDelay = (ms: number | null | undefined): string => inSteps(ms, DELAY_STEPS);

export const formatPercent = (share: number | null | undefined): string =>
  share === null || share === undefined || !Number.isFinite(share)
    ? NO_VALUE
    : `${formatMeasured(share * 100)}${UNIT_SPACE}%`;

/** A multiple: ×3.40. */
export const formatTimes = (ratio: number | null | undefined): string =>
  ratio === null || ratio === undefined || !Number.isFinite(ratio) ? NO_VALUE : `×${formatMeasured(ratio)}`;

/** Below this share of the mean a spread is rounding, not measurement. */
const ROUNDING = 1e-9;

/** What lies around a mean: its interval, `31.0 … 37.4`; where two runs are too few for one, the two. Empty when there is nothing. */
export function formatSpread(
  estimate: {
    readonly mean: number;
    readonly low: number | null;
    readonly high: number | null;
    readonly values?: readonly number[];
  },
  write: (value: number) => string = formatMeasured,
): string {
  const { mean, low, high, values = [] } = estimate;
  if (low !== null && high !== null)
    return high - low <= Math.abs(mean) * ROUNDING ? '' : `${write(low)}\u202f…\u202f${write(high)}`;
  return values.length > 1 ? values.map((value) => write(value)).join(', ') : '';
}

/** `60 s`, `2 min 5 s`, `3 h 20 min`: two parts at most. */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return NO_VALUE;
  if (seconds < 10) return `${formatChosen(Number(seconds.toPrecision(2)))}${UNIT_SPACE}s`;
  const whole = Math.round(seconds);
  if (whole < 120) return `${formatCount(whole)}${UNIT_SPACE}s`;
  const parts = [
    { size: 86_400, unit: 'd' },
    { size: 3600, unit: 'h' },
    { size: 60, unit: 'min' },
    { size: 1, unit: 's' },
  ];
  const first = parts.findIndex((p) => whole >= p.size);
  const [big, small] = [parts[first], parts[first + 1]];
  if (big === undefined) return NO_VALUE;
  const rounded = small === undefined ? whole : Math.round(whole / small.size) * small.size;
  const head = `${formatCount(Math.floor(rounded / big.size))}${UNIT_SPACE}${big.unit}`;
  const rest = rounded % big.size;
  return small === undefined || rest === 0
    ? head
    : `${head} ${formatCount(rest / small.size)}${UNIT_SPACE}${small.unit}`;
}

/** An estimate from `low` to `high` seconds, in words. */
export function formatEstimate(low: number, high: number): string {
  const [a, b] = [formatDuration(low), formatDuration(high)];
  if (high < 1) return 'under a second';
  if (a === b || high <= low * 1.3) return `about ${b}`;
  const [, lowUnit] = a.split(UNIT_SPACE);
  const [, highUnit] = b.split(UNIT_SPACE);
  return lowUnit === highUnit && !a.includes(' ') ? `${a.split(UNIT_SPACE)[0] ?? ''}–${b}` : `${a} to ${b}`;
}

export type Quantity = 'share' | 'delay_ms' | 'number';

/** From which greatest value on a column is written in a unit. Milliseconds are what delays are compared in: they stay up to ten seconds. */
const COLUMN_STEPS: Readonly<Record<Quantity, readonly (Step & { readonly from: number })[]>> = {
  share: [
    { factor: 1e-6, unit: 'ppm', from: Number.MIN_VALUE },
    { factor: 1e-2, unit: '%', from: 1e-3 },
  ],
  delay_ms: [
    { factor: 1e-3, unit: 'µs', from: Number.MIN_VALUE },
    { factor: 1, unit: 'ms', from: 0.1 },
    { factor: 1e3, unit: 's', from: 1e4 },
  ],
  number: [{ factor: 1, unit: '', from: Number.MIN_VALUE }],
};
const USUAL: Readonly<Record<Quantity, Step>> = {
  share: { factor: 1e-2, unit: '%' },
  delay_ms: { factor: 1, unit: 'ms' },
  number: { factor: 1, unit: '' },
};

export interface ColumnFormat {
  /** For the column's head. */
  readonly unit: string;
  readonly write: (value: number) => string;
}

/**
 * A column of measured numbers in one unit, which its greatest chooses. Three significant digits, but no more than one decimal beyond the
 * greatest's: what is smaller than that is said to be (`<0.001`), so that no number is longer than it is worth.
 */
export function columnFormat(values: readonly number[], quantity: Quantity): ColumnFormat {
  const greatest = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
  const { factor, unit } = COLUMN_STEPS[quantity].findLast(({ from }) => greatest >= from) ?? USUAL[quantity];
  const size = greatest / factor;
  const decimals = size === 0 ? 2 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))) + 1);
  const least = 10 ** -decimals;
  const write = (value: number): string => {
    const scaled = value / factor;
    if (scaled === 0 || !Number.isFinite(scaled)) return formatMeasured(scaled);
    if (Math.abs(scaled) < least / 2) return `${scaled < 0 ? '>' + MINUS : '<'}${decorate(least.toFixed(decimals))}`;
    const own = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(Number(scaled.toPrecision(3))))));
    return own > decimals ? decorate(scaled.toFixed(decimals)) : formatMeasured(scaled);
  };
  return { unit, write };
}

/** Pads a column of numbers so that right-aligned tabular figures line up on the decimal point. */
export function alignDecimals(cells: readonly string[]): string[] {
  const isNumber = (cell: string): boolean => /\d/.test(cell);
  const mark = decimalMark();
  const fraction = (cell: string): number => (cell.includes(mark) ? cell.length - cell.indexOf(mark) - 1 : -1);
  const widest = Math.max(-1, ...cells.filter(isNumber).map(fraction));
  if (widest < 0) return [...cells];
  return cells.map((cell) => {
    if (!isNumber(cell)) return cell;
    const own = fraction(cell);
    return own < 0 ? cell + PUNCTUATION_SPACE + FIGURE_SPACE.repeat(widest) : cell + FIGURE_SPACE.repeat(widest - own);
  });
}

/** `just now`, `5 min ago`, `3 h ago`, then the date. */
export function formatWhen(iso: string, now: number): string {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return NO_VALUE;
  const seconds = Math.max(0, (now - then) / 1000);
  if (seconds < 45) return 'just now';
  if (seconds < 3570) return `${formatCount(Math.max(1, Math.round(seconds / 60)))}${UNIT_SPACE}min ago`;
  if (seconds < 86_400) return `${formatCount(Math.round(seconds / 3600))}${UNIT_SPACE}h ago`;
  return new Date(then).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** `1 run`, `160 runs`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
