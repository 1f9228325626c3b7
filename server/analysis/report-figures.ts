// The figures of an experiment's report, in the order of the page, each with its legend and what it shows in words.
import { limitUnit } from '#analysis/cca-series';
import { tailCurves } from '#analysis/delay-tails';
import { plural } from '#analysis/format';
import { frontierSteps, type Frontier } from '#analysis/frontier';
import { metricUnit } from '#analysis/metric-text';
import { METRICS, type MetricId } from '#analysis/metrics';
import { rankMeasuredSteps } from '#analysis/ranking';
import { cellsSvg } from '#analysis/report-cells';
import { delaysSvg, sharePlanes, sharesSvg, sweepSvg } from '#analysis/report-curves';
import { FRONTIER_AXES, FRONTIER_RULES, frontierSvg } from '#analysis/report-frontier';
import { legend, type ReportSeries } from '#analysis/report-marks';
import { safe } from '#analysis/report-page';
import { SCORE_RULES, scoresSvg } from '#analysis/report-scores';
import { facetKey, groupBy, type CellResult } from '#analysis/results';
import { orderOf, type ScenarioRanking } from '#analysis/score-order';
import { SCENARIOS, TERM_INFO, TERMS } from '#analysis/scores';
import { shareCrossings } from '#analysis/share-crossings';
import { FEWEST_FOR_INTERVAL } from '#analysis/statistics';
import { sweepPlanes, type SweepLine } from '#analysis/sweep-lines';
import { sweepName } from '#analysis/sweep-name';
import { paused } from '#analysis/steps';
import type { TermTable } from '#analysis/terms';
import { tracePart } from '#analysis/trace-part';
import type { TraceRecord } from '#protocol/api';
import type { ExperimentSpec } from '#protocol/spec';

export const FIGURE_RULES = `${FRONTIER_RULES}${SCORE_RULES}`;

export interface ReportFigures {
  readonly results: readonly CellResult[];
  readonly terms: TermTable;
  readonly series: ReadonlyMap<string, ReportSeries>;
  readonly spec: ExperimentSpec;
  /** Of the lines along a sweep: algorithms without what is swept of them. */
  readonly sweptSeries: ReadonlyMap<string, ReportSeries>;
  readonly traces: readonly TraceRecord[];
}

/** Planes of one figure. */
const MOST_PLANES = 12;
/** Points of one plane: marks that would cover each other are moved apart, every two of them. */
const MOST_POINTS = 150;
/** Rows of a figure of scores, or of a grid. */
const MOST_SERIES = 40;

interface Drawn {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly legend: string;
  readonly shape: 'facets' | 'facets thirds' | 'grids';
}

/** `all`: planes that there are; the first are drawn. */
function* figure(
  { id, title, caption, legend: key, shape }: Drawn,
  planes: Iterable<string>,
  all: number,
): Generator<string, void, undefined> {
  yield `<h2 id="${id}">${safe(title)}</h2><figure><figcaption>${safe(caption)}</figcaption>${key}<div class="${shape}">`;
  yield* planes;
  yield '</div></figure>';
  if (all > MOST_PLANES)
    yield `<p class="more">${plural(all - MOST_PLANES, 'plane')} more are left out here: the table and the files have their numbers.</p>`;
}

function sentence(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const whiskers = ({ spec }: ReportFigures): string =>
  spec.repetitions >= FEWEST_FOR_INTERVAL ? `whiskers: 95 % interval over ${spec.repetitions} repetitions` : '';

export function* figureSteps(parts: ReportFigures): Generator<string, void, undefined> {
  yield* frontierFigure(parts);
  yield* sweepFigure(parts);
  yield* scoresFigure(parts);
  yield* cellsFigure(parts, 'utilisation');
  yield* cellsFigure(parts, 'queueing_p95');
  yield* delaysFigure(parts);
  yield* sharesFigure(parts);
}

const tooMany = (frontier: Frontier): boolean =>
  frontier.series.reduce((total, { points }) => total + points.length, 0) > MOST_POINTS;

function* frontierFigure(parts: ReportFigures): Generator<string, void, undefined> {
  const { results, series, spec, traces } = parts;
  const frontiers: Frontier[] = [];
  for (const frontier of frontierSteps(results, FRONTIER_AXES)) {
    if (frontier.series.length > 0) frontiers.push(frontier);
    yield '';
  }
  if (frontiers.length === 0) return;
  const known = new Map(traces.map((trace) => [trace.id, trace]));
  const planes = function* (): Generator<string, void, undefined> {
    for (const frontier of frontiers.slice(0, MOST_PLANES)) {
      const { trace: ref } = frontier.cell;
      const trace = 'trace' in ref ? (known.get(ref.trace) ?? null) : null;
      if (tooMany(frontier))
        yield `<p class="more">${safe(frontier.cell.trace_name)}: more than ${MOST_POINTS} points, which could not be told apart.</p>`;
      else
        yield frontierSvg({
          frontier,
          all: frontiers,
          series,
          part: tracePart(spec, trace?.info.period_ms ?? 0),
          trace,
        });
    }
  };
  const unit = limitUnit(results.map(({ cell }) => cell));
  const caption = sentence([
    `${METRICS[FRONTIER_AXES.y].label} over ${METRICS[FRONTIER_AXES.x].label}, less delay to the right`,
    unit === '' ? '' : `in the point: queue limit in ${unit}`,
    whiskers(parts),
    'dashed: the best throughput within each delay',
  ]);
  yield* figure(
    { id: 'frontier', title: 'Throughput–delay frontier', caption, legend: legend(series.values()), shape: 'facets' },
    planes(),
    frontiers.length,
  );
}

const SWEPT = ['throughput', 'queueing_p95'] as const;

/** What is drawn along a sweep: each line once. */
export const sweptLines = (results: readonly CellResult[], { sweep }: ExperimentSpec): SweepLine[] =>
  sweep === undefined ? [] : SWEPT.flatMap((metric) => sweepPlanes(results, metric).flatMap(({ lines }) => lines));

function* sweepFigure(parts: ReportFigures): Generator<string, void, undefined> {
  const { results, spec, sweptSeries: series } = parts;
  if (spec.sweep === undefined) return;
  const name = sweepName(spec.sweep.path);
  for (const metric of SWEPT) {
    const all = sweepPlanes(results, metric);
    if (all.length === 0) continue;
    const planes = all.slice(0, MOST_PLANES).map((plane) => sweepSvg({ plane, all, series, metric, name }));
    const caption = sentence([`${METRICS[metric].label}, ${metricUnit(metric)}, over ${name}`, whiskers(parts)]);
    const title = `Along the sweep: ${METRICS[metric].label}`;
    yield* figure(
      { id: `sweep-${metric}`, title, caption, legend: legend(series.values()), shape: 'facets' },
      planes,
      all.length,
    );
  }
}

function* scoresFigure({ terms, series, spec }: ReportFigures): Generator<string, void, undefined> {
  const rankings: ScenarioRanking[] = [];
  for (const scenario of SCENARIOS.filter(({ main }) => main))
    rankings.push({ scenario, ...(yield* paused(rankMeasuredSteps(terms, scenario.weights))) });
  const keys = orderOf(rankings, 'mean');
  const rows = keys.flatMap((key) => series.get(key) ?? []);
  if (rows.length === 0) return;
  const shown = rows.slice(0, MOST_SERIES);
  const left = TERMS.filter((term) => rankings.some(({ left_out }) => left_out.includes(term)));
  const comparisons = Math.max(0, ...rankings.map(({ ranking }) => ranking.comparisons));
  const tested =
    terms.repetitions >= FEWEST_FOR_INTERVAL
      ? `from 0 to 1 with 95 % intervals over ${terms.repetitions} repetitions of ${plural(terms.conditions, 'condition')}; at the right the rank, = marks a tie${comparisons > 1 ? ` (Holm, ${comparisons} comparisons)` : ''}`
      : `from 0 to 1; at the right the rank by value. Intervals and ties need ${FEWEST_FOR_INTERVAL} repetitions, here are ${spec.repetitions}`;
  const caption = sentence([
    tested,
    left.length === 0
      ? ''
      : `without ${left.map((term) => TERM_INFO[term].label.toLowerCase()).join(', ')}: not measured`,
    rows.length > shown.length ? `the first ${shown.length} of ${rows.length} algorithms` : '',
  ]);
  yield* figure(
    { id: 'scores', title: 'Scores by scenario', caption, legend: legend(shown), shape: 'facets thirds' },
    rankings.map((ranking) => scoresSvg(ranking, shown)),
    rankings.length,
  );
}

function* cellsFigure({ results, series }: ReportFigures, metric: MetricId): Generator<string, void, undefined> {
  const facets = [...groupBy(results, ({ cell }) => facetKey(cell)).values()];
  const links = facets.flatMap((facet) => facet[0]?.cell ?? []);
  const planes = function* (): Generator<string, void, undefined> {
    for (const facet of facets.slice(0, MOST_PLANES))
      yield `<div class="scroll">${cellsSvg(facet.slice(0, MOST_POINTS * 4), links, series, metric)}</div>`;
  };
  const { label, better } = METRICS[metric];
  const caption = sentence([
    `${label}, ${metricUnit(metric)}, mean over repetitions`,
    `the stronger the colour, the ${better === 'more' ? 'better' : 'worse'}`,
  ]);
  yield* figure(
    { id: `cells-${metric}`, title: `Cells: ${label}`, caption, legend: '', shape: 'grids' },
    planes(),
    facets.length,
  );
}

function* delaysFigure({ results, series }: ReportFigures): Generator<string, void, undefined> {
  const curves = tailCurves(results, series.values());
  if (curves.length === 0) return;
  const runs = curves.reduce((total, curve) => total + curve.runs, 0);
  const caption = `Share of the delivered packets that waited longer in the queue, ${plural(runs, 'run')} of all cells pooled, every packet alike.`;
  const own = curves.flatMap(({ key }) => series.get(key) ?? []);
  yield* figure(
    { id: 'delays', title: 'How long packets waited', caption, legend: legend(own), shape: 'facets' },
    [delaysSvg(curves, series)],
    1,
  );
}

function* sharesFigure({ results, series }: ReportFigures): Generator<string, void, undefined> {
  const planes = sharePlanes(results);
  if (planes.length === 0) return;
  const keys = new Set(planes.flatMap(({ lines }) => lines.map(({ key }) => key)));
  const own = [...series.values()].filter(({ key }) => keys.has(key));
  const crossings = shareCrossings(results).filter(({ crossing }) => crossing.kind === 'one');
  yield* figure(
    {
      id: 'shares',
      title: 'Shares beside the baseline',
      caption:
        'Part of what both carry that each algorithm has beside the baseline, over queue limits; whiskers: 95 % interval over repetitions; dashed: half.',
      legend: legend(own),
      shape: 'facets',
    },
    planes.slice(0, MOST_PLANES).map((plane) => sharesSvg(plane, series)),
    planes.length,
  );
  if (crossings.length === 0) return;
  const items = crossings.slice(0, MOST_SERIES).flatMap(({ label, cell, unit, crossing }) => {
    if (crossing.kind !== 'one') return [];
    const { at, above, interval } = crossing;
    const size = (value: number): string =>
      unit === 'BDP' ? `${value.toPrecision(3)} BDP` : `${Math.round(value / 1000)} kB`;
    const range = interval === null ? '' : ` (${size(interval.low)} … ${size(interval.high)})`;
    return [
      `<li>${safe(label)}, ${safe(cell.trace_name)}: ${size(at)}${range}; ${above === 'a' ? 'it' : 'the baseline'} has more beyond</li>`,
    ];
  });
  yield `<h3>Limits at which the shares cross</h3><ul>${items.join('')}</ul>`;
}
