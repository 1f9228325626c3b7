// The grid of cells of a report: algorithms down, queue limits across, the value of a metric as number and as colour.
import { cellColour } from '#analysis/cell-colour';
import { readableOn } from '#analysis/contrast';
import { facetTitle } from '#analysis/facet-title';
import { gridCell, type CellState, type GridCell } from '#analysis/grid-cell';
import { bufferLabel } from '#analysis/limits';
import { METRIC_SCALES, placeOn } from '#analysis/metric-scales';
import { metricUnit, shortMetric } from '#analysis/metric-text';
import { METRICS, type MetricId } from '#analysis/metrics';
import { both, paletteOf, SCHEMES } from '#analysis/palette';
import { mark, svg, type ReportSeries } from '#analysis/report-marks';
import { n, safe } from '#analysis/report-page';
import { byLimit, ccaKey, groupBy, type CellBrief } from '#analysis/results';
import { cutTo, typicalWidth } from '#analysis/text-width';

const ROW = 28;
const TOP = 44;
const GAP = 2;
const COLUMN = 64;
/** More limits than can be read side by side. */
const MOST_LIMITS = 24;
/** Longer names are cut: the table has them. */
const NAME = 190;
const PALETTES = SCHEMES.map(paletteOf);
const WORDS: Readonly<Record<CellState, string>> = { queued: '·', running: '…', done: '·', failed: 'failed' };

/** One trace and link. */
export function cellsSvg(
  facet: readonly CellBrief[],
  links: readonly CellBrief['cell'][],
  series: ReadonlyMap<string, ReportSeries>,
  metric: MetricId,
): string {
  const [first] = facet;
  if (first === undefined) return '';
  const all = [
    ...new Map(
      facet
        .map(({ cell }) => cell)
        .toSorted(byLimit)
        .map(({ buffer }) => [bufferLabel(buffer), buffer]),
    ).keys(),
  ];
  const limits = all.slice(0, MOST_LIMITS);
  const rows = [...groupBy(facet, ({ cell }) => ccaKey(cell))].flatMap(([key, own]) => {
    const one = series.get(key);
    return one === undefined
      ? []
      : [
          {
            one,
            cells: own
              .filter(({ cell }) => limits.includes(bufferLabel(cell.buffer)))
              .map((result) => gridCell(result, metric)),
          },
        ];
  });
  const widest = Math.max(40, ...rows.map(({ one }) => typicalWidth(one.label, 12)));
  const left = Math.min(widest, NAME) + 30;
  const more = all.length > limits.length ? `, the first ${limits.length} of ${all.length} limits` : '';
  const title = facetTitle(first.cell, links) + more;
  const heads = limits.map(
    (limit, i) => `<text class="q m" x="${n(left + (i + 0.5) * COLUMN)}" y="${TOP - 8}">${safe(limit)}</text>`,
  );
  const body = rows.map(({ one, cells }, row) => {
    const y = TOP + row * ROW;
    const own = cells.map((cell) =>
      cellMark(cell, metric, left + limits.indexOf(bufferLabel(cell.cell.buffer)) * COLUMN, y),
    );
    return `${mark(one, [9, y + ROW / 2], 4.8)}<text x="21" y="${n(y + ROW / 2 + 4)}">${safe(cutTo(one.label, NAME, 12))}</text>${own.join('')}`;
  });
  const spoken = `${title}: ${METRICS[metric].label}, ${metricUnit(metric)}, of ${rows.length} algorithms at ${limits.length} queue limits`;
  return svg(
    left + limits.length * COLUMN,
    TOP + rows.length * ROW,
    spoken,
    `<text class="b" x="0" y="14">${safe(title)}</text>${heads.join('')}${body.join('')}`,
  );
}

function cellMark(
  { cell, state, value, capacity_mbps, done, planned }: GridCell,
  metric: MetricId,
  x: number,
  y: number,
): string {
  const box = `x="${n(x + GAP / 2)}" y="${n(y + GAP / 2)}" width="${COLUMN - GAP}" height="${ROW - GAP}" rx="3"`;
  const text = (style: string, said: string): string =>
    `<text class="m" x="${n(x + COLUMN / 2)}" y="${n(y + ROW / 2 + 4)}" style="${style}">${safe(said)}</text>`;
  if (value === null)
    return `<rect ${box} style="fill:none;stroke:var(--hairline)"/>${text('fill:var(--ink-3)', WORDS[state])}`;
  const place = placeOn(METRIC_SCALES[metric], value, { base_rtt_ms: cell.base_rtt_ms, capacity_mbps });
  const fills = PALETTES.map((palette) => (place === null ? palette.surface : cellColour(metric, place, palette)));
  const inks = PALETTES.map(({ ink, surface }, i) => readableOn(fills[i] ?? surface, ink, surface));
  const part = done < planned ? `<title>${done} of ${planned} runs count</title>` : '';
  return `<rect ${box} style="fill:${both(fills[0] ?? '', fills[1] ?? '')}">${part}</rect>${text(`fill:${both(inks[0] ?? '', inks[1] ?? '')}`, shortMetric(metric, value))}`;
}
