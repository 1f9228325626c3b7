import { listCcas } from '#bridge/ccas';
import { run } from '#bridge/run';
import type { CapacitySpec, RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';

/**
 * The measured kernel had no fq packet scheduler, so its window-based algorithms were not paced: bursts left as
 * acknowledgements came in. BBR paces itself.
 */
const UNPACED = new Set(['newreno', 'cubic', 'vegas', 'westwood', 'htcp', 'illinois']);

export interface Scenario {
  readonly cca: string;
  readonly capacity: CapacitySpec;
  readonly queueBytes: number;
  readonly baseRttMs: number;
  readonly startS: number;
  readonly endS: number;
  readonly params?: Readonly<Record<string, number | string>>;
  /** Ours in real time over UDP instead of in virtual time. */
  readonly udp?: boolean;
}

const { engine_version } = await listCcas();

/** One bulk flow over one bottleneck, acknowledgements unhindered. */
function manifestOf({ cca, capacity, queueBytes, baseRttMs, startS, endS, params, udp }: Scenario): RunManifest {
  const path = cca.startsWith('kernel-') ? 'tun' : udp === true ? 'udp' : 'memory';
  const end = { loss: 0, delay_ms: baseRttMs / 2 };
  return {
    schema: 1,
    engine: path === 'memory' ? 'virtual' : 'realtime',
    path,
    engine_version,
    duration_s: endS,
    sample_period_ms: 100,
    seed: 1,
    repetition: 0,
    forward: {
      ...end,
      queue: { id: 'droptail', limit_bytes: queueBytes, limit_packets: null, params: {} },
      capacity,
    },
    reverse: {
      ...end,
      queue: { id: 'infinite', limit_bytes: null, limit_packets: null, params: {} },
      capacity: { kind: 'unlimited' },
    },
    flows: [
      {
        cca: { id: cca, params: { ...(UNPACED.has(cca) && { pacing: 'off' }), ...params } },
        start_s: startS,
        stop_s: null,
        extra_rtt_ms: 0,
        transport: 'tcp',
        ack_every: 2,
        source: { kind: 'bulk' },
      },
    ],
  };
}

/** Ours in virtual time or over UDP; the kernel's, `kernel-…`, in real time over TUN. */
export async function simulate(scenario: Scenario, tracesDir: string): Promise<RunSummary> {
  const { outcome, reason, summary, stderrTail } = await run(manifestOf(scenario), {
    tracesDir,
    onFrame: () => undefined,
  });
  if (outcome !== 'done' || summary === null) throw new Error(`${scenario.cca}: ${reason ?? outcome}\n${stderrTail}`);
  return summary;
}
