import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTrace } from '#bridge/traces';
import type { LinkSpec, RunManifest } from '#protocol/manifest';

export const RTT_MS = 20;

/** A forward direction to measure: 10 ms each way, a queue of one BDP. */
export interface TestLink {
  readonly what: string;
  readonly capacity: LinkSpec['capacity'];
  readonly mean_mbps: number;
  readonly duration_s: number;
}

export const bdpBytes = (mbps: number): number => Math.round((mbps * 1e3 * RTT_MS) / 8);

export const constantLink = (mbps: number, duration_s: number): TestLink => ({
  what: `${mbps} Mbps`,
  capacity: { kind: 'constant', rate_mbps: mbps },
  mean_mbps: mbps,
  duration_s,
});

const PERIOD_MS = 8000;
const WAVE_MS = 1600;
const PEAK_MBPS = 2000;
const SILENCE_MS: readonly [number, number] = [5000, 5250];
const BITS_PER_OPPORTUNITY = 12_000;

/** 0 to 2 Gbps and back five times, with a quarter of a second of silence: a trace that is the same on every machine. */
export async function variableLink(folder: string): Promise<TestLink> {
  const lines: string[] = [];
  let due = 0;
  for (let ms = 1; ms <= PERIOD_MS; ms++) {
    const silent = ms > SILENCE_MS[0] && ms <= SILENCE_MS[1];
    const mbps = silent ? 0 : (PEAK_MBPS / 2) * (1 - Math.cos((2 * Math.PI * ms) / WAVE_MS));
    due += (mbps * 1e3) / BITS_PER_OPPORTUNITY;
    for (; due >= 1; due--) lines.push(`${ms}\n`);
  }
  // The period is the last stamp.
  lines.push(`${PERIOD_MS}\n`);
  const file = join(folder, 'variable.trace');
  writeFileSync(file, lines.join(''));
  const { info } = await importTrace(file, folder);
  return {
    what: `0–${PEAK_MBPS} Mbps trace`,
    capacity: { kind: 'trace', sha256: info.sha256, name: 'variable', offset_ms: 0 },
    mean_mbps: info.mean_mbps,
    duration_s: PERIOD_MS / 1000,
  };
}

const direction = (capacity: LinkSpec['capacity'], limit_bytes: number | null): LinkSpec => ({
  loss: 0,
  queue: { id: limit_bytes === null ? 'infinite' : 'droptail', limit_bytes, limit_packets: null, params: {} },
  capacity,
  delay_ms: RTT_MS / 2,
});

/** One bulk flow of this algorithm over the link; in virtual time it opens its connection as the kernel's does. */
export const bulkManifest = (
  path: Pick<RunManifest, 'engine' | 'path'>,
  cca: string,
  link: TestLink,
  engine_version: string,
  params: RunManifest['flows'][number]['cca']['params'] = {},
): RunManifest => ({
  schema: 1,
  ...path,
  engine_version,
  duration_s: link.duration_s,
  sample_period_ms: 10,
  seed: 1,
  repetition: 0,
  forward: direction(link.capacity, bdpBytes(link.mean_mbps)),
  reverse: direction({ kind: 'unlimited' }, null),
  flows: [
    {
      cca: { id: cca, params },
      start_s: 0,
      stop_s: null,
      extra_rtt_ms: 0,
      transport: 'tcp',
      ack_every: 2,
      source: { kind: 'bulk' },
      ...(path.engine === 'virtual' ? { handshake: 'full' } : {}),
    },
  ],
});
