import { interpolateLab } from 'd3-interpolate';
import { METRICS, type MetricId } from '#analysis/metrics';
import type { Palette } from '#analysis/palette';

/** Colours go from the surface to this share of the full hue, so that text stays legible in the middle too. */
const DEEPEST = 0.85;
const PALEST = 0.1;

/** Of a place from 0 to 1 on the scale of a metric: one hue where more is better, another where it is worse. */
export const cellColour = (metric: MetricId, place: number, palette: Palette): string =>
  interpolateLab(
    palette.surface,
    METRICS[metric].better === 'more' ? palette.divergeLow : palette.divergeHigh,
  )(PALEST + (DEEPEST - PALEST) * place);
