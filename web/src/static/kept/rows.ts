// The table of runs: those of the site and those of this browser.
import { METRICS } from '#analysis/metrics';
import { bufferLabel } from '#analysis/limits';
import { FIGURE_FIELDS, limitWord } from '#analysis/run-fields';
import type { OtherHome } from '#analysis/run-rows';
import type { RunTableRow } from '#protocol/run-table';
import type { KeptExperiment, KeptPlace, KeptRun } from './database';
import { desk, type Desk } from './desk';
import { itemOf } from './records';
import { siteRows } from './site-runs';

function rowOf(
  run: KeptRun,
  experiment: KeptExperiment,
  { cell: key, role, repetition }: KeptPlace,
  desk: Desk,
): RunTableRow | null {
  const cell = experiment.cells.find((one) => one.key === key);
  if (cell === undefined) return null;
  const { id, manifest, state, summary, created_at } = run;
  const { name, labels } = itemOf(experiment, desk);
  return {
    id,
    state,
    experiment: { id: experiment.id, name },
    ccas: manifest.flows.map(({ cca }) => cca.id),
    trace: cell.trace_name,
    buffer: limitWord(bufferLabel(cell.buffer)),
    role,
    engine: manifest.engine,
    queue: cell.queue.id,
    transport: manifest.flows[0]?.transport ?? '',
    version: manifest.engine_version,
    rtt0: cell.base_rtt_ms,
    loss_rate: cell.loss,
    duration: manifest.duration_s,
    flows: manifest.flows.length,
    rep: repetition,
    made: created_at,
    tags: labels?.tags ?? [],
    starred: labels?.starred ?? false,
    figures: Object.fromEntries(
      FIGURE_FIELDS.map(({ id: field, metric }) => [
        field,
        summary === null || metric === undefined ? null : METRICS[metric].of(summary),
      ]),
    ),
  };
}

export interface RowsInSight {
  readonly rows: readonly RunTableRow[];
  /** Experiments that have a run besides the one in its row. */
  readonly others: ReadonlyMap<string, readonly OtherHome[]>;
}

/** Each run once, as the newest experiment has it; what was archived or deleted is out of sight. */
export async function rowsInSight(): Promise<RowsInSight> {
  const known = await desk();
  const rows = new Map<string, RunTableRow>();
  const others = new Map<string, OtherHome[]>();
  const shown = [...known.experiments.values()].filter(({ labels }) => labels.deleted === null && !labels.archived);
  for (const experiment of shown.sort((a, b) => b.created_at.localeCompare(a.created_at)))
    for (const place of experiment.places) {
      const run = known.runs.get(place.run);
      const row = run === undefined ? null : rowOf(run, experiment, place, known);
      if (row !== null) add(rows, others, row);
    }
  for (const row of await siteRows()) add(rows, others, row);
  return { rows: [...rows.values()], others };
}

function add(rows: Map<string, RunTableRow>, others: Map<string, OtherHome[]>, row: RunTableRow): void {
  const first = rows.get(row.id);
  const { experiment, tags, starred } = row;
  if (first === undefined) rows.set(row.id, row);
  else if (first.experiment.id !== experiment.id)
    others.set(row.id, [...(others.get(row.id) ?? []), { ...experiment, tags, starred }]);
}
