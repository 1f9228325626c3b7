import { tmpdir } from 'node:os';
import { run } from '#bridge/run';
import type { LinkSpec, RunManifest } from '#protocol/manifest';

export const RTT_MS = 20;

export interface Scenario {
  readonly cca: string;
  readonly mbps: number;
  readonly bdp: number;
  readonly flows: number;
  readonly duration_s: number;
}

const link = (capacity: LinkSpec['capacity'], limit_bytes: number | null): LinkSpec => ({
  loss: 0,
  queue: { id: limit_bytes === null ? 'infinite' : 'droptail', limit_bytes, limit_packets: null, params: {} },
  capacity,
  delay_ms: RTT_MS / 2,
});

export const scenarioManifest = (
  { cca, mbps, bdp, flows, duration_s }: Scenario,
  engine_version: string,
): RunManifest => ({
  schema: 1,
  engine: 'virtual',
  path: 'memory',
  engine_version,
  duration_s,
  sample_period_ms: 10,
  seed: 1,
  repetition: 0,
  forward: link({ kind: 'constant', rate_mbps: mbps }, Math.round((bdp * mbps * RTT_MS * 1000) / 8)),
  reverse: link({ kind: 'unlimited' }, null),
  flows: Array.from({ length: flows }, (_, i) => ({
    cca: { id: cca, params: {} },
    start_s: i * 0.1,
    stop_s: null,
    extra_rtt_ms: 0,
    transport: 'tcp',
    ack_every: 2,
    source: { kind: 'bulk' },
  })),
});

/** Million packets per second of processor time, in which other load matters little; with full metrics and a sample every 10 ms. */
export async function engineRate(scenario: Scenario, engineVersion: string): Promise<number> {
  const { outcome, reason, cost } = await run(scenarioManifest(scenario, engineVersion), {
    tracesDir: tmpdir(),
    onFrame: () => undefined,
  });
  if (outcome !== 'done' || cost === null) throw new Error(`the run ended as ${outcome}: ${reason ?? 'no cost frame'}`);
  return cost.packets / cost.cpu_s / 1e6;
}
