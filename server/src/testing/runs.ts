import type { Cell } from '#protocol/api';
import { ExperimentSpec } from '#protocol/spec';
import { canonicalJson } from '#analysis/identity';
import { manifest } from '#bridge/testing/fake-programs';
import { runId } from '../identity.ts';
import type { Member } from '../store/experiments.ts';
import type { Store } from '../store/store.ts';

/** A run in the store that nobody has started; `seed` tells one from the next. */
export function addRun(store: Store, seed = 1): string {
  const planned = manifest({ seed });
  const id = runId(planned);
  store.runs.insert(id, canonicalJson(planned), new Date(0).toISOString());
  return id;
}

/** An experiment of these runs, all in one cell. */
export function addExperiment(store: Store, id: string, runs: readonly string[]): void {
  const spec = ExperimentSpec.parse({ name: id, traces: [{ rate_mbps: 10 }], ccas: [{ id: 'x' }] });
  const cell: Cell = {
    key: 'c',
    trace: { rate_mbps: 10 },
    trace_name: '10 Mbps',
    cca: { id: 'x', params: {} },
    buffer: { bdp: 1 },
    queue: { id: 'droptail', params: {} },
    base_rtt_ms: 20,
    loss: 0,
    limit_bytes: 25_000,
  };
  store.transaction(() => {
    store.experiments.begin({ id, created_at: '2026-01-01', spec, cells: [cell] });
    store.experiments.addCell(id, 0, cell, 0);
    for (const [place, run] of runs.entries()) {
      const member: Member = { id: run, cell: 'c', role: 'solo', repetition: place };
      store.experiments.addRun(id, place, member);
    }
    store.experiments.finish(id);
  });
}
