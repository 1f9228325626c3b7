// The throughput-delay frontiers of an experiment as one SVG file that stands by itself, in the colours of the day.
import { seriesOf } from '#analysis/cca-series';
import { readableOn } from '#analysis/contrast';
import { frontiersOf, type Frontier } from '#analysis/frontier';
import { paletteOf, TOKENS } from '#analysis/palette';
import { FRONTIER_AXES, FRONTIER_RULES, frontierSvg, HEIGHT, WIDTH } from '#analysis/report-frontier';
import { MARK_RULES, type ReportSeries } from '#analysis/report-marks';
import type { CellResult } from '#analysis/results';
import { tracePart } from '#analysis/trace-part';
import type { TraceRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';

/** More planes, and more points of one, nobody looks at beside a table. */
const MOST_PLANES = 6;
const MOST_POINTS = 150;
const COLUMNS = 2;
const GAP = 24;

interface Parts {
  readonly results: readonly CellResult[];
  readonly ccas: readonly CcaDescriptor[];
  readonly spec: ExperimentSpec;
  readonly traces: readonly TraceRecord[];
}

function looks(results: readonly CellResult[], ccas: readonly CcaDescriptor[]) {
  const all = seriesOf(
    results.map(({ cell }) => cell),
    new Map(ccas.map((cca) => [cca.id, cca])),
    paletteOf('light'),
  );
  const series = new Map<string, ReportSeries>();
  const rules: string[] = [];
  for (const one of all.values()) {
    const name = `s${series.size}`;
    series.set(one.key, { ...one, name });
    rules.push(`.${name}{--c:${one.look.colour};--on:${readableOn(one.look.colour, '#fff', '#111')}}`);
  }
  return { series, rules: rules.join('') };
}

const points = ({ series }: Frontier): number => series.reduce((total, one) => total + one.points.length, 0);

/** null: nothing has come out that has a place in it. */
export function frontierFile({ results, ccas, spec, traces }: Parts): string | null {
  const all = frontiersOf(results, FRONTIER_AXES).filter((one) => points(one) > 0 && points(one) <= MOST_POINTS);
  const shown = all.slice(0, MOST_PLANES);
  if (shown.length === 0) return null;
  const { series, rules } = looks(results, ccas);
  const known = new Map(traces.map((trace) => [trace.id, trace]));
  const columns = Math.min(COLUMNS, shown.length);
  const [width, height] = [columns * (WIDTH + GAP), Math.ceil(shown.length / columns) * (HEIGHT + GAP)];
  const planes = shown.map((frontier, i) => {
    const { trace: ref } = frontier.cell;
    const trace = 'trace' in ref ? (known.get(ref.trace) ?? null) : null;
    const part = tracePart(spec, trace?.info.period_ms ?? 0);
    const [x, y] = [(i % columns) * (WIDTH + GAP) + GAP / 2, Math.floor(i / columns) * (HEIGHT + GAP) + GAP / 2];
    return frontierSvg({ frontier, all, series, part, trace }).replace('<svg ', `<svg x="${x}" y="${y}" `);
  });
  const tokens = Object.entries(TOKENS).map(([name, [light]]) => `--${name}:${light}`);
  const style = `svg{${tokens.join(';')};font-family:system-ui,sans-serif}svg svg{overflow:visible}svg text{fill:var(--ink);font-size:12px}${MARK_RULES}${FRONTIER_RULES}${rules}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><style>${style.replaceAll('<', '')}</style><rect width="${width}" height="${height}" fill="${TOKENS.surface[0]}"/>${planes.join('')}</svg>\n`;
}
