// Colours as a style sheet or a browser writes them, as hexadecimal digits and opacity.
import { color } from 'd3-color';

const hex = (share: number): string =>
  Math.round(Math.min(Math.max(share, 0), 1) * 255)
    .toString(16)
    .padStart(2, '0');

/** Null: it is no colour of its own (`none`, a pattern, nothing). */
export function cssColour(text: string): { readonly hex: string; readonly alpha: number } | null {
  // What `color-mix()` comes to: https://drafts.csswg.org/css-color-4/#serializing-color-function-values
  const [, r, g, b, a = '1'] =
    /^color\(srgb ([\d.e+-]+) ([\d.e+-]+) ([\d.e+-]+)(?: \/ ([\d.e+-]+))?\)$/.exec(text) ?? [];
  if (r !== undefined) return { hex: `#${[r, g, b].map((part) => hex(Number(part))).join('')}`, alpha: Number(a) };
  const known = color(text);
  return known === null ? null : { hex: known.copy({ opacity: 1 }).formatHex(), alpha: known.opacity };
}
