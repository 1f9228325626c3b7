// The look of a page as text: its screenshot in cells, each with its brightness and its colour in a few steps. A person sees the
// page's shape in it, a diff shows where it moved, and what is a pixel's matter is not in it.
import type { Pixels } from './png.ts';

/** Pixels. */
export const CELL = 20;

/** From black to white. */
const LEVELS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Round the circle of hues; a capital is a colour that nobody overlooks. */
const HUES = 'rygcbm';
/** The least difference between a mean's channels that is a colour, and that is a strong one. */
const FAINT = 10;
const STRONG = 44;

export interface Look {
  readonly width: number;
  readonly height: number;
  /** A line for each row of cells, a character for each cell. */
  readonly brightness: readonly string[];
  readonly colour: readonly string[];
}

function hueOf(r: number, g: number, b: number): string {
  const most = Math.max(r, g, b);
  const spread = most - Math.min(r, g, b);
  if (spread < FAINT) return ' ';
  const turn = most === r ? (g - b) / spread : most === g ? 2 + (b - r) / spread : 4 + (r - g) / spread;
  const letter = HUES[(Math.round(turn) + HUES.length) % HUES.length] ?? ' ';
  return spread < STRONG ? letter : letter.toUpperCase();
}

/** The mean colour of a cell. */
function meanOf({ width, height, channels, data }: Pixels, column: number, row: number): [number, number, number] {
  const [left, top] = [column * CELL, row * CELL];
  const [right, bottom] = [Math.min(left + CELL, width), Math.min(top + CELL, height)];
  let [r, g, b] = [0, 0, 0];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * channels;
      r += data[at] ?? 0;
      g += data[at + 1] ?? 0;
      b += data[at + 2] ?? 0;
    }
  const count = (right - left) * (bottom - top);
  return [r / count, g / count, b / count];
}

export function lookOf(pixels: Pixels): Look {
  const { width, height } = pixels;
  const columns = Math.ceil(width / CELL);
  const means = Array.from({ length: Math.ceil(height / CELL) }, (_, row) =>
    Array.from({ length: columns }, (_, column) => meanOf(pixels, column, row)),
  );
  const level = ([r, g, b]: [number, number, number]): string =>
    LEVELS[Math.round(((0.299 * r + 0.587 * g + 0.114 * b) / 255) * (LEVELS.length - 1))] ?? ' ';
  return {
    ...{ width, height },
    brightness: means.map((line) => line.map(level).join('')),
    colour: means.map((line) => line.map((mean) => hueOf(...mean)).join('')),
  };
}

/** The level of most cells: it is written as nothing. */
function groundOf({ brightness }: Look): string {
  const counts = new Map<string, number>();
  for (const level of brightness.join('')) counts.set(level, (counts.get(level) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['0', 0])[0];
}

const HEAD = /^= (\S+) (\d+) × (\d+), ground (\S)$/;
const COLOUR = '- colour';

/** Some looks of one page, by name. */
export function writeLooks(looks: ReadonlyMap<string, Look>): string {
  const parts = [...looks].map(([name, look]) => {
    const ground = groundOf(look);
    const lines = [
      `= ${name} ${look.width} × ${look.height}, ground ${ground}`,
      ...look.brightness.map((line) => line.replaceAll(ground, ' ')),
      COLOUR,
      ...look.colour,
    ];
    return lines.map((line) => line.trimEnd()).join('\n');
  });
  return `${parts.join('\n')}\n`;
}

export function readLooks(text: string): Map<string, Look> {
  const looks = new Map<string, Look>();
  const lines = text.split('\n');
  for (let at = 0; at < lines.length - 1;) {
    const [, name = '', width = '', height = '', ground = ' '] = HEAD.exec(lines[at] ?? '') ?? [];
    if (name === '') throw new Error(`line ${at + 1} is no head of a look: ${lines[at] ?? ''}`);
    const [columns, rows] = [Math.ceil(Number(width) / CELL), Math.ceil(Number(height) / CELL)];
    const grid = (from: number): string[] => lines.slice(from, from + rows).map((line) => line.padEnd(columns, ' '));
    if (lines[at + 1 + rows] !== COLOUR) throw new Error(`the look of ${name} has not ${rows} rows`);
    looks.set(name, {
      ...{ width: Number(width), height: Number(height) },
      brightness: grid(at + 1).map((line) => line.replaceAll(' ', ground)),
      colour: grid(at + 2 + rows),
    });
    at += 2 + 2 * rows;
  }
  return looks;
}

/** Steps of brightness that smoothing of edges may make. */
const STEPS = 1;

/** A colour may become a faint one or none, a hue its neighbour. */
function sameColour(a: string, b: string): boolean {
  if (a === b) return true;
  const [hueA, hueB] = [HUES.indexOf(a.toLowerCase()), HUES.indexOf(b.toLowerCase())];
  if (hueA < 0 || hueB < 0) return [a, b].every((one) => one === one.toLowerCase());
  const faint = [a, b].every((one) => one === one.toLowerCase());
  const apart = Math.abs(hueA - hueB);
  return faint || Math.min(apart, HUES.length - apart) <= 1;
}

/** Where two looks differ: a `#` for each cell that does. */
export function differenceOf(before: Look, after: Look): string[] {
  const rows = Math.max(before.brightness.length, after.brightness.length);
  const columns = Math.max(...[before, after].map(({ width }) => Math.ceil(width / CELL)));
  const level = (look: Look, row: number, column: number): number =>
    LEVELS.indexOf(look.brightness[row]?.[column] ?? '?');
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      const [a, b] = [level(before, row, column), level(after, row, column)];
      const there = a >= 0 && b >= 0;
      const alike = sameColour(before.colour[row]?.[column] ?? '', after.colour[row]?.[column] ?? '');
      return there && Math.abs(a - b) <= STEPS && alike ? '·' : '#';
    }).join(''),
  );
}

/** Of all cells; what smoothing does to a letter at the edge of a cell is less. */
const MOST_DIFFERENT = 0.002;

export interface Verdict {
  readonly same: boolean;
  readonly text: string;
}

export function compareLooks(before: Look, after: Look): Verdict {
  const where = differenceOf(before, after);
  const cells = where.join('');
  const count = cells.replaceAll('·', '').length;
  const rows = where.flatMap((line, row) => (line.includes('#') ? [row] : []));
  const higher = after.height - before.height;
  const size = higher === 0 ? '' : `, and it is ${Math.abs(higher)} px ${higher > 0 ? 'higher' : 'lower'}`;
  const at = `from ${(rows[0] ?? 0) * CELL} to ${((rows.at(-1) ?? 0) + 1) * CELL} px from the top`;
  return {
    same: count <= Math.max(2, MOST_DIFFERENT * cells.length),
    text: `${count} of ${cells.length} cells differ, ${at}${size}`,
  };
}

/** The old one, the new one and where they differ, beside one another where they do. */
export function showDifference(before: Look, after: Look): string {
  const where = differenceOf(before, after);
  const width = Math.ceil(before.width / CELL);
  const line = (row: number): string =>
    [before.brightness[row], after.brightness[row], where[row], before.colour[row], after.colour[row]]
      .map((text) => (text ?? '').padEnd(width))
      .join(' | ');
  const title = ['old', 'new', 'where', 'old colour', 'new colour'].map((text) => text.padEnd(width)).join(' | ');
  const rows = where.flatMap((text, row) =>
    text.includes('#') ? [`${String(row * CELL).padStart(5)}  ${line(row)}`] : [],
  );
  return [`   px  ${title}`, ...rows, ''].join('\n');
}
