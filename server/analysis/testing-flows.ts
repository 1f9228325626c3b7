// Manifests of runs whose samples tests make up.
import { expandSpec } from '#analysis/planner';
import { findTrace, LISTING } from '#analysis/testing';
import type { RunManifest } from '#protocol/manifest';
import { ExperimentSpec } from '#protocol/spec';

export interface MadeFlow {
  readonly start_s?: number;
  readonly stop_s?: number;
}

/** Of flows over a trace at a base RTT of 20 ms. */
export function manifestOf(flows: readonly MadeFlow[], duration_s: number, sample_period_ms = 10): RunManifest {
  const expansion = expandSpec(
    ExperimentSpec.parse({
      traces: [{ trace: 'lte.down' }],
      ccas: [{ id: 'rival' }],
      flows: flows.map(({ start_s, stop_s }) => ({
        ...(start_s === undefined ? {} : { start_s }),
        ...(stop_s === undefined ? {} : { stop_s }),
      })),
      base_rtt_ms: [20],
      duration_s,
      sample_period_ms,
      vary: [],
    }),
    { engine: LISTING, findTrace },
  );
  if (!expansion.ok) throw new Error(JSON.stringify(expansion));
  const [run] = expansion.runs;
  if (run === undefined) throw new Error('a spec has a run');
  return run.manifest;
}
