// The throughput-delay frontier of a report, as the page draws it: the same layout, without what is pressed.
import { facetTitle } from '#analysis/facet-title';
import type { Frontier, FrontierAxes } from '#analysis/frontier';
import { surroundingsOf } from '#analysis/frontier-around';
import { capacityNameOf, insetPicture, type InsetTrace } from '#analysis/frontier-inset';
import { LABEL_MARKER, layoutFrontier, type FrontierLayout, type FrontierLook } from '#analysis/frontier-layout';
import { POINT_RADIUS, type Stack } from '#analysis/frontier-stacks';
import { METRICS } from '#analysis/metrics';
import { formatEstimateOf, formatMetric, metricUnit } from '#analysis/metric-text';
import { mark, svg, type ReportSeries } from '#analysis/report-marks';
import { n, safe } from '#analysis/report-page';
import { typicalWidth } from '#analysis/text-width';
import { tickFormat } from '#analysis/ticks';
import type { TracePart } from '#analysis/trace-part';

export const FRONTIER_AXES: FrontierAxes = { x: 'rtt_mean', y: 'throughput' };
const LOOK: FrontierLook = { scale: 'log', inverted: true, fromZero: false, share: false };
export const WIDTH = 400;
export const HEIGHT = 330;

export const FRONTIER_RULES = `
.hull{fill:none;stroke:var(--ink-3);stroke-width:1.25;stroke-dasharray:5 3}.cap{fill:none;stroke:var(--capacity-edge);stroke-dasharray:2 3}.beyond{fill:var(--sunken)}
.dots{stroke-width:4;stroke-linecap:round}.tail{fill:var(--surface);stroke:var(--c);stroke-width:1.25}.home{fill:var(--c);stroke:var(--surface)}
svg text.lim{fill:var(--on);font-weight:650;font-size:9.5px}svg text.lim.h{fill:var(--ink);stroke:none}svg text.slot{font-size:10px;font-weight:600}
.inset path{fill:var(--hairline)}.inset path.ran{fill:var(--ink-3);opacity:.6}`;

interface Plane {
  readonly frontier: Frontier;
  readonly all: readonly Frontier[];
  readonly series: ReadonlyMap<string, ReportSeries>;
  readonly part: TracePart;
  readonly trace: InsetTrace | null;
}

export function frontierSvg({ frontier, all, series, part, trace }: Plane): string {
  const layout = layoutFrontier({
    frontier,
    series,
    shows: () => true,
    look: LOOK,
    width: WIDTH,
    height: HEIGHT,
    measure: (text) => typicalWidth(text, 12),
    write: (delay) => formatMetric(FRONTIER_AXES.x, delay),
    insetLines: trace === null || trace.spark.length === 0 ? 0 : part.kind === 'whole' ? 1 : 2,
    capacityName: capacityNameOf(part),
  });
  const title = facetTitle(
    frontier.cell,
    all.map(({ cell }) => cell),
  );
  return svg(
    WIDTH,
    HEIGHT,
    `${title}: ${spokenOf(frontier)}`,
    [
      `<text class="b" x="${n(layout.plot.x)}" y="14">${safe(title)}</text>`,
      ground(layout, part),
      inset(layout, frontier, part, trace),
      layout.hull === '' ? '' : `<path class="hull" d="${layout.hull}"/>`,
      layout.lines
        .map(({ series: one, path }) => `<path class="${nameOf(series, one.key)} l" opacity=".4" d="${path}"/>`)
        .join(''),
      around(layout, series),
      layout.stacks.map((stack) => marker(stack, series)).join(''),
      labels(layout, series),
    ].join(''),
  );
}

const nameOf = (series: ReadonlyMap<string, ReportSeries>, key: string): string => series.get(key)?.name ?? '';

/** Those on the front, best delay first. */
function spokenOf({ series }: Frontier): string {
  const front = series.flatMap(({ label, points }) =>
    points
      .filter(({ on_front }) => on_front)
      .map(({ limit, x, y }) => ({
        delay: x.mean,
        text: `${label} at ${limit}, ${formatEstimateOf(FRONTIER_AXES.y, y)} with ${formatEstimateOf(FRONTIER_AXES.x, x)}`,
      })),
  );
  return `on the frontier ${front
    .toSorted((a, b) => a.delay - b.delay)
    .map(({ text }) => text)
    .join('; ')}`;
}

function ground(layout: FrontierLayout, part: TracePart): string {
  const { plot, margin, capacity } = layout;
  const [bottom, right] = [plot.y + plot.height, plot.x + plot.width];
  const yText = tickFormat(layout.yTicks, metricUnit(FRONTIER_AXES.y));
  const xText = tickFormat([], METRICS[FRONTIER_AXES.x].unit);
  const across = layout.yTicks.map((tick) => `M${n(plot.x)},${n(layout.y(tick))}H${n(right)}`).join('');
  const down = layout.xTicks.map((tick) => `M${n(layout.x(tick))},${n(plot.y)}V${n(bottom)}`).join('');
  return [
    `<path class="grid" d="${across}${down}"/>`,
    margin === null
      ? ''
      : `<rect class="beyond" x="${n(margin.x)}" y="${n(margin.y)}" width="${n(margin.width)}" height="${n(margin.height)}"/><text class="q m" x="${n(margin.x + margin.width / 2)}" y="${n(bottom + 17)}">beyond</text>`,
    capacity === null ? '' : `<path class="cap" d="M${n(plot.x)},${n(capacity.y)}H${n(right)}"/>`,
    capacity === null || capacity.label === null
      ? ''
      : `<text class="q halo" x="${n(capacity.label.x)}" y="${n(capacity.label.y + 11)}">${safe(capacityNameOf(part))}</text>`,
    `<path class="base" d="M${n(plot.x)},${n(bottom)}H${n(right)}"/>`,
    ...layout.xTicks.map(
      (tick) => `<text class="q m" x="${n(layout.x(tick))}" y="${n(bottom + 17)}">${safe(xText.format(tick))}</text>`,
    ),
    ...layout.yTicks.map(
      (tick) =>
        `<text class="q e" x="${n(plot.x - 6)}" y="${n(layout.y(tick) + 4)}">${safe(yText.format(tick))}</text>`,
    ),
    `<text class="q e" x="${n(right)}" y="${n(layout.height - 5)}">${safe(METRICS[FRONTIER_AXES.x].label)}, ${safe(metricUnit(FRONTIER_AXES.x))}, log scale</text>`,
    `<text class="q e" x="${n(plot.x - 6)}" y="${n(plot.y - 8)}">${safe(yText.unit)}</text>`,
    `<text class="q e" x="${n(right)}" y="14">better ↗</text>`,
  ].join('');
}

function inset({ inset: box }: FrontierLayout, frontier: Frontier, part: TracePart, trace: InsetTrace | null): string {
  if (box === null || trace === null) return '';
  const { lines, outline, ran } = insetPicture(trace, part, frontier.capacity_mbps, box);
  const texts = lines.map(({ y, text }) => `<text class="q" y="${n(y)}">${safe(text)}</text>`).join('');
  return `<g class="inset" transform="translate(${n(box.x)},${n(box.y)})"><path d="${outline}"/>${ran === '' ? '' : `<path class="ran" d="${ran}"/>`}${texts}</g>`;
}

/** Repetitions as faint dots, intervals, and lines from marks that had to move to where they belong. */
function around(layout: FrontierLayout, series: ReadonlyMap<string, ReportSeries>): string {
  return surroundingsOf(layout)
    .map(({ series: { key }, judged, alone, whiskers, leaders, homes }) =>
      [
        `<g class="${nameOf(series, key)} l">`,
        judged === '' ? '' : `<path class="dots" opacity=".3" d="${judged}"/>`,
        alone === '' ? '' : `<path class="dots" opacity=".8" d="${alone}"/>`,
        whiskers === '' ? '' : `<path opacity=".6" d="${whiskers}"/>`,
        leaders === '' ? '' : `<path opacity=".7" stroke-width="1.25" d="${leaders}"/>`,
        homes === '' ? '' : `<path class="home" d="${homes}"/>`,
        '</g>',
      ].join(''),
    )
    .join('');
}

/** The mark of one point with its limit, or of several that coincide, with a capsule for their limits. */
function marker({ x, y, tail, members: [first], slots }: Stack, series: ReadonlyMap<string, ReportSeries>): string {
  const one = series.get(first.series.key);
  if (one === undefined) return '';
  const size = first.reference ? 7.5 : POINT_RADIUS;
  const small = first.text.length > 2 ? ' style="font-size:7.5px"' : '';
  return [
    tail === null
      ? ''
      : `<rect class="${one.name} tail" x="${n(tail.x)}" y="${n(tail.y)}" width="${n(tail.width)}" height="${n(tail.height)}" rx="${n(tail.height / 2)}"/>`,
    mark(one, [x, y], size),
    tail !== null || first.text === ''
      ? ''
      : `<text class="${one.name} lim m${one.look.hollow ? ' h' : ''}" x="${n(x)}" y="${n(y)}" dy=".36em"${small}>${safe(first.text)}</text>`,
    ...(tail === null ? [] : slots).map(
      ({ point, box }) =>
        `<text class="slot m" x="${n(box.x + box.width / 2)}" y="${n(box.y + box.height / 2)}" dy=".36em">${safe(point.text)}</text>`,
    ),
    first.beyond === null
      ? ''
      : `<text class="q m halo" x="${n(x)}" y="${n(y + POINT_RADIUS + 10)}">${safe(first.beyond)}</text>`,
  ].join('');
}

function labels({ labels: all }: FrontierLayout, series: ReadonlyMap<string, ReportSeries>): string {
  return all
    .map(({ id, box, anchor, leader }) => {
      const one = series.get(id);
      if (one === undefined) return '';
      const [toX, toY] = [
        Math.min(Math.max(anchor.x, box.x), box.x + box.width),
        Math.min(Math.max(anchor.y, box.y), box.y + box.height),
      ];
      const line = leader
        ? `<path class="${one.name} l" opacity=".6" d="M${n(anchor.x)},${n(anchor.y)}L${n(toX)},${n(toY)}"/>`
        : '';
      return `${line}${mark(one, [box.x + 6, box.y + box.height / 2], 3.6)}<text class="halo" x="${n(box.x + LABEL_MARKER + 1)}" y="${n(box.y + box.height - 4)}">${safe(one.label)}</text>`;
    })
    .join('');
}
