import { drawPanel } from '../../web/src/charts/draw-panel';
import { layoutPanel } from '../../web/src/charts/layout';
import { tickFormat, timeTicks, yRange, yTicks } from '../../web/src/charts/scales';
import { SvgSurface, type TextStyle } from '../../web/src/charts/surface';
import type { PanelSpec } from '../../web/src/charts/types';
import { Visibility } from '../../web/src/charts/visibility';
import type { Theme } from '../../web/src/theme/theme';

export interface PanelPlace {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly duration_s: number;
  /** Whether the time axis has numbers. */
  readonly timeAxis: boolean;
  readonly theme: Theme;
}

/** Every pixel column of the paper is one of the screen. */
const COLUMN_WIDTH = 1;
/** A tenth of a pixel: nobody sees more, and the file is a quarter smaller. */
const DIGITS = 1;

/** A panel of the page as SVG text: what it draws itself, and its axes, which on the page are the browser's. */
export function panelSvg(spec: PanelSpec, { id, width, height, duration_s, timeAxis, theme }: PanelPlace): string {
  const visibility = new Visibility();
  const range = [0, duration_s] as const;
  const layout = layoutPanel(spec, width, height, timeAxis);
  const ribbons = spec.series.every((series) => series.kind === 'ribbon');
  const y = yRange(spec, range, visibility);
  const ticks = ribbons ? [] : yTicks(y, layout.plotHeight);
  const time = timeTicks(range, layout.plotWidth);
  const surface = new SvgSurface(id, DIGITS);
  drawPanel(surface, {
    spec,
    layout,
    range,
    yRange: y,
    yTicks: ticks,
    xTicks: time.values,
    visibility,
    theme,
    columnWidth: COLUMN_WIDTH,
    dirtyFrom: 0,
  });

  const small: TextStyle = { colour: theme.ink3, font: theme.sans, size: 10.5 };
  const bottom = layout.top + layout.plotHeight;
  const written = tickFormat(ticks, spec.y.unit);
  for (const tick of ticks) {
    const at = bottom - ((tick - y[0]) / (y[1] - y[0])) * layout.plotHeight;
    surface.text(written.format(tick), layout.left - 6, round(at), { ...small, align: 'end' });
  }
  if (!ribbons) {
    const heading = written.unit === '' ? spec.title : `${spec.title}, ${written.unit}`;
    surface.text(heading, layout.left, layout.top - 9, { ...small, size: 11, colour: theme.ink2 });
  }
  if (timeAxis)
    time.values.forEach((t, i) => {
      const last = i === time.values.length - 1;
      const x = layout.left + (t / duration_s) * layout.plotWidth;
      const text = last ? `${time.format(t)} s` : time.format(t);
      surface.text(text, round(x), layout.axisTop + 12, { ...small, align: x > width - 24 ? 'end' : 'middle' });
    });
  return surface.toString();
}

const round = (pixel: number): number => Math.round(pixel * 10) / 10;
