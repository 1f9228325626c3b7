import { tmpdir } from 'node:os';
import { listCcas } from '#bridge/ccas';
import { run } from '#bridge/run';
import type { LinkSpec, RunManifest } from '#protocol/manifest';
import { median, type Bench, type Measurement } from './bench.ts';

const REPEATS = 5;
const RTT_MS = 20;

interface Scenario {
  readonly what: string;
  readonly cca: string;
  readonly mbps: number;
  readonly bdp: number;
  readonly flows: number;
  /** Million packets sent per second of processor time, with full metrics and a sample every 10 ms. */
  readonly aim?: number;
}

const SCENARIOS: readonly Scenario[] = [
  { what: 'Cubic, 1 Gbps, 20 ms, 5 BDP, 60 s', cca: 'cubic', mbps: 1000, bdp: 5, flows: 1, aim: 8 },
  { what: 'BBR, the same', cca: 'bbr', mbps: 1000, bdp: 5, flows: 1 },
  { what: '16 Cubic flows, the same', cca: 'cubic', mbps: 1000, bdp: 5, flows: 16 },
  { what: 'Cubic, 100 Mbps, 1 BDP', cca: 'cubic', mbps: 100, bdp: 1, flows: 1 },
];

const link = (capacity: LinkSpec['capacity'], limit_bytes: number | null): LinkSpec => ({
  loss: 0,
  queue: { id: limit_bytes === null ? 'infinite' : 'droptail', limit_bytes, limit_packets: null, params: {} },
  capacity,
  delay_ms: RTT_MS / 2,
});

const manifest = ({ cca, mbps, bdp, flows }: Scenario, engine_version: string): RunManifest => ({
  schema: 1,
  engine: 'virtual',
  path: 'memory',
  engine_version,
  duration_s: 60,
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

/** Million packets per second of processor time, in which other load matters little. */
async function speed(of: RunManifest): Promise<number> {
  const { outcome, reason, cost } = await run(of, { tracesDir: tmpdir(), onFrame: () => undefined });
  if (outcome !== 'done' || cost === null) throw new Error(`the run ended as ${outcome}: ${reason ?? 'no cost frame'}`);
  return cost.packets / cost.cpu_s / 1e6;
}

export const bench: Bench = async () => {
  const { engine_version } = await listCcas();
  const rows: Measurement[] = [];
  for (const scenario of SCENARIOS) {
    const rates: number[] = [];
    for (let i = 0; i < REPEATS; i++) rates.push(await speed(manifest(scenario, engine_version)));
    const typical = median(rates);
    const spread = `${Math.min(...rates).toFixed(1)}–${Math.max(...rates).toFixed(1)}`;
    rows.push({
      what: `virtual ${scenario.what}`,
      measured: `${typical.toFixed(1)} million packets per CPU second (median of ${REPEATS}, ${spread})`,
      ...(scenario.aim !== undefined && { aim: { text: `>= ${scenario.aim} million`, met: typical >= scenario.aim } }),
    });
  }
  return rows;
};
