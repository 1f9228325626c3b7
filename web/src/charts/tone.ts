// Further lines of one flow: its own colour in another tone, so that it stays the flow's and is still told from the first line.
import { hcl } from 'd3';
import { contrast } from '#analysis/contrast';
import type { Theme } from '../theme/theme';

/** How far tones turn away from the colour, degrees of hue, and how much lighter or darker they are. */
const TONES = [
  { turn: 14, step: 30 },
  { turn: -18, step: 22 },
] as const;
/** A grey has no hue to turn: its tones are farther apart. */
const GREY = [26, 46] as const;
const GREY_CHROMA = 6;
/** WCAG 2.2, 1.4.11. */
const LEGIBLE = 3;

export type Tone = 1 | 2;

/** Towards the surface where that can still be seen, so that the first line stays the strongest; otherwise away from it. */
export function toneOf(colour: string, tone: Tone, theme: Pick<Theme, 'surface'>): string {
  const { h, c, l } = hcl(colour);
  const { turn, step } = TONES[tone - 1] ?? TONES[0];
  const grey = !(c > GREY_CHROMA);
  const towards = hcl(theme.surface).l > l ? 1 : -1;
  const by = (distance: number): string => hcl(grey ? 0 : h + turn, grey ? 0 : c, l + distance).formatHex();
  const distance = grey ? (GREY[tone - 1] ?? step) : step;
  for (let part = distance; part >= 0.8 * distance; part -= 2) {
    const found = by(towards * part);
    if (contrast(found, theme.surface) >= LEGIBLE) return found;
  }
  return by(-towards * distance);
}
