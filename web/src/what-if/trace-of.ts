// The trace over which a spec of one cell runs.
import { traceNamed } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import type { ExperimentSpec } from '#protocol/spec';

/** undefined: a constant rate, or a trace that is not here. */
export function traceOf({ traces: [ref] }: ExperimentSpec, traces: readonly TraceRecord[]): TraceRecord | undefined {
  return ref !== undefined && 'trace' in ref ? traceNamed(traces, ref.trace) : undefined;
}
