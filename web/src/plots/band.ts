// What runs between them leave open: from the least to the greatest of them at each moment, as one band behind the flows.
import { interpolateLab } from 'd3-interpolate';
import type { LegendItem } from '../charts/figure-props';
import type { BandSeries, SeriesData } from '../charts/types';
import type { Theme } from '../theme/theme';
import type { Band, RunPlotData, RunSamples } from './data';
import type { Flow } from './flows';

const GROUP = 'band';
const FILL_OPACITY = 0.16;
/** A small patch needs more than a wide one to be seen. */
const SWATCH = 0.4;

interface Edges {
  readonly lower: SeriesData;
  readonly upper: SeriesData;
}

const made = new WeakMap<Band, Map<string, Edges | null>>();

/** Of series that have a row for each interval, the same in all as far as they go. */
export function edgesOf(all: readonly SeriesData[]): Edges | null {
  const longest = all.reduce<SeriesData | null>((most, one) => (one.length > (most?.length ?? 0) ? one : most), null);
  if (longest === null) return null;
  const { length } = longest;
  const [low, high] = [new Float32Array(length).fill(NaN), new Float32Array(length).fill(NaN)];
  for (const { y, length: rows } of all)
    for (let i = 0; i < rows; i++) {
      const value = y[i] ?? NaN;
      if (Number.isNaN(value)) continue;
      // Nothing is less or greater than what is not known yet.
      if (!(value >= (low[i] ?? NaN))) low[i] = value;
      if (!(value <= (high[i] ?? NaN))) high[i] = value;
    }
  const x = longest.x.slice(0, length);
  return { lower: { x, y: low, length }, upper: { x, y: high, length } };
}

/** At most one series: the band of what `of` reads of each of its runs. `key` tells apart what is read. */
export function bandSeries(
  { band }: Pick<RunPlotData, 'band'>,
  flows: readonly Flow[],
  key: string,
  unit: string,
  of: (samples: RunSamples) => SeriesData | undefined,
): BandSeries[] {
  const look = flows[0]?.look;
  if (band === undefined || look === undefined) return [];
  const known = made.get(band) ?? new Map<string, Edges | null>();
  made.set(band, known);
  if (!known.has(key)) known.set(key, edgesOf(band.runs.flatMap((samples) => of(samples) ?? [])));
  const edges = known.get(key) ?? null;
  if (edges === null) return [];
  const style = { colour: look.colour, opacity: FILL_OPACITY };
  return [{ id: 'band', kind: 'band', label: band.label, unit, group: GROUP, style, ...edges }];
}

/** As the band looks: its flow's colour, thinned. */
export function bandLegend(
  { band }: Pick<RunPlotData, 'band'>,
  flows: readonly Flow[],
  { surface }: Pick<Theme, 'surface'>,
): LegendItem[] {
  const look = flows[0]?.look;
  if (band === undefined || look === undefined) return [];
  return [{ key: GROUP, label: band.label, colour: interpolateLab(surface, look.colour)(SWATCH), glyph: 'swatch' }];
}
