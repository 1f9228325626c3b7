// What a what-if begins with when nobody said of what.
import type { TraceRecord } from '#protocol/api';
import { ExperimentSpec } from '#protocol/spec';
import { traceRef } from '../new/draft';

/** A link of today, where a trace of one is not there. */
const RATE = { rate_mbps: 50 };

/** Cubic over the first trace of LTE, or whatever trace is there. */
export function firstSpec(traces: readonly TraceRecord[]): ExperimentSpec {
  const shown = traces.filter(({ labels }) => labels?.archived !== true);
  const trace = shown.find(({ technology }) => technology.startsWith('4G')) ?? shown[0];
  return ExperimentSpec.parse({
    name: 'What if',
    duration_s: 30,
    traces: [trace === undefined ? RATE : traceRef(trace, traces)],
    ccas: [{ id: 'cubic' }],
    base_rtt_ms: [40],
    buffers: [{ bdp: 2 }],
  });
}
