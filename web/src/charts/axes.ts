// Axes of a panel in SVG.
import { scaleLinear, scaleLog, select } from 'd3';
import type { PanelLayout } from './layout';
import type { Surface } from './surface';
import { placeLimitLabels, type LimitLabel } from './limit-labels';
import { textWidth } from './measure';
import { logTick, narrowLogFormat, tickFormat, timeTicks, yTicks } from './scales';
import { writeTicks, type Tick } from './ticks';
import type { Range } from './time-view';
import type { LimitSpec, YAxisSpec } from './types';

const LABEL_FONT = '400 11px "Inter Variable", sans-serif';
/** Width of a character of a unit, px, at most. */
const UNIT_CHARACTER = 7;

export interface AxisGroups {
  readonly x: SVGGElement;
  readonly y: SVGGElement;
  readonly right: SVGGElement;
  readonly unit: SVGTextElement;
  readonly rightUnit: SVGTextElement;
  readonly limits: SVGGElement;
}

/** Names limits; over the series, so in SVG. */
export function drawLimitLabels(
  group: SVGGElement,
  limits: readonly LimitSpec[],
  y: (value: number) => number,
  layout: PanelLayout,
): void {
  select(group)
    .selectAll<SVGTextElement, LimitLabel>('text')
    .data(placeLimitLabels(limits, y, layout, (text) => textWidth(text, LABEL_FONT)))
    .join('text')
    .attr('x', ({ x }) => x)
    .attr('y', (placed) => placed.y)
    .text(({ limit }) => limit.label);
}

/** Draws the y axes; returns the left one's ticks for the grid. */
export function drawYAxes(groups: AxisGroups, axis: YAxisSpec, range: Range, layout: PanelLayout): number[] {
  const bottom = layout.top + layout.plotHeight;
  const log = axis.scale === 'log';
  const scale = (log ? scaleLog : scaleLinear)([range[0], range[1]], [bottom, layout.top]);
  const values = yTicks(range, layout.plotHeight, axis.scale, axis.unit);
  const { format, unit } = !log
    ? tickFormat(values, axis.unit)
    : layout.compact
      ? narrowLogFormat(axis.unit)
      : { format: (value: number) => logTick(value, axis.unit), unit: '' };
  select(groups.y).attr('transform', `translate(${layout.left},0)`);
  writeTicks(
    groups.y,
    values.map((value) => ({ value, at: scale(value), text: (axis.format ?? format)(value) })),
    { side: 'left', line: [bottom, layout.top], size: 0, padding: 6 },
  );
  // Above the numbers; a long one begins at the panel's edge instead of being cut off there.
  const long = unit.length * UNIT_CHARACTER > layout.left - 6;
  select(groups.unit)
    .attr('x', long ? 0 : layout.left - 6)
    .attr('y', layout.top - 9)
    .attr('text-anchor', long ? 'start' : 'end')
    .text(unit);

  const { right } = axis;
  groups.right.style.display = right === undefined ? 'none' : '';
  groups.rightUnit.style.display = groups.right.style.display;
  if (right !== undefined) {
    const rightRange: Range = [range[0] * right.factor, range[1] * right.factor];
    const rightScale = scaleLinear([rightRange[0], rightRange[1]], [bottom, layout.top]);
    const rightValues = yTicks(rightRange, layout.plotHeight, 'linear', right.unit);
    const written = tickFormat(rightValues, right.unit);
    const edge = layout.left + layout.plotWidth;
    select(groups.right)
      .attr('transform', `translate(${edge},0)`)
      .attr('data-inside', layout.compact ? '' : null);
    writeTicks(
      groups.right,
      rightValues.map((value) => ({ value, at: rightScale(value), text: (right.format ?? written.format)(value) })),
      { side: 'right', line: [bottom, layout.top], size: 0, padding: layout.compact ? -4 : 6 },
    );
    select(groups.rightUnit)
      .attr('x', layout.compact ? edge : edge + 6)
      .attr('y', layout.top - 9)
      .attr('text-anchor', layout.compact ? 'end' : 'start')
      .text(written.unit);
  }
  return values;
}

/** What stands at the ticks of the time axis; the last one has the unit. */
function timeLabels(range: Range, { plotWidth }: Pick<PanelLayout, 'plotWidth'>): { value: number; text: string }[] {
  const { values, format } = timeTicks(range, plotWidth);
  return values.map((value) => {
    const text = format(value);
    return { value, text: value === values.at(-1) && !text.includes(':') ? `${text}\u00a0s` : text };
  });
}

/** The numbers of the time axis below a panel that has none on the page, because it shares one. */
export function writeTimeNumbers(
  surface: Surface,
  range: Range,
  layout: PanelLayout,
  style: { readonly colour: string; readonly font: string },
): void {
  const scale = scaleLinear([range[0], range[1]], [layout.left, layout.left + layout.plotWidth]);
  for (const { value, text } of timeLabels(range, layout))
    surface.text(text, scale(value), layout.axisTop + 12, {
      ...style,
      size: 11,
      align: scale(value) > layout.width - 20 ? 'end' : 'middle',
    });
}

/** Draws the time axis; returns its ticks for the grid. Without `numbers` it is a line. */
export function drawTimeAxis(
  group: SVGGElement,
  range: Range,
  layout: Pick<PanelLayout, 'left' | 'plotWidth' | 'width' | 'axisTop'>,
  numbers: boolean,
): number[] {
  const right = layout.left + layout.plotWidth;
  const scale = scaleLinear([range[0], range[1]], [layout.left, right]);
  const place = `translate(0,${layout.axisTop})`;
  if (group.getAttribute('transform') !== place) group.setAttribute('transform', place);
  const labels = timeLabels(range, layout);
  const ticks = labels.map(({ value, text }): Tick => {
    const at = scale(value);
    // The last label may not stick out of the panel: it is moved inwards.
    return { value, at, text, anchor: at > layout.width - 20 ? 'end' : 'middle' };
  });
  writeTicks(group, numbers ? ticks : [], {
    side: 'bottom',
    line: [layout.left, right],
    size: numbers ? 4 : 0,
    padding: 5,
  });
  return labels.map(({ value }) => value);
}
