// Keeps the page's copy of an experiment in step with what the socket says about it.
import type { ExperimentRecord, RunRef } from '#protocol/api';
import type { ExperimentMessage } from '../../live/live-client';

export function applyMessages(record: ExperimentRecord, messages: readonly ExperimentMessage[]): ExperimentRecord {
  let next = record;
  const changed = new Map<string, RunRef>();
  for (const message of messages) {
    if (message.experiment !== record.id) continue;
    if (message.type === 'run') changed.set(message.run.id + message.run.cell + message.run.role, message.run);
    else {
      const { state, runs_done, runs_failed, runs_total, eta_s } = message;
      next = { ...next, state, runs_done, runs_failed, runs_total, eta_s };
    }
  }
  if (changed.size === 0) return next;
  return { ...next, runs: next.runs.map((run) => changed.get(run.id + run.cell + run.role) ?? run) };
}
