// The picture that other sites show beside a link (Open Graph): what it is, its name, and a small honest figure from stored data.
import { markerPath, type Marker } from '#analysis/markers';
import { TOKENS, type Token } from '#analysis/palette';
import { n } from '#analysis/report-page';

export const CARD = { width: 1200, height: 630 } as const;

/** A line or an area over time; null where nothing was sampled. */
export interface CardSeries {
  readonly values: readonly (number | null)[];
  readonly colour: string;
  readonly filled: boolean;
}
export interface CardPoint {
  readonly x: number;
  readonly y: number;
  readonly colour: string;
  readonly marker: Marker;
  readonly hollow: boolean;
  /** Of the algorithm: points of one name have one look. */
  readonly label: string;
}
export type CardPicture =
  | { readonly kind: 'course'; readonly series: readonly CardSeries[] }
  | { readonly kind: 'points'; readonly points: readonly CardPoint[] };

export interface OgCard {
  /** What it is: an experiment, a run … */
  readonly what: string;
  readonly title: string;
  readonly line: string;
  readonly picture: CardPicture | null;
  /** What the picture shows, with its units. */
  readonly axes: string;
}

/** Measures and draws texts: a picture that goes elsewhere finds no fonts there. */
export interface Typesetter {
  readonly width: (text: string, size: number) => number;
  /** SVG whose base line begins at (0, 0), drawn in thousandths of the size. */
  readonly draw: (text: string, size: number) => string;
}

const light = (token: Token): string => TOKENS[token][0];

const MARGIN = 64;
const WIDE = CARD.width - 2 * MARGIN;
const PANEL = { x: MARGIN, y: 322, width: WIDE, height: 222 } as const;
const PAD = 22;
const TITLE = { size: 54, lines: 2, leading: 64 } as const;

/** As much of a text as fits, with a mark where it was cut. */
export function fitted(text: string, most: number, width: (text: string) => number): string {
  if (width(text) <= most) return text;
  const characters = Array.from(text);
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (width(`${characters.slice(0, middle).join('').trimEnd()}…`) <= most) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join('').trimEnd()}…`;
}

/** At most so many lines, broken between words; a word that is too long for a line is cut. */
export function inLines(text: string, most: number, lines: number, width: (text: string) => number): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const made: string[] = [];
  while (words.length > 0 && made.length < lines - 1) {
    let line = words.shift() ?? '';
    while (words.length > 0 && width(`${line} ${words[0] ?? ''}`) <= most) line += ` ${words.shift() ?? ''}`;
    made.push(fitted(line, most, width));
  }
  if (words.length > 0) made.push(fitted(words.join(' '), most, width));
  return made;
}

/** Cut into parts where values are missing: a gap in the data is a gap in the line. */
function pathsOf({ values, filled }: CardSeries, place: (i: number, value: number) => string, floor: number): string {
  let path = '';
  let open: number[] = [];
  const end = (): void => {
    const points = open.map((i) => place(i, values[i] ?? 0));
    const [first, last] = [open[0], open.at(-1)];
    open = [];
    if (first === undefined || last === undefined) return;
    const line = points.join('L');
    const foot = (i: number): string => `${place(i, 0).split(',')[0] ?? ''},${n(floor)}`;
    path += filled ? `M${foot(first)}L${line}L${foot(last)}Z` : `M${line}`;
  };
  for (let i = 0; i <= values.length; i++) {
    if (typeof values[i] === 'number') open.push(i);
    else end();
  }
  return path;
}

function course(series: readonly CardSeries[]): string {
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const top = Math.max(...all, 1e-9);
  const { x, y, width, height } = PANEL;
  const floor = y + height - PAD;
  return series
    .map((one) => {
      const step = (width - 2 * PAD) / Math.max(1, one.values.length - 1);
      const place = (i: number, value: number): string =>
        `${n(x + PAD + i * step)},${n(floor - (Math.max(0, value) / top) * (height - 2 * PAD))}`;
      const look = one.filled
        ? `fill="${one.colour}"`
        : `fill="none" stroke="${one.colour}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"`;
      return `<path d="${pathsOf(one, place, floor)}" ${look}/>`;
    })
    .join('');
}

type Look = Pick<CardPoint, 'colour' | 'marker' | 'hollow'>;
const mark = ({ colour, marker, hollow }: Look, x: number, y: number, size: number): string =>
  `<path d="${markerPath(marker, size)}" transform="translate(${n(x)} ${n(y)})" fill="${hollow ? light('surface') : colour}" stroke="${colour}" stroke-width="3"/>`;

/** Utilisation upwards from nothing to all, delay to the right from nothing to the longest. */
function scatter(points: readonly CardPoint[]): string {
  const { x, y, width, height } = PANEL;
  const inset = PAD + 10;
  const right = Math.max(...points.map((point) => point.x), 1e-9);
  const place = (share: number): number => y + height - inset - Math.min(1, Math.max(0, share)) * (height - 2 * inset);
  const lines = [0, 0.5, 1].map(
    (share) =>
      `<path d="M${x + PAD},${n(place(share))}H${x + width - PAD}" stroke="${light('grid')}" stroke-width="2"/>`,
  );
  const marks = points.map((point) => {
    const left = x + inset + 8 + (point.x / right) * (width - 2 * inset - 16);
    return mark(point, left, place(point.y), 10);
  });
  return [...lines, ...marks].join('');
}

const LEGEND = { size: 24, y: 586, gap: 26 } as const;

/** Which mark is whose, from the right, as far as there is room. */
function legend(points: readonly CardPoint[], room: number, type: Typesetter): string {
  const looks = [...new Map(points.map((point) => [point.label, point])).values()];
  const widths = looks.map(({ label }) => 30 + type.width(label, LEGEND.size) + LEGEND.gap);
  let shown = looks.length;
  while (shown > 0 && widths.slice(0, shown).reduce((sum, width) => sum + width, 0) > room) shown--;
  let at = CARD.width - MARGIN + LEGEND.gap - widths.slice(0, shown).reduce((sum, width) => sum + width, 0);
  return looks
    .slice(0, shown)
    .map((look, i) => {
      const drawn = `${mark(look, at + 10, LEGEND.y - 9, 8)}<g transform="translate(${n(at + 28)} ${LEGEND.y})" fill="${light('ink-2')}">${type.draw(look.label, LEGEND.size)}</g>`;
      at += widths[i] ?? 0;
      return drawn;
    })
    .join('');
}

/** Outlines are of the regular weight: a line around them makes them bolder. It is drawn at their own scale, in thousandths of the size. */
const bolder = (colour: string, width: number): string =>
  width === 0 ? '' : ` stroke="${colour}" stroke-width="${n(width)}" stroke-linejoin="round"`;

/** What the picture shows, below it. */
function figure(picture: CardPicture, axes: string, type: Typesetter): string {
  const { x, y, width, height } = PANEL;
  const caption = fitted(axes, WIDE, (value) => type.width(value, LEGEND.size));
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="12" fill="${light('surface')}" stroke="${light('hairline')}" stroke-width="2"/>`,
    picture.kind === 'course' ? course(picture.series) : scatter(picture.points),
    `<g transform="translate(${MARGIN} ${LEGEND.y})" fill="${light('ink-3')}">${type.draw(caption, LEGEND.size)}</g>`,
    picture.kind === 'course' ? '' : legend(picture.points, WIDE - type.width(caption, LEGEND.size) - LEGEND.gap, type),
  ].join('');
}

export function ogCard({ what, title, line, picture, axes }: OgCard, type: Typesetter): string {
  const text = (value: string, x: number, y: number, size: number, colour: string, weight = 0): string =>
    `<g transform="translate(${n(x)} ${n(y)})" fill="${colour}"${bolder(colour, (weight * 1000) / size)}>${type.draw(value, size)}</g>`;
  const titles = inLines(title, WIDE, TITLE.lines, (value) => type.width(value, TITLE.size));
  // Words alone stand in the middle.
  const top = picture === null ? 270 : 152;
  const below = top + TITLE.leading * (titles.length - 1) + 56;
  const lines = inLines(line, WIDE, picture === null ? 4 : 3 - titles.length, (value) => type.width(value, 30));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}" viewBox="0 0 ${CARD.width} ${CARD.height}">`,
    `<rect width="${CARD.width}" height="${CARD.height}" fill="${light('ground')}"/>`,
    `<rect x="${MARGIN}" y="38" width="34" height="34" rx="9" fill="${light('accent')}"/>`,
    `<path d="M${MARGIN + 6},62c4,0 5,-9 9,-9s3.5,6 7,6 3,-9.5 6.5,-10.5" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>`,
    text('Paceline', MARGIN + 48, 65, 28, light('ink'), 0.9),
    text(what, CARD.width - MARGIN - type.width(what, 28), 65, 28, light('ink-2')),
    ...titles.map((value, i) => text(value, MARGIN, top + TITLE.leading * i, TITLE.size, light('ink'), 1.8)),
    ...lines.map((value, i) => text(value, MARGIN, below + 42 * i, 30, light('ink-2'))),
    picture === null ? '' : figure(picture, axes, type),
    '</svg>',
  ].join('');
}
