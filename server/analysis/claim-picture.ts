// Where the marks of a claim lie: the paper's number with what is accepted around it, and ours with its interval, a row a key. The page draws them,
// and so does a report.
import { scaleLinear, scaleLog } from 'd3-scale';
import type { ClaimOutcome, ClaimPoint } from '#protocol/study';

export interface ClaimRow {
  readonly key: string;
  readonly y: number;
  /** Where the numbers stand: beside the key, or below it where there is no room. */
  readonly numbersY: number;
  /** As numbers, in words. */
  readonly paper: string;
  readonly ours: string;
  readonly inside: boolean | null;
  readonly accepted: Ends | null;
  readonly printed: Ends | null;
  readonly measured: { readonly x: number; readonly low: number | null; readonly high: number | null } | null;
}

interface Ends {
  readonly from: number;
  readonly to: number;
}

export interface ClaimPicture {
  readonly width: number;
  readonly height: number;
  /** Where keys end and marks begin; where marks end and numbers begin. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Right ends of the columns of numbers; null: there is no room for it. */
  readonly columns: { readonly paper: number | null; readonly ours: number };
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
  readonly rows: readonly ClaimRow[];
}

const ROW = 22;
const TOP = 20;
const BOTTOM = 22;
/** Per character, of the usual size of text. */
const CHARACTER = 6.6;
const MARGIN = 12;
const NUMBERS = 162;
/** Narrower pictures have our numbers alone, as the paper's are among the marks, and names below their key. */
const WIDE = 480;
const OURS_ALONE = 64;
const NAMES_ROW = 42;
/** A span of values that is read on a logarithmic axis. */
const DECADES = 30;

const known = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value));

const endsOf = ({ paper, accepted, ours }: ClaimPoint): number[] =>
  known([paper.from, paper.to, accepted?.from, accepted?.to, ours?.value, ours?.low, ours?.high]);

const spread = ({ paper, ours }: ClaimPoint): number[] => known([paper.from, paper.to, ours?.value]);

/** null: the claim has no rows. `nameOf`: how an algorithm is called, by its id; anything else is left as it is. */
export function claimPicture(
  { outcome }: Pick<ClaimOutcome, 'outcome'>,
  width: number,
  nameOf: (id: string) => string = (id) => id,
): ClaimPicture | null {
  if (outcome.points.length === 0) return null;
  const points = outcome.points.map((point) => ({ ...point, key: nameOf(point.key) }));
  const wide = width >= WIDE;
  const longest = Math.max(...points.map(({ key }) => key.length));
  const left = Math.round(Math.min(longest * CHARACTER + MARGIN, width * 0.38));
  const bottom = TOP + points.length * ROW;
  const values = points.flatMap(spread);
  const frame = { width, height: bottom + BOTTOM, left, top: TOP, bottom };
  // Names are the same or not, numbers beside places in an order are neither. Of names, or where nothing is known yet, there is no axis.
  const unprinted = points.every(({ paper }) => paper.from === null && paper.to === null);
  if (values.length === 0 || (unprinted && points.some(({ inside }) => inside !== null))) {
    const half = Math.floor((wide ? width - left : width) / 2);
    const start = wide ? left : 0;
    const height = wide ? ROW : NAMES_ROW;
    return {
      ...frame,
      height: TOP + points.length * height,
      bottom: TOP + points.length * height,
      right: left,
      columns: { paper: start + half - (wide ? 0 : MARGIN), ours: width - 4 },
      ticks: [],
      rows: points.map((point, i) => {
        const y = TOP + i * height + ROW / 2;
        return {
          ...nothing(point, y, wide ? left : width),
          numbersY: wide ? y : y + 18,
          paper: listed(point.paper.text, half, nameOf),
          ours: listed(point.ours?.text ?? NONE, half, nameOf),
        };
      }),
    };
  }
  const right = width - (wide ? NUMBERS : OURS_ALONE);
  const least = Math.min(...values);
  const log = least > 0 && Math.max(...values) / least > DECADES;
  const shown = points.flatMap(endsOf).filter((value) => !log || value > 0);
  const [from, to] = [Math.min(...shown), Math.max(...shown)];
  const room = from === to ? Math.abs(from) * 0.1 || 1 : 0;
  const scale = (log ? scaleLog() : scaleLinear())
    .domain([from - room, to + room])
    .range([left + 6, right - 6])
    .nice();
  const [start = 0, end = 0] = scale.range();
  const at = (value: number): number => Math.min(Math.max(log && value <= 0 ? start : scale(value), start), end);
  const ends = (span: { readonly from: number | null; readonly to: number | null } | null): Ends | null =>
    span === null || (span.from === null && span.to === null)
      ? null
      : { from: span.from === null ? start : at(span.from), to: span.to === null ? end : at(span.to) };
  const count = Math.max(2, Math.floor((right - left) / 90));
  const format = scale.tickFormat(count, log ? '~g' : undefined);
  return {
    ...frame,
    right,
    columns: { paper: wide ? width - 86 : null, ours: width - 4 },
    ticks: scale
      .ticks(count)
      .map((value) => ({ x: scale(value), text: format(value) }))
      .filter(({ text }) => text !== ''),
    rows: points.map((point, i): ClaimRow => {
      const { paper, ours, accepted } = point;
      const value = ours?.value ?? null;
      const bound = (end: number | null | undefined): number | null => (typeof end === 'number' ? at(end) : null);
      return {
        ...nothing(point, TOP + i * ROW + ROW / 2, left),
        accepted: ends(accepted),
        printed: ends(paper),
        measured: value === null ? null : { x: at(value), low: bound(ours?.low), high: bound(ours?.high) },
      };
    }),
  };
}

const NONE = '–';

/** A row without marks. */
const nothing = ({ key, paper, ours, inside }: ClaimPoint, y: number, left: number): ClaimRow => ({
  key: shortened(key, left),
  y,
  numbersY: y,
  paper: paper.text,
  ours: ours?.text ?? NONE,
  inside,
  accepted: null,
  printed: null,
  measured: null,
});

const charactersIn = (room: number): number => Math.max(4, Math.round((room - MARGIN) / CHARACTER));

function shortened(text: string, room: number): string {
  const most = charactersIn(room);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** As many of the names as there is room for, and how many more there are: half a name is nobody's. */
function listed(ids: string, room: number, nameOf: (id: string) => string): string {
  // Commas within brackets are between parameters of one.
  const names = ids.split(/, (?![^(]*\))/).map(nameOf);
  for (let shown = names.length; shown > 1; shown--) {
    const more = names.length - shown;
    const text = `${names.slice(0, shown).join(', ')}${more === 0 ? '' : ` +${more}`}`;
    if (text.length <= charactersIn(room)) return text;
  }
  const [first = ''] = names;
  return names.length <= 1 ? shortened(first, room) : `${shortened(first, room - 3 * CHARACTER)} +${names.length - 1}`;
}
