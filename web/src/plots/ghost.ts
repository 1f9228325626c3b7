// The tone of what is only looked back at: the flow's own colour, as faint as can still be seen.
import { interpolateLab } from 'd3-interpolate';
import { contrast } from '#analysis/contrast';
import type { Theme } from '../theme/theme';

/** WCAG 2.2, 1.4.11. */
const LEGIBLE = 3;
const STEPS = 20;

export function ghostOf(colour: string, { surface }: Pick<Theme, 'surface'>): string {
  const towards = interpolateLab(colour, surface);
  for (let step = STEPS; step > 0; step--) {
    const found = towards(step / STEPS);
    if (contrast(found, surface) >= LEGIBLE) return found;
  }
  return colour;
}
