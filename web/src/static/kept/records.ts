// What the page reads of kept experiments and runs, in the form in which a server tells of its own.
import type { ExperimentListItem, ExperimentRecord, ExperimentState, RunRecord, RunRef, RunState } from '#protocol/api';
import type { KeptExperiment, KeptRun } from './database';
import type { Desk } from './desk';

const OVER: readonly RunState[] = ['done', 'invalid'];

/** Each run once, in the order of the matrix. */
export const runsOf = ({ places }: KeptExperiment, { runs }: Pick<Desk, 'runs'>): KeptRun[] =>
  [...new Set(places.map(({ run }) => run))].flatMap((id) => runs.get(id) ?? []);

function stateOf(runs: readonly KeptRun[]): ExperimentState {
  const count = (...states: readonly RunState[]): number => runs.filter(({ state }) => states.includes(state)).length;
  if (count('running') > 0) return 'running';
  if (count('queued') > 0) return count('queued') === runs.length ? 'queued' : 'running';
  if (count('cancelled') > 0) return 'cancelled';
  return count('failed') > 0 && count('failed', ...OVER) === runs.length ? 'failed' : 'done';
}

export function itemOf(experiment: KeptExperiment, desk: Pick<Desk, 'runs'>): ExperimentListItem {
  const { id, created_at, spec, cells, places, labels } = experiment;
  const runs = runsOf(experiment, desk);
  const states = places.map(({ run }) => desk.runs.get(run)?.state ?? 'queued');
  const { name, note: _note, deleted: _deleted, ...said } = labels;
  const isSaid = said.starred || said.archived || said.tags.length > 0;
  return {
    id,
    name: name ?? spec.name,
    state: stateOf(runs),
    created_at,
    traces: [...new Set(cells.map(({ trace_name }) => trace_name))],
    ccas: [...new Set(cells.map(({ cca }) => cca.id))],
    runs_total: places.length,
    runs_done: states.filter((state) => OVER.includes(state)).length,
    runs_failed: states.filter((state) => state === 'failed').length,
    ...(isSaid ? { labels: said } : {}),
  };
}

export const refsOf = ({ places }: KeptExperiment, { runs }: Pick<Desk, 'runs'>): RunRef[] =>
  places.flatMap(({ run, cell, role, repetition }) => {
    const found = runs.get(run);
    if (found === undefined) return [];
    const { id, state, reason, time_s, summary } = found;
    return [{ id, cell, role, repetition, state, reason, time_s, summary }];
  });

export const recordOf = (experiment: KeptExperiment, desk: Pick<Desk, 'runs'>): ExperimentRecord => ({
  ...itemOf(experiment, desk),
  spec: experiment.spec,
  cells: [...experiment.cells],
  runs: refsOf(experiment, desk),
  eta_s: null,
});

export function runRecordOf(run: KeptRun, desk: Desk): RunRecord {
  const { id, state, reason, manifest, summary, time_s, created_at, started_at, finished_at } = run;
  const experiments = desk.homesOf(id).flatMap((experiment) => {
    const place = experiment.places.find((one) => one.run === id);
    const { name } = itemOf(experiment, desk);
    return place === undefined ? [] : [{ id: experiment.id, name, cell: place.cell, role: place.role }];
  });
  return {
    id,
    state,
    reason,
    stderr_tail: null,
    manifest,
    summary,
    cost: null,
    time_s,
    created_at,
    started_at,
    finished_at,
    experiments,
  };
}
