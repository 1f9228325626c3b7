// An experiment's results. CSV and Parquet: one row per run with its place in the matrix, its settings and its figures, so that
// any mean can be made again. JSON: the same and all that is derived from it, as the page shows it.
import { canonicalJson } from '#analysis/identity';
import { DIRECTIONS, flowsBeside } from '#analysis/own-elements';
import { paused } from '#analysis/steps';
import type { Cell, RunRef } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { ccaLabel } from '#analysis/cca-label';
import { ccdf } from '#analysis/delay-distribution';
import { sharedFairness } from '#analysis/fairness';
import { frontierSteps } from '#analysis/frontier';
import { resultLatex } from '#analysis/result-latex';
import { harmTable } from '#analysis/harm';
import { bufferLabel } from '#analysis/limits';
import { basisOf } from '#analysis/packet-delay';
import { METRICS, METRIC_IDS } from '#analysis/metrics';
import { rankMeasuredSteps, rankSteps, stability } from '#analysis/ranking';
import { disciplineOf, resultsOf, transportOf, type CellResult } from '#analysis/results';
import { SCENARIOS } from '#analysis/scores';
import { tableOf } from '#analysis/table';
import { shareCrossings } from '#analysis/share-crossings';
import { termSteps } from '#analysis/terms';
import type { TraceOwner } from '#analysis/trace-owners';
import { verdictOf } from '#analysis/validity';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import { inGroups } from '../slices.ts';
import { csvLine } from './csv.ts';
import { encodeText, pageOf, type Chunks, type Page, type ResultFormat } from './formats.ts';
import { ParquetStream, type ParquetColumn, type ParquetValue } from './parquet.ts';

/** Rows of a group of a Parquet file: some milliseconds. */
const GROUP_ROWS = 500;

interface Row {
  readonly experiment: WholeExperiment;
  readonly cell: Cell;
  readonly run: RunRef;
}

interface RowColumn extends ParquetColumn {
  readonly of: (row: Row) => ParquetValue;
}

const text = (name: string, of: RowColumn['of']): RowColumn => ({ name, type: 'STRING', nullable: true, of });
const number = (name: string, of: RowColumn['of']): RowColumn => ({ name, type: 'DOUBLE', nullable: true, of });

function paramsText(params: Readonly<Record<string, unknown>>): string | null {
  return Object.keys(params).length === 0 ? null : JSON.stringify(params);
}

const validity = ({ experiment, run }: Row) => (run.summary === null ? null : verdictOf(run.summary, experiment.spec));

function isValid(row: Row): boolean | null {
  const verdict = validity(row);
  return verdict === null ? null : verdict.valid && row.run.state === 'done';
}

function reasonOf(row: Row): string | null {
  const reasons = validity(row)?.reasons ?? [];
  return row.run.reason ?? (reasons.length === 0 ? null : reasons.join('; '));
}

/** Pairs are alike in all but the CCA: both join where the first flow does. */
const besideOf = ({ experiment: { spec }, run }: Row): readonly number[] =>
  run.role === 'solo' ? flowsBeside(spec.elements?.forward, spec.flows) : [];
const fairness = (row: Row) => (row.run.summary === null ? null : sharedFairness(row.run.summary, besideOf(row)));

/** Unknown where there is one flow. */
function windowsOf(row: Row): number | null {
  const measured = fairness(row)?.measured_k.length ?? 0;
  return measured === 0 ? null : measured;
}
function missingOf(row: Row): string | null {
  const missing = fairness(row)?.missing_k ?? [];
  return missing.length === 0 ? null : missing.join(' ');
}

/** Where some flow joins behind the link: over which Jain's index is, and which they are. */
function besideColumns({ spec }: WholeExperiment, flows: number): RowColumn[] {
  if (flowsBeside(spec.elements?.forward, spec.flows).length === 0) return [];
  return [
    text('jain_flows', (row) => fairness(row)?.flows.join(' ') ?? null),
    ...Array.from({ length: flows }, (_, flow): RowColumn => ({
      name: `flow${flow}_passes_link`,
      type: 'BOOLEAN',
      nullable: true,
      of: (row) =>
        row.run.summary?.senders.some((sender) => sender.flow === flow) === true ? !besideOf(row).includes(flow) : null,
    })),
  ];
}

function flowColumns(flow: number): RowColumn[] {
  const sender = ({ run }: Row) => run.summary?.senders.find((candidate) => candidate.flow === flow);
  const receiver = ({ run }: Row) => run.summary?.receivers.find((candidate) => candidate.flow === flow);
  const queueing = ({ run }: Row) =>
    run.summary?.links
      .find(({ direction }) => direction === 'forward')
      ?.flows?.find((candidate) => candidate.flow === flow)?.queueing_delay;
  return [
    text(`flow${flow}_cca`, (row) => sender(row)?.cca ?? null),
    number(`flow${flow}_throughput_mbps`, (row) => receiver(row)?.throughput_mbps ?? null),
    number(`flow${flow}_rtt_mean_ms`, (row) => sender(row)?.rtt.mean_ms ?? null),
    ...(['mean_ms', 'p50_ms', 'p95_ms', 'p99_ms'] as const).flatMap((figure) => [
      number(`flow${flow}_owd_${figure}`, (row) => receiver(row)?.owd[figure] ?? null),
      number(`flow${flow}_queueing_${figure}`, (row) => queueing(row)?.[figure] ?? null),
    ]),
    number(`flow${flow}_retransmitted_packets`, (row) => sender(row)?.retransmitted_packets ?? null),
  ];
}

/** Of a flow whose application writes messages. */
function messageColumns(flow: number): RowColumn[] {
  const offered = ({ run }: Row) => run.summary?.senders.find((candidate) => candidate.flow === flow)?.messages;
  const received = ({ run }: Row) => run.summary?.receivers.find((candidate) => candidate.flow === flow)?.messages;
  return [
    number(`flow${flow}_messages`, (row) => offered(row)?.count ?? null),
    number(`flow${flow}_messages_completed`, (row) => received(row)?.completed ?? null),
    number(`flow${flow}_messages_due`, (row) => offered(row)?.due ?? null),
    number(`flow${flow}_messages_on_time`, (row) => received(row)?.on_time ?? null),
    ...(['mean_ms', 'p50_ms', 'p95_ms', 'p99_ms', 'max_ms'] as const).map((figure) =>
      number(`flow${flow}_message_delay_${figure}`, (row) => received(row)?.delay[figure] ?? null),
    ),
  ];
}

/** What must be known of all runs before the first row is written. */
export interface Survey {
  /** The most of any run. */
  readonly flows: number;
  /** Those whose application writes messages. */
  readonly flowsWithMessages: readonly number[];
  readonly ccas: ReadonlySet<string>;
}

/** Stops after each run, as there may be very many. */
export function* surveySteps({ runs, cells }: WholeExperiment): Generator<void, Survey, undefined> {
  let flows = 0;
  const withMessages = new Set<number>();
  const ccas = new Set(cells.map((cell) => cell.cca.id));
  for (const { summary } of runs) {
    const senders = summary?.senders ?? [];
    flows = Math.max(flows, senders.length);
    for (const { flow, cca, messages } of senders) {
      ccas.add(cca);
      if (messages !== undefined) withMessages.add(flow);
    }
    yield;
  }
  return { flows, flowsWithMessages: [...withMessages].sort((a, b) => a - b), ccas };
}

/** What is beside the experiment itself in its files. */
export interface Surroundings {
  readonly page: Page;
  readonly owners: readonly TraceOwner[];
}

/** Whose the row's trace is; of those of the way back and of further bottlenecks all that is known. */
function ownerColumns({ cells }: WholeExperiment, owners: readonly TraceOwner[]): RowColumn[] {
  const known = new Map(owners.map((owner) => [owner.id, owner]));
  const own = new Set(cells.flatMap(({ trace }) => ('trace' in trace ? [trace.trace] : [])));
  const of = ({ cell: { trace } }: Row) => ('trace' in trace ? known.get(trace.trace) : undefined);
  const others = owners.filter(({ id }) => !own.has(id));
  return [
    ...(owners.length === 0
      ? []
      : [
          text('trace_licence', (row) => of(row)?.licence ?? null),
          text('trace_source', (row) => of(row)?.source ?? null),
        ]),
    ...(others.length === 0 ? [] : [text('other_trace_owners', () => JSON.stringify(others))]),
  ];
}

function columnsOf(experiment: WholeExperiment, survey: Survey, { page, owners }: Surroundings): RowColumn[] {
  const { spec } = experiment;
  const { flows, flowsWithMessages } = survey;
  return [
    text('experiment', (row) => row.experiment.id),
    text('run', ({ run }) => run.id),
    text('cell', ({ cell }) => cell.key),
    text('role', ({ run }) => run.role),
    { name: 'repetition', type: 'INT32', nullable: false, of: ({ run }) => run.repetition },
    text('state', ({ run }) => run.state),
    { name: 'valid', type: 'BOOLEAN', nullable: true, of: isValid },
    text('reason', reasonOf),
    text('trace', ({ cell }) => cell.trace_name),
    text('trace_sha256', ({ cell }) => ('trace' in cell.trace ? cell.trace.trace : null)),
    text('cca', ({ cell }) => cell.cca.id),
    text('cca_params', ({ cell }) => paramsText(cell.cca.params)),
    text('buffer', ({ cell }) => ('infinite' in cell.buffer ? 'infinite' : bufferLabel(cell.buffer))),
    number('limit_bytes', ({ cell }) => cell.limit_bytes),
    text('bdp_of', ({ experiment }) => experiment.spec.bdp_of ?? 'trace'),
    text('queue', ({ cell }) => disciplineOf(cell).id),
    text('queue_params', ({ cell }) => paramsText(disciplineOf(cell).params)),
    number('base_rtt_ms', ({ cell }) => cell.base_rtt_ms),
    number('loss_probability', ({ cell }) => cell.loss),
    number('duration_s', ({ run }) => run.summary?.duration_s ?? null),
    number('capacity_mean_mbps', ({ run }) => run.summary?.links[0]?.capacity_mean_mbps ?? null),
    ...METRIC_IDS.map((id) =>
      number(METRICS[id].column, (row) => {
        if (row.run.summary === null) return null;
        return id === 'jain' ? (fairness(row)?.throughput ?? null) : METRICS[id].of(row.run.summary);
      }),
    ),
    text('delay_basis', ({ run }) => (run.summary === null ? null : basisOf([run.summary]))),
    number('jain_short_term', (row) => fairness(row)?.short ?? null),
    number('jain_long_term', (row) => fairness(row)?.long ?? null),
    number('jain', (row) => fairness(row)?.value ?? null),
    // Of the ten windows of k base RTTs: how many these stand on, and which are missing.
    number('jain_windows', windowsOf),
    text('jain_missing_k', missingOf),
    ...Array.from({ length: flows }, (_, flow) => flowColumns(flow)).flat(),
    ...flowsWithMessages.flatMap(messageColumns),
    text('engine_version', ({ experiment }) => experiment.engine_version),
    ...(experiment.cells.some((cell) => transportOf(cell) !== undefined)
      ? [text('transport', ({ cell }) => transportOf(cell) ?? null)]
      : []),
    ...(spec.sweep === undefined
      ? []
      : [
          text('sweep', ({ cell }) => cell.sweep?.path ?? null),
          text('swept_value', ({ cell }) => (cell.sweep === undefined ? null : String(cell.sweep.value))),
        ]),
    ...(experiment.cells.some(({ trace_set }) => trace_set !== undefined)
      ? [text('trace_set', ({ cell }) => cell.trace_set ?? null)]
      : []),
    text('permalink', ({ run }) => pageOf(page, 'r', run.id)),
    // Where the path lists its elements, with the traces of further bottlenecks by content.
    ...DIRECTIONS.flatMap((direction) => {
      const elements = spec.elements?.[direction];
      return elements === undefined ? [] : [text(`path_${direction}`, () => canonicalJson(elements))];
    }),
    ...ownerColumns(experiment, owners),
    ...besideColumns(experiment, flows),
  ];
}

function* rowsOf(experiment: WholeExperiment): Generator<Row, void, undefined> {
  const cells = new Map(experiment.cells.map((cell) => [cell.key, cell]));
  for (const run of experiment.runs) {
    const cell = cells.get(run.cell);
    if (cell !== undefined) yield { experiment, cell, run };
  }
}

export function* experimentCsv(
  experiment: WholeExperiment,
  survey: Survey,
  around: Surroundings,
): Generator<string, void, undefined> {
  const columns = columnsOf(experiment, survey, around);
  yield csvLine(columns.map((column) => column.name));
  for (const row of rowsOf(experiment)) yield csvLine(columns.map((column) => column.of(row)));
}

/** The same, column by column. */
export function experimentColumns(experiment: WholeExperiment, survey: Survey, around: Surroundings) {
  const rows = [...rowsOf(experiment)];
  return columnsOf(experiment, survey, around).map(({ name, type, of }) => ({ name, type, values: rows.map(of) }));
}

function* parquet(experiment: WholeExperiment, survey: Survey, around: Surroundings): Chunks {
  const columns = columnsOf(experiment, survey, around);
  const permalink = pageOf(around.page, 'e', experiment.id);
  const file = new ParquetStream(columns, {
    'paceline.experiment': experiment.id,
    ...(experiment.engine_version === null ? {} : { 'paceline.engine_version': experiment.engine_version }),
    ...(permalink === null ? {} : { 'paceline.permalink': permalink }),
    'paceline.spec': JSON.stringify(experiment.spec),
    'paceline.cells': JSON.stringify(experiment.cells),
    'paceline.trace_owners': JSON.stringify(around.owners),
  });
  for (const rows of inGroups(rowsOf(experiment), GROUP_ROWS))
    yield file.rowGroup(columns.map((column) => rows.map(column.of)));
  yield file.finish();
}

/** Lines of JSON objects between brackets, each made when its turn comes. */
function* list(items: Iterable<object>): Generator<string, void, undefined> {
  let before = '';
  for (const item of items) {
    yield `${before}\n${JSON.stringify(item)}`;
    before = ',';
  }
}

/** Everything the page derives from the runs, with its default choices, in short pieces. */
export function* derivedText(results: readonly CellResult[]): Generator<string, void, undefined> {
  yield '{"table":[';
  yield* list(rowsOfTable(results));
  yield '\n],\n"frontiers":[';
  yield* list(
    map(frontierSteps(results, { x: 'queueing_mean', y: 'throughput' }), (frontier) => ({
      ...frontier,
      series: frontier.series.map(({ cca: _cca, ...series }) => series),
    })),
  );
  const terms = yield* paused(termSteps(results));
  yield `\n],\n"terms":${JSON.stringify({
    matched: terms.matched,
    conditions: terms.conditions,
    repetitions: terms.repetitions,
    ccas: terms.ccas.map(({ key, label, terms: values }) => ({ key, label, terms: values })),
  })},\n"scores":[`;
  let before = '';
  for (const { id, label, weights } of SCENARIOS) {
    const ranking = yield* paused(rankSteps(terms, weights));
    const measured = yield* paused(rankMeasuredSteps(terms, weights));
    yield `${before}\n${JSON.stringify({ scenario: id, label, weights, ranking, measured })}`;
    before = ',';
  }
  const harm = harmTable(results);
  yield `\n],\n"stability":${JSON.stringify(stability(terms))},\n"harm":{"results":[`;
  yield* list(harm.results);
  yield `\n],"bars":${JSON.stringify(Object.fromEntries(harm.bars))}},\n"crossings":[`;
  yield* list(shareCrossings(results));
  yield '\n],\n"queueing":[';
  yield* list(tailsOf(results));
  yield '\n]}';
}

function* map<T, U>(values: Iterable<T>, of: (value: T) => U): Generator<U, void, undefined> {
  for (const value of values) yield of(value);
}

/** Of each cell whose runs tell it: delays in ms, and the share of all delivered packets of its solo runs that waited longer. */
function* tailsOf(results: readonly CellResult[]): Generator<object, void, undefined> {
  for (const { cell, cca, figures } of results) {
    if (figures.queueing === null || figures.queueing.length === 0) continue;
    const tails = ccdf(figures.queueing);
    yield {
      key: cell.key,
      label: ccaLabel(cell, cca),
      runs: figures.n,
      ms: tails.map(({ ms }) => ms),
      longer: tails.map(({ longer }) => longer),
    };
  }
}

const rowsOfTable = (results: readonly CellResult[]): Iterable<object> =>
  map(results, (result) => {
    const [row] = tableOf([result]);
    if (row === undefined) throw new Error(`cell ${result.cell.key} has no row`);
    const { cca: _cca, ...rest } = row;
    return rest;
  });

function* json(
  experiment: WholeExperiment,
  survey: Survey,
  ccas: readonly CcaDescriptor[],
  { page, owners }: Surroundings,
  results: readonly CellResult[],
): Generator<string, void, undefined> {
  const { runs, ...rest } = experiment;
  const head = JSON.stringify({
    format: 'paceline.experiment',
    version: 1,
    permalink: pageOf(page, 'e', experiment.id),
    ...rest,
    trace_owners: owners,
    cca_descriptors: ccas.filter((cca) => survey.ccas.has(cca.id)),
  });
  yield `${head.slice(0, -1)},\n"runs":[`;
  yield* list(runs);
  yield '\n],\n"derived":';
  yield* derivedText(results);
  yield '}\n';
}

/** A row per cell: of runs there are too many for paper. */
function* latex(
  { id, name, spec, engine_version }: WholeExperiment,
  { page }: Surroundings,
  results: readonly CellResult[],
): Generator<string, void, undefined> {
  const permalink = pageOf(page, 'e', id);
  yield resultLatex(tableOf(results), {
    id,
    name,
    repetitions: spec.repetitions,
    engineVersion: engine_version,
    permalink,
  });
}

export function exportExperiment(
  experiment: WholeExperiment,
  survey: Survey,
  ccas: readonly CcaDescriptor[],
  format: ResultFormat,
  around: Surroundings,
  /** What its cells give, where that is known; else it is made of all runs at once. */
  results: readonly CellResult[] | null = null,
): Chunks {
  if (format === 'parquet') return parquet(experiment, survey, around);
  if (format === 'csv') return encodeText(experimentCsv(experiment, survey, around));
  if (format === 'latex') return encodeText(latex(experiment, around, results ?? resultsOf(experiment, ccas)));
  return encodeText(json(experiment, survey, ccas, around, results ?? resultsOf(experiment, ccas)));
}
