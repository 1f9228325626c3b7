// What the grid of cells looks like: a rectangle for each with its value, or with its state while there is none. Pure; on the screen it is
// painted on a canvas, because hundreds of cells would be many hundreds of elements, and an export writes it as SVG.
import type { CellState } from '#analysis/grid-cell';
import { readableOn } from '#analysis/contrast';
import type { Surface } from '../charts/surface';
import type { Theme } from '../theme/theme';

export interface DrawnCell {
  readonly x: number;
  readonly y: number;
  readonly state: CellState;
  /** Colour and text of the value; null: nothing measured. */
  readonly value: { readonly fill: string; readonly text: string } | null;
  /** Share of the repetitions that count. */
  readonly done: number;
  /** Another algorithm is looked at. */
  readonly faint: boolean;
}

export interface CellGrid {
  readonly cells: readonly DrawnCell[];
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** There is room for the values. */
  readonly written: boolean;
  readonly theme: Theme;
}

export const FAINT = 0.35;
const PROGRESS = 3;
/** For the word of a state. */
const STATE_WIDTH = 46;
/** Written where there is no value, with room for a word and without. */
const WORDS: Readonly<Record<CellState, string>> = { queued: '·', running: 'running', done: '·', failed: 'failed' };
const SIGNS: typeof WORDS = { ...WORDS, running: '…', failed: '×' };

/** A rectangle with round corners, as an SVG path from (0, 0). */
function rounded(width: number, height: number, corner: number): string {
  const r = Math.min(corner, width / 2, height / 2);
  const arc = (x: number, y: number): string => `a${r},${r} 0 0,1 ${x * r},${y * r}`;
  return `M${r},0h${width - 2 * r}${arc(1, 1)}v${height - 2 * r}${arc(-1, 1)}h${2 * r - width}${arc(-1, -1)}v${2 * r - height}${arc(1, -1)}Z`;
}

export function drawCells(
  on: Surface,
  { cells, cellWidth: width, cellHeight: height, written, theme }: CellGrid,
): void {
  const box = rounded(width, height, Math.min(3, width / 4));
  const words = width < STATE_WIDTH ? SIGNS : WORDS;
  const write = (text: string, { x, y }: DrawnCell, colour: string, size: number, opacity: number): void =>
    on.text(text, x + width / 2, y + height / 2, { colour, font: theme.sans, size, align: 'middle', opacity });
  for (const cell of cells) {
    const { x, y, state, value, done, faint } = cell;
    const opacity = faint ? FAINT : 1;
    if (value === null) {
      on.shape(box, x, y, {
        ...(state === 'running' && { fill: theme.sunken }),
        stroke: { colour: theme.hairline, width: 1 },
        opacity,
      });
      write(words[state], cell, state === 'failed' ? theme.danger : theme.ink3, 11, opacity);
      continue;
    }
    on.shape(box, x, y, { fill: value.fill, opacity });
    if (written) write(value.text, cell, readableOn(value.fill, theme.ink, theme.surface), 12, opacity);
    if (done < 1)
      on.shape(rounded(Math.max(width * done, 1), PROGRESS, PROGRESS / 2), x, y + height - PROGRESS, {
        fill: theme.ink3,
        opacity,
      });
  }
}
