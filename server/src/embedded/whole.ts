// A planned experiment whose runs somebody else has made, as it is exported: the same as the command line writes.
import { answersOf } from '#analysis/experiment-answers';
import { resultsOf } from '#analysis/results';
import { finish } from '#analysis/steps';
import { traceOwner, tracesOfSpec, type TraceOwner } from '#analysis/trace-owners';
import type { Cell, RunRef, RunState, TraceRecord } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import { experimentColumns, exportExperiment, surveySteps } from '../export/experiment.ts';
import { experimentId } from '../identity.ts';

export interface Made {
  readonly spec: ExperimentSpec;
  readonly cells: readonly Cell[];
  readonly runs: readonly RunRef[];
  /** Of the engine that made them; absent: the one that is told. */
  readonly engine_version?: string | undefined;
}

function wholeOf({ spec, cells, runs, engine_version: made }: Made, engine: EngineListing): WholeExperiment {
  const engine_version = made ?? engine.engine_version;
  // What has several places is one run.
  const count = (...states: readonly RunState[]): number =>
    new Set(runs.flatMap(({ id, state }) => (states.length === 0 || states.includes(state) ? [id] : []))).size;
  const done = count('done', 'invalid');
  return {
    id: experimentId(spec, engine_version),
    name: spec.name,
    state: done === count() ? 'done' : 'failed',
    created_at: new Date().toISOString(),
    traces: [...new Set(cells.map(({ trace_name }) => trace_name))],
    ccas: [...new Set(cells.map(({ cca }) => cca.id))],
    runs_total: count(),
    runs_done: done,
    runs_failed: count() - done,
    spec,
    cells: [...cells],
    runs,
    eta_s: null,
    engine_version,
  };
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
