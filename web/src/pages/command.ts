// The command that repeats on a terminal what the page shows.
import type { Cell, ExperimentRecord, RunRole } from '#protocol/api';
import type { ExperimentSpec } from '#protocol/spec';
import { shortSpec } from './new/draft';

export const specJson = (spec: ExperimentSpec): string => JSON.stringify(shortSpec(spec), null, 2);

export const runCommand = (spec: ExperimentSpec): string =>
  `npx paceline run - --out results <<'EOF'\n${specJson(spec)}\nEOF\n`;

/** The experiment cut down to one cell: all its repetitions, with the pairs only when the run is one. */
export function cellSpec({ spec }: Pick<ExperimentRecord, 'spec'>, cell: Cell, role: RunRole): ExperimentSpec {
  const { sweep: _sweep, transports: _transports, ...rest } = spec;
  return {
    ...rest,
    traces: [cell.trace],
    ccas: [cell.cca],
    buffers: [cell.buffer],
    queues: [cell.queue],
    base_rtt_ms: [cell.base_rtt_ms],
    loss: [cell.loss],
    ...(cell.transport === undefined ? {} : { transports: [cell.transport] }),
    ...(cell.sweep === undefined ? {} : { sweep: { path: cell.sweep.path, values: [cell.sweep.value] } }),
    full_scores: role !== 'solo',
  };
}
