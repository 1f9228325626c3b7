// Axes of a panel in SVG, by d3-axis.
import { axisBottom, axisLeft, axisRight, scaleLinear, scaleLog, select } from 'd3';
import type { PanelLayout } from './layout';
import type { Surface } from './surface';
import { placeLimitLabels, type LimitLabel } from './limit-labels';
import { textWidth } from './measure';
import { logTick, narrowLogFormat, tickFormat, timeTicks, yTicks } from './scales';
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
  const values = yTicks(range, layout.plotHeight, axis.scale);
  const { format, unit } = !log
    ? tickFormat(values, axis.unit)
    : layout.compact
      ? narrowLogFormat(axis.unit)
      : { format: (value: number) => logTick(value, axis.unit), unit: '' };
  select(groups.y)
    .attr('transform', `translate(${layout.left},0)`)
    .call(
      axisLeft(scale)
        .tickValues(values)
        .tickFormat((value) => (axis.format ?? format)(Number(value)))
        .tickSize(0)
        .tickPadding(6),
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
    const rightValues = yTicks(rightRange, layout.plotHeight);
    const written = tickFormat(rightValues, right.unit);
    const edge = layout.left + layout.plotWidth;
    select(groups.right)
      .attr('transform', `translate(${edge},0)`)
      .attr('data-inside', layout.compact ? '' : null)
      .call(
        axisRight(rightScale)
          .tickValues(rightValues)
          .tickFormat((value) => (right.format ?? written.format)(Number(value)))
          .tickSize(0)
          .tickPadding(layout.compact ? -4 : 6),
      );
    select(groups.rightUnit)
      .attr('x', layout.compact ? edge : edge + 6)
      .attr('y', layout.top - 9)
      .attr('text-anchor', layout.compact ? 'end' : 'start')
      .text(written.unit);
  }
  return values;
}

/** What stands at a tick of the time axis; the last one has the unit. */
function timeLabel(value: number, range: Range, { plotWidth }: Pick<PanelLayout, 'plotWidth'>): string {
  const { values, format } = timeTicks(range, plotWidth);
  const text = format(value);
  return value === values.at(-1) && !text.includes(':') ? `${text}\u00a0s` : text;
}

/** The numbers of the time axis below a panel that has none on the page, because it shares one. */
export function writeTimeNumbers(
  surface: Surface,
  range: Range,
  layout: PanelLayout,
  style: { readonly colour: string; readonly font: string },
): void {
  const scale = scaleLinear([range[0], range[1]], [layout.left, layout.left + layout.plotWidth]);
  for (const value of timeTicks(range, layout.plotWidth).values)
    surface.text(timeLabel(value, range, layout), scale(value), layout.axisTop + 12, {
      ...style,
      size: 11,
      align: scale(value) > layout.width - 20 ? 'end' : 'middle',
    });
}

/** Draws the time axis; returns its ticks for the grid. */
export function drawTimeAxis(
  group: SVGGElement,
  range: Range,
  layout: Pick<PanelLayout, 'left' | 'plotWidth' | 'width' | 'axisTop'>,
  numbers: boolean,
): number[] {
  const { values } = timeTicks(range, layout.plotWidth);
  const right = layout.left + layout.plotWidth;
  const scale = scaleLinear([range[0], range[1]], [layout.left, right]);
  select(group)
    .attr('transform', `translate(0,${layout.axisTop})`)
    .call(
      axisBottom(scale)
        .tickValues(values)
        .tickFormat((value) => (numbers ? timeLabel(Number(value), range, layout) : ''))
        .tickSize(numbers ? 4 : 0)
        .tickSizeOuter(0)
        .tickPadding(5),
    );
  // The last label may not stick out of the panel: it is moved inwards.
  select(group)
    .selectAll<SVGGElement, number>('.tick')
    .attr('text-anchor', (value) => (scale(value) > layout.width - 20 ? 'end' : 'middle'));
  return values;
}
