import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { NATIVE_BUILD, ROOT } from '../lib/paths.mjs';
import { median, type Bench, type Measurement } from './bench.ts';

/** Packets sent per second of processor time, with per-packet metrics and a sample every 10 ms. */
const AIM_PER_S = 8e6;
const REPEATS = 5;

const engineVersion = (JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as { version: string }).version;

interface Scenario {
  readonly what: string;
  readonly cca: string;
  readonly mbps: number;
  readonly bdp: number;
  readonly flows: number;
  readonly aim?: number;
}

const RTT_MS = 20;
const SCENARIOS: readonly Scenario[] = [
  { what: 'Cubic, 1 Gbps, 20 ms, 5 BDP, 60 s', cca: 'cubic', mbps: 1000, bdp: 5, flows: 1, aim: AIM_PER_S },
  { what: 'BBR, the same', cca: 'bbr', mbps: 1000, bdp: 5, flows: 1 },
  { what: '16 Cubic flows, the same', cca: 'cubic', mbps: 1000, bdp: 5, flows: 16 },
  { what: 'Cubic, 100 Mbps, 1 BDP', cca: 'cubic', mbps: 100, bdp: 1, flows: 1 },
];

const manifest = ({ cca, mbps, bdp, flows }: Scenario): unknown => {
  const link = (capacity: unknown, limit: number | null): unknown => ({
    loss: 0,
    queue: { id: limit === null ? 'infinite' : 'droptail', limit_bytes: limit, limit_packets: null, params: {} },
    capacity,
    delay_ms: RTT_MS / 2,
  });
  return {
    schema: 1,
    engine: 'virtual',
    path: 'memory',
    engine_version: engineVersion,
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
  };
};

function packetsPerSecond(scenario: Scenario): number {
  const { status, stdout, stderr } = spawnSync(
    `${NATIVE_BUILD}/bin/paceline-simulate`,
    ['--manifest', '-', '--traces', '.', '--format', 'ndjson', '--cost'],
    { input: JSON.stringify(manifest(scenario)), encoding: 'utf8', maxBuffer: 2 ** 30 },
  );
  if (status !== 0) throw new Error(stderr.trim());
  const line = stdout.split('\n').find((text) => text.includes('"type":"cost"'));
  const cost = JSON.parse(line ?? '{}') as { cpu_s: number; packets: number };
  return cost.packets / cost.cpu_s;
}

/** How fast virtual time runs: processor time, so that other load matters little. */
export const bench: Bench = () => {
  const rows = SCENARIOS.map((scenario): Measurement => {
    const rates = Array.from({ length: REPEATS }, () => packetsPerSecond(scenario) / 1e6);
    const best = Math.max(...rates);
    return {
      what: `engine: ${scenario.what}`,
      measured: `${best.toFixed(1)} million packets/s (median ${median(rates).toFixed(1)})`,
      ...(scenario.aim !== undefined && {
        aim: { text: `${scenario.aim / 1e6} million packets/s on one core`, met: best * 1e6 >= scenario.aim },
      }),
    };
  });
  return Promise.resolve(rows);
};
