// A planned experiment whose runs somebody else has made, as it is exported: the same as the command line writes.
import { answersOf } from '#analysis/experiment-answers';
import { experimentReport } from '#analysis/experiment-report';
import { resultsOf } from '#analysis/results';
import { finish } from '#analysis/steps';
import { termTable } from '#analysis/terms';
import { traceOwner, tracesOfSpec, type TraceOwner } from '#analysis/trace-owners';
import type { Cell, RunRef, RunState, TraceRecord } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import { experimentColumns, experimentCsv, exportExperiment, surveySteps } from '../export/experiment.ts';
import { experimentId } from '../identity.ts';

/** Beyond that the file would be larger than anybody reads. */
const MOST_RUNS_IN_REPORT = 2000;

export interface Made {
  readonly spec: ExperimentSpec;
  readonly cells: readonly Cell[];
  readonly runs: readonly RunRef[];
  /** Of the engine that made them; absent: the one that is told. */
  readonly engine_version?: string | undefined;
  /** Absent: now. */
  readonly created_at?: string | undefined;
}

function wholeOf(
  { spec, cells, runs, engine_version: made, created_at }: Made,
  engine: EngineListing,
): WholeExperiment {
  const engine_version = made ?? engine.engine_version;
  // What has several places is one run.
  const count = (...states: readonly RunState[]): number =>
    new Set(runs.flatMap(({ id, state }) => (states.length === 0 || states.includes(state) ? [id] : []))).size;
  const done = count('done', 'invalid');
  return {
    id: experimentId(spec, engine_version),
    name: spec.name,
    state: done === count() ? 'done' : 'failed',
    created_at: created_at ?? new Date().toISOString(),
    traces: [...new Set(cells.map(({ trace_name }) => trace_name))],
    ccas: [...new Set(cells.map(({ cca }) => cca.id))],
    runs_total: count(),
    runs_done: done,
    runs_failed: count() - done,
    spec,
    cells: [...cells],
    runs,
    engine_version,
    eta_s: null,
  };
}

/** The experiment as one file of HTML, as `paceline report` writes it; but for the papers of a study, of which there are none here. */
export function reportText(made: Made, engine: EngineListing, traces: readonly TraceRecord[]): string {
  const whole = wholeOf(made, engine);
  const { runs: _runs, cells: _cells, ...experiment } = whole;
  const results = resultsOf(whole, engine.ccas);
  const used = tracesOfSpec(made.spec).flatMap((id) => traces.filter((trace) => trace.id === id));
  const around = { page: null, owners: used.map(traceOwner) };
  const parts = experimentReport({
    made: new Date().toISOString().slice(0, 10),
    version: engine.engine_version.split('+')[0] ?? '',
    experiment,
    results,
    terms: termTable(results),
    answers: answersOf(results),
    listing: engine,
    traces: used,
    papers: [],
    permalink: null,
    runs: made.runs.length <= MOST_RUNS_IN_REPORT ? experimentCsv(whole, finish(surveySteps(whole)), around) : null,
  });
  return [...parts].join('');
}

/** A row per run. */
export const tableOf = (whole: WholeExperiment, owners: readonly TraceOwner[]) =>
  experimentColumns(whole, finish(surveySteps(whole)), { page: null, owners });

const joined = (chunks: Iterable<Uint8Array>): string => Buffer.concat([...chunks]).toString('utf8');

/** What `summary.json` of the command line says; `table`: a row per run, what the experiment answers. */
export function resultOf(made: Made, engine: EngineListing, traces: readonly TraceRecord[]) {
  const whole = wholeOf(made, engine);
  const survey = finish(surveySteps(whole));
  const results = resultsOf(whole, engine.ccas);
  const owners = tracesOfSpec(made.spec).flatMap((id) => traces.filter((trace) => trace.id === id).map(traceOwner));
  const around = { page: null, owners };
  return {
    summary: joined(exportExperiment(whole, survey, engine.ccas, 'json', around, results)),
    table: tableOf(whole, owners),
    answers: answersOf(results),
  };
}
