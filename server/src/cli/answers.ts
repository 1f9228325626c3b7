// What came out of an experiment, to read in a terminal: its cells, who is first in each scenario and how surely, and who harms the baseline.
// The files have all of it.
import { harmTable, type HarmResult } from '#analysis/harm';
import type { HarmTest } from '#analysis/harm-verdict';
import { bufferLabel } from '#analysis/limits';
import { METRICS, type MetricId } from '#analysis/metrics';
import { queueLabel } from '#analysis/queue-label';
import { rankMeasured, type RankedCca, type Ranking } from '#analysis/ranking';
import { disciplineOf, transportOf, type CellResult } from '#analysis/results';
import { SCENARIOS } from '#analysis/scores';
import { shareCrossings, type ShareCrossing } from '#analysis/share-crossings';
import type { Estimate, Interval } from '#analysis/statistics';
import { sweepName } from '#analysis/sweep-name';
import { tableOf, type TableRow } from '#analysis/table';
import { dimensionsOf, groupMean, groupRows, type Dimension, type GroupMean } from '#analysis/table-groups';
import { termTable } from '#analysis/terms';
import { table } from './table.ts';

/** More rows than a person reads. */
const MOST_ROWS = 60;
/** Of the competitors of a scenario. */
const MOST_RANKS = 10;

/** Three digits. */
const number = (value: number): string => String(Number(value.toPrecision(3)));
const percent = (value: number): string => number(value * 100);
const between = ({ low, high }: Interval, write = number): string => `${write(low)} … ${write(high)}`;

/** The mean and its interval, which there is from three repetitions on. */
function written(estimate: Estimate | null, write = number): string {
  if (estimate === null) return '–';
  const { mean, low, high } = estimate;
  const [centre, ends] = [write(mean), low === null || high === null ? null : between({ low, high }, write)];
  return ends === null || ends === `${centre} … ${centre}` ? centre : `${centre} (${ends})`;
}

/** What tells lines apart beside algorithm and limit, and what it says of a cell. */
interface Axis {
  readonly dimension: Dimension;
  readonly head: string;
  readonly read: (cell: Place) => string;
}

type Place = ShareCrossing['cell'];

const AXES: readonly Axis[] = [
  { dimension: 'trace', head: 'trace', read: ({ trace_name }) => trace_name },
  { dimension: 'set', head: 'set', read: ({ trace_set }) => trace_set ?? '–' },
  { dimension: 'rtt', head: 'base RTT, ms', read: ({ base_rtt_ms }) => String(base_rtt_ms) },
  { dimension: 'discipline', head: 'queue', read: (cell) => queueLabel(disciplineOf(cell)) },
  { dimension: 'transport', head: 'transport', read: (cell) => transportOf(cell) ?? '–' },
  { dimension: 'loss', head: 'random loss, %', read: ({ loss }) => percent(loss) },
  { dimension: 'sweep', head: 'swept', read: ({ sweep }) => (sweep === undefined ? '–' : String(sweep.value)) },
];

/** Those with more than one value; what is swept is called by its name. */
function axesOf(rows: readonly TableRow[]): readonly Axis[] {
  const varied = dimensionsOf(rows);
  const swept = rows.find(({ cell }) => cell.sweep !== undefined)?.cell.sweep;
  return AXES.filter(({ dimension }) => varied.includes(dimension)).map((axis) =>
    axis.dimension === 'sweep' && swept !== undefined ? { ...axis, head: sweepName(swept.path) } : axis,
  );
}

/** Of several flows, and of real time: where anything tells them. */
const WHERE_TOLD: readonly {
  readonly id: MetricId;
  readonly head: string;
  readonly write: (value: number) => string;
}[] = [
  { id: 'cpu_percent', head: 'CPU, %', write: number },
  { id: 'jain_together', head: 'Jain, together', write: number },
  { id: 'first_share', head: 'first flow, %', write: percent },
];

function cells(rows: readonly TableRow[], axes: readonly Axis[]): string {
  const told = WHERE_TOLD.filter(({ id }) => rows.some(({ metrics }) => metrics[id] !== null));
  const head = [
    'algorithm',
    ...axes.map((axis) => axis.head),
    'limit',
    'utilisation, %',
    'queueing, ms',
    'p95, ms',
    'loss, %',
    ...told.map(({ head: name }) => name),
    'runs',
  ];
  const shown = rows.slice(0, MOST_ROWS);
  const lines = shown.map((row) => [
    row.label,
    ...axes.map((axis) => axis.read(row.cell)),
    row.limit,
    written(row.metrics.utilisation, percent),
    written(row.metrics.queueing_mean),
    written(row.metrics.queueing_p95),
    written(row.metrics.loss, percent),
    ...told.map(({ id, write }) => written(row.metrics[id], write)),
    row.n === row.planned ? String(row.n) : `${row.n} of ${row.planned}`,
  ]);
  const more = rows.length > shown.length ? `… and ${rows.length - shown.length} more cells, in summary.csv\n` : '';
  const repeated = shown.some(({ metrics }) => typeof metrics.utilisation?.low === 'number');
  return table([head, ...lines]) + more + (repeated ? 'In brackets: 95 % intervals over the runs of each line.\n' : '');
}

/** Means over the traces of each set, with intervals over them. */
function sets(rows: readonly TableRow[], axes: readonly Axis[]): string {
  const groups = groupRows(
    rows.filter(({ cell }) => cell.trace_set !== undefined),
    'set',
    null,
  );
  if (groups.length === 0) return '';
  const others = axes.filter(({ dimension }) => dimension !== 'trace' && dimension !== 'set');
  const mean = (found: GroupMean | null, write = number): string => {
    if (found === null) return '–';
    const { mean: centre, interval_traces: interval } = found;
    return interval === null ? write(centre) : `${write(centre)} (${between(interval, write)})`;
  };
  const lines = groups.slice(0, MOST_ROWS).flatMap((group) => {
    const [first] = group.rows;
    if (first === undefined) return [];
    const of = (id: MetricId, write = number): string =>
      mean(
        groupMean(group, (row) => row.metrics[id]?.mean ?? null, METRICS[id].range(first.cell)),
        write,
      );
    return [
      [
        first.cell.trace_set ?? '',
        first.label,
        ...others.map((axis) => axis.read(first.cell)),
        first.limit,
        of('utilisation', percent),
        of('queueing_mean'),
        of('queueing_p95'),
        of('loss', percent),
      ],
    ];
  });
  const head = ['set', 'algorithm', ...others.map((axis) => axis.head), 'limit', 'utilisation, %', 'queueing, ms'];
  return `\nMeans over the traces of a set; in brackets 95 % intervals over them, from three on\n${table([[...head, 'p95, ms', 'loss, %'], ...lines], '  ')}`;
}

/** `0.81 (0.79 … 0.83 over 5 repetitions; 0.7 … 0.9 over 3 traces)`. */
function scoreText({ score, interval, interval_traces }: RankedCca, over: Ranking['over']): string {
  const intervals = [
    ...(interval === null ? [] : [`${between(interval)} over ${over.repetitions} repetitions`]),
    ...(interval_traces === null ? [] : [`${between(interval_traces)} over ${over.traces} traces`]),
  ];
  const value = score.value === null ? '–' : number(score.value);
  return intervals.length === 0 ? value : `${value} (${intervals.join('; ')})`;
}

function scenarios(results: readonly CellResult[]): string {
  const terms = termTable(results);
  return SCENARIOS.filter(({ main }) => main)
    .map(({ label, weights }) => {
      const { ranking, left_out } = rankMeasured(terms, weights);
      const ranked = ranking.ccas.filter(({ rank }) => rank !== null);
      // One alone is no contest.
      if (ranked.length < 2) return '';
      const lines = ranked
        .slice(0, MOST_RANKS)
        .map((cca) => [String(cca.rank), cca.label, scoreText(cca, ranking.over)]);
      const without = left_out.length === 0 ? '' : `, without ${left_out.join(' and ')}, which nobody measured`;
      const more =
        ranked.length > lines.length ? `  … and ${ranked.length - lines.length} more, in summary.json\n` : '';
      return `\n${label}${without}${ranking.tested ? '; equal ranks cannot be told apart' : ''}\n${table(lines, '  ')}${more}`;
    })
    .join('');
}

/** `31 (25 … 37), harmful`. */
const harmText = (done: Estimate | null, test: HarmTest | null): string =>
  done === null ? '–' : `${written(done)}${test === null ? '' : `, ${test.outcome}`}`;

function harm(results: readonly CellResult[], axes: readonly Axis[]): string {
  const { results: all } = harmTable(results);
  const told = all.filter(({ throughput, delay }) => throughput !== null || delay !== null);
  if (told.length === 0) return '';
  const line = ({ cell, label, throughput, delay, throughput_test, delay_test }: HarmResult): string[] => [
    label,
    ...axes.map((axis) => axis.read(cell)),
    bufferLabel(cell.buffer),
    harmText(throughput, throughput_test),
    harmText(delay, delay_test),
  ];
  const shown = told.slice(0, MOST_ROWS);
  const more = told.length > shown.length ? `  … and ${told.length - shown.length} more, in summary.json\n` : '';
  const head = ['algorithm', ...axes.map((axis) => axis.head), 'limit', 'throughput', 'delay'];
  return `\nHarm to the baseline beside it, % of what it has alone\n${table([head, ...shown.map(line)], '  ')}${more}`;
}

/** Where the algorithm's part of the link it shares with the baseline passes a half (Zeus, figure 9). */
function crossings(results: readonly CellResult[], axes: readonly Axis[]): string {
  const told = shareCrossings(results).flatMap(({ cell, label, unit, crossing }) => {
    if (crossing.kind !== 'one') return [];
    const { at, above, interval } = crossing;
    const size = (value: number): string => (unit === 'BDP' ? `${number(value)} BDP` : `${number(value / 1000)} kB`);
    const where = interval === null ? size(at) : `${size(at)} (${between(interval, size)})`;
    return [
      [
        label,
        ...axes.map((axis) => axis.read(cell)),
        where,
        `${above === 'a' ? 'it' : 'the baseline'} has more beyond`,
      ],
    ];
  });
  if (told.length === 0) return '';
  const more = told.length > MOST_ROWS ? `  … and ${told.length - MOST_ROWS} more, in summary.json\n` : '';
  const rows = [['algorithm', ...axes.map((axis) => axis.head), 'limit', ''], ...told.slice(0, MOST_ROWS)];
  return `\nQueue limit at which the shares of a link with the baseline cross\n${table(rows, '  ')}${more}`;
}

export function answers(results: readonly CellResult[]): string {
  const rows = tableOf(results);
  const axes = axesOf(rows);
  return cells(rows, axes) + sets(rows, axes) + scenarios(results) + harm(results, axes) + crossings(results, axes);
}
