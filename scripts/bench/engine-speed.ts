import { tmpdir } from 'node:os';
import { listCcas } from '#bridge/ccas';
import { run } from '#bridge/run';
import type { RunManifest } from '#protocol/manifest';
import { median, type Bench } from './bench.ts';

const REPEATS = 5;
const AIM_MILLION_PER_S = 8;

/** Cubic alone on 1 Gbps, 20 ms, 5 BDP, 60 s of link time; full metrics, 10 ms sampling. */
const RATE_MBPS = 1000;
const BASE_RTT_MS = 20;
const BDP_BYTES = (RATE_MBPS * 1e6 * (BASE_RTT_MS / 1000)) / 8;
const link = { loss: 0, delay_ms: BASE_RTT_MS / 2 } as const;
const manifest = (engineVersion: string): RunManifest => ({
  schema: 1,
  engine: 'virtual',
  path: 'memory',
  engine_version: engineVersion,
  duration_s: 60,
  sample_period_ms: 10,
  seed: 1,
  repetition: 0,
  forward: {
    ...link,
    queue: { id: 'droptail', limit_bytes: 5 * BDP_BYTES, limit_packets: null, params: {} },
    capacity: { kind: 'constant', rate_mbps: RATE_MBPS },
  },
  reverse: {
    ...link,
    queue: { id: 'droptail', limit_bytes: null, limit_packets: null, params: {} },
    capacity: { kind: 'unlimited' },
  },
  flows: [
    {
      cca: { id: 'cubic', params: {} },
      start_s: 0,
      stop_s: null,
      extra_rtt_ms: 0,
      transport: 'tcp',
      ack_every: 2,
      source: { kind: 'bulk' },
    },
  ],
});

export const bench: Bench = async () => {
  const cell = manifest((await listCcas()).engine_version);
  const rates: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const { outcome, reason, cost } = await run(cell, { tracesDir: tmpdir(), onFrame: () => undefined });
    if (outcome !== 'done' || cost === null)
      throw new Error(`the run ended as ${outcome}: ${reason ?? 'no cost frame'}`);
    rates.push(cost.packets / cost.cpu_s / 1e6);
  }
  const typical = median(rates);
  const spread = `${Math.min(...rates).toFixed(2)}–${Math.max(...rates).toFixed(2)}`;
  return [
    {
      what: 'virtual Cubic, 1 Gbps, 20 ms, 5 BDP, 60 s',
      measured: `${typical.toFixed(2)} million packets per CPU second (median of ${REPEATS}, ${spread})`,
      aim: { text: `>= ${AIM_MILLION_PER_S} million`, met: typical >= AIM_MILLION_PER_S },
    },
  ];
};
