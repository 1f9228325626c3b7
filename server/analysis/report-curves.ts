// The curves of a report: a metric along what is swept, how long packets waited, and shares of a link with the baseline over queue limits.
import { scaleLinear, scalePoint } from 'd3-scale';
import { delayQuantile } from '#analysis/delay-distribution';
import { delayTick, tailPath, tailsFrame, type TailCurve } from '#analysis/delay-tails';
import { facetTitle } from '#analysis/facet-title';
import { formatChosen, formatDelay } from '#analysis/format';
import { bufferLabel } from '#analysis/limits';
import { metricUnit } from '#analysis/metric-text';
import { METRICS, type MetricId } from '#analysis/metrics';
import { axes, dashOf, mark, svg, type ReportSeries } from '#analysis/report-marks';
import { n, safe } from '#analysis/report-page';
import { byLimit, ccaKey, facetKey, groupBy, isReference, type CellResult } from '#analysis/results';
import { estimate, type Estimate } from '#analysis/statistics';
import { placesOf, reach, shownTicks, sweepScale, valueText } from '#analysis/sweep-axis';
import type { SweepPlane } from '#analysis/sweep-lines';
import { typicalWidth } from '#analysis/text-width';
import { tickFormat } from '#analysis/ticks';

const WIDTH = 400;
const HEIGHT = 270;
const [TOP, BOTTOM, LEFT, RIGHT] = [34, 42, 46, 16];
const CAP = 3;
const measure = (text: string): number => typicalWidth(text, 11);

/** A line through means with the interval of each. */
function line(
  one: ReportSeries,
  points: readonly { readonly x: number; readonly y: Estimate }[],
  y: (value: number) => number,
): string {
  const way = points.map((point) => `${n(point.x)},${n(y(point.y.mean))}`).join('L');
  const whiskers = points
    .flatMap(({ x, y: { low, high } }) =>
      low === null || high === null
        ? []
        : [
            `M${n(x)},${n(y(low))}V${n(y(high))}M${n(x - CAP)},${n(y(low))}h${2 * CAP}M${n(x - CAP)},${n(y(high))}h${2 * CAP}`,
          ],
    )
    .join('');
  return [
    way === '' ? '' : `<path class="${one.name} l" stroke-width="1.75"${dashOf(one)} d="M${way}"/>`,
    whiskers === '' ? '' : `<path class="${one.name} l" opacity=".8" d="${whiskers}"/>`,
    ...points.map((point) => mark(one, [point.x, y(point.y.mean)], 4.6)),
  ].join('');
}

interface SweepParts {
  readonly plane: SweepPlane;
  readonly all: readonly SweepPlane[];
  readonly series: ReadonlyMap<string, ReportSeries>;
  readonly metric: MetricId;
  readonly name: string;
}

export function sweepSvg({ plane, all, series, metric, name }: SweepParts): string {
  const scale = sweepScale(plane.values);
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM];
  const x = placesOf(plane.values, scale, [LEFT, right]);
  const estimates = plane.lines.flatMap((own) => [
    ...own.points.map((point) => point.y),
    ...(own.level === null ? [] : [own.level.y]),
  ]);
  const most = Math.max(...estimates.flatMap(reach), 0);
  const share = metricUnit(metric) === '%';
  const y = scaleLinear([0, most === 0 ? 1 : most], [bottom, TOP]);
  if (!share) y.nice(4);
  const ticks = y.ticks(5);
  const written = share
    ? { format: (value: number) => formatChosen(Math.round(value * 1000) / 10), unit: '%' }
    : tickFormat(ticks, metricUnit(metric));
  const title = [
    facetTitle(
      { ...plane.cell, sweep: undefined },
      all.map(({ cell }) => cell),
    ),
    ...(new Set(all.map(({ cell }) => bufferLabel(cell.buffer))).size > 1 ? [bufferLabel(plane.cell.buffer)] : []),
  ].join(' · ');
  const lines = plane.lines.map((own) => {
    const one = series.get(own.key);
    if (one === undefined) return '';
    const at = own.level === null ? null : y(own.level.y.mean);
    const level =
      at === null
        ? ''
        : `<path class="${one.name} l" stroke-width="1.5" opacity=".8"${dashOf(one) || ' stroke-dasharray="1 4"'} d="M${LEFT},${n(at)}H${n(right)}"/>${mark(one, [right + 4, at], 4.6)}`;
    return (
      level +
      line(
        one,
        own.points.map((point) => ({ x: x(point.at), y: point.y })),
        y,
      )
    );
  });
  const xTicks = shownTicks(plane.values, x, measure).map((value) => ({ at: x(value), text: valueText(value) }));
  return svg(
    WIDTH,
    HEIGHT,
    `${title}: ${METRICS[metric].label} of ${plane.lines.length} algorithms over ${name}`,
    [
      `<text class="b" x="${LEFT}" y="14">${safe(title)}</text>`,
      axes({
        left: LEFT,
        right,
        bottom,
        x: xTicks,
        y: ticks.map((tick) => ({ at: y(tick), text: written.format(tick) })),
      }),
      `<text class="q e" x="${n(right)}" y="${HEIGHT - 6}">${safe(name)}${scale === 'log' ? ', log scale' : ''}</text><text class="q e" x="${LEFT - 6}" y="${TOP - 10}">${safe(written.unit)}</text>`,
      ...lines,
    ].join(''),
  );
}

export function delaysSvg(curves: readonly TailCurve[], series: ReadonlyMap<string, ReportSeries>): string {
  const frame = tailsFrame(
    curves.map(({ delays }) => delays),
    { width: WIDTH, height: HEIGHT, begins: 'at 1 ms' },
  );
  const { left, right, bottom, x, y, shares, ticks } = frame;
  const paths = curves.map(({ key, delays }) => {
    const one = series.get(key);
    if (one === undefined) return '';
    const marks = [0.9, 0.99].map((share) => mark(one, [x(delayQuantile(delays, share) ?? 0), y(1 - share)], 4.2));
    return `<path class="${one.name} l" stroke-width="1.75"${dashOf(one)} d="${tailPath(delays, frame)}"/>${marks.join('')}`;
  });
  const spoken = curves.map(
    ({ label, delays }) =>
      `${label}: half waited at most ${formatDelay(delayQuantile(delays, 0.5))}, one in a hundred longer than ${formatDelay(delayQuantile(delays, 0.99))}`,
  );
  return svg(
    WIDTH,
    HEIGHT,
    spoken.join('; '),
    [
      axes({
        left,
        right,
        bottom,
        x: ticks.map((tick) => ({ at: x(tick), text: delayTick(tick) })),
        y: shares.map((tick) => ({ at: y(tick), text: formatChosen(tick * 100) })),
      }),
      `<text class="q e" x="${left - 6}" y="10">%</text><text class="q e" x="${n(right)}" y="${HEIGHT - 5}">queueing delay, log scale</text>`,
      ...paths,
    ].join(''),
  );
}

interface SharePlane {
  readonly title: string;
  readonly lines: readonly {
    readonly key: string;
    readonly label: string;
    readonly points: readonly { readonly limit: string; readonly bytes: number | null; readonly share: Estimate }[];
  }[];
}

/** Of what a CCA and the baseline carry together, the CCA's part, over the queue limits; empty where no pairs were run. */
export function sharePlanes(results: readonly CellResult[]): SharePlane[] {
  const paired = results.filter((result) => !isReference(result) && result.figures.pair_shares.length > 0);
  const facets = [...groupBy(paired, ({ cell }) => facetKey(cell)).values()];
  const links = facets.flatMap((facet) => facet[0]?.cell ?? []);
  return facets.flatMap((facet) => {
    const [first] = facet;
    if (first === undefined) return [];
    const lines = [...groupBy(facet, ({ cell }) => ccaKey(cell))].map(([key, own]) => ({
      key,
      label: own[0]?.cca?.label ?? key,
      points: own
        .toSorted((a, b) => byLimit(a.cell, b.cell))
        .flatMap(({ cell, figures }) => {
          const share = estimate(figures.pair_shares, [0, 1]);
          return share === null ? [] : [{ limit: bufferLabel(cell.buffer), bytes: cell.limit_bytes, share }];
        }),
    }));
    return [{ title: facetTitle(first.cell, links), lines }];
  });
}

export function sharesSvg({ title, lines }: SharePlane, series: ReadonlyMap<string, ReportSeries>): string {
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM];
  const points = lines.flatMap((own) => own.points);
  const limits = [
    ...new Map(
      points
        .toSorted((a, b) => (a.bytes ?? Infinity) - (b.bytes ?? Infinity))
        .map(({ limit, bytes }) => [limit, bytes]),
    ),
  ];
  const x = scalePoint(
    limits.map(([limit]) => limit),
    [LEFT, right],
  ).padding(0.5);
  const y = scaleLinear([0, 1], [bottom, TOP]);
  const at = (limit: string): number => x(limit) ?? LEFT;
  const shown = shownTicks(
    limits.map(([limit]) => limit),
    (limit) => at(String(limit)),
    measure,
  );
  const drawn = lines.map((own) => {
    const one = series.get(own.key);
    return one === undefined
      ? ''
      : line(
          one,
          own.points.map(({ limit, share }) => ({ x: at(limit), y: share })),
          y,
        );
  });
  return svg(
    WIDTH,
    HEIGHT,
    `${title}: part of the link that each algorithm has beside the baseline, over ${limits.length} queue limits`,
    [
      `<text class="b" x="${LEFT}" y="14">${safe(title)}</text>`,
      axes({
        left: LEFT,
        right,
        bottom,
        x: shown.map((limit) => ({ at: at(String(limit)), text: String(limit) })),
        y: [0, 0.25, 0.5, 0.75, 1].map((tick) => ({ at: y(tick), text: String(tick * 100) })),
      }),
      `<path class="base" stroke-dasharray="5 3" d="M${LEFT},${n(y(0.5))}H${n(right)}"/><text class="q e" x="${LEFT - 6}" y="${TOP - 10}">%</text><text class="q e" x="${n(right)}" y="${HEIGHT - 6}">queue limit</text>`,
      ...drawn,
    ].join(''),
  );
}
