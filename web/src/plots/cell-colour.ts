import { interpolateLab } from 'd3';
import { METRICS, type MetricId } from '#analysis/metrics';
import type { Theme } from '../theme/theme';

/** Colours go from the surface to this share of the full hue, so that text stays legible in the middle too. */
const DEEPEST = 0.85;
const PALEST = 0.1;

/** Of a place from 0 to 1 on the scale of a metric: one hue where more is better, another where it is worse. */
export const cellColour = (metric: MetricId, place: number, theme: Theme): string =>
  interpolateLab(
    theme.surface,
    METRICS[metric].better === 'more' ? theme.divergeLow : theme.divergeHigh,
  )(PALEST + (DEEPEST - PALEST) * place);
