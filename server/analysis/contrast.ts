// Which of two colours is easier to read on a third one (WCAG 2.2 contrast).
import { rgb } from 'd3-color';

function luminance(colour: string): number {
  const { r, g, b } = rgb(colour);
  const linear = (value: number): number => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

export const readableOn = (background: string, ...candidates: readonly [string, string]): string =>
  contrast(background, candidates[0]) >= contrast(background, candidates[1]) ? candidates[0] : candidates[1];
