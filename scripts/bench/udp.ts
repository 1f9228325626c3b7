import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listCcas } from '#bridge/ccas';
import type { Bench, Measurement } from './bench.ts';
import { bulkManifest, constantLink, RTT_MS } from './tun/links.ts';
import { latenessOf, measure } from './tun/measure.ts';
import { overrunOf } from './tun/overrun.ts';

const RATES_MBPS = [100, 720, 2000];
const CCA = 'cubic';
const DURATION_S = 6;
/** Of what it reaches of this link in virtual time. */
const LEAST_SHARE = 0.97;

async function row(mbps: number, engine_version: string, tracesDir: string): Promise<Measurement> {
  const link = constantLink(mbps, DURATION_S);
  const virtual = bulkManifest({ engine: 'virtual', path: 'memory' }, CCA, link, engine_version);
  const udp = bulkManifest({ engine: 'realtime', path: 'udp' }, CCA, link, engine_version);
  const model = await measure(virtual, tracesDir);
  const real = await measure(udp, tracesDir);
  const share = real.utilisation / model.utilisation;
  const { overrun, writes, p99_us } = latenessOf(real);
  const [sender, receiver] = [real.summary.senders[0], real.summary.receivers[0]].map((end) => end?.cpu_s ?? NaN);
  const cores = (cpu_s: number | undefined): string => `${((100 * (cpu_s ?? NaN)) / DURATION_S).toFixed(0)} %`;
  return {
    what: `${CCA} over UDP, ${link.what}, ${RTT_MS} ms, 1 BDP`,
    measured: [
      `${(100 * real.utilisation).toFixed(1)} % of the capacity = ${(100 * share).toFixed(1)} % of virtual`,
      `late p99 ${(writes?.p99_us ?? p99_us).toFixed(0)} µs`,
      `sender ${cores(sender)} of a core, receiver ${cores(receiver)}`,
      ...(overrun ? [`an overrun, and said to be one: ${real.overrunBecause ?? ''}`] : []),
    ].join('; '),
    aim: { text: `>= ${100 * LEAST_SHARE} % of virtual, no overrun`, met: share >= LEAST_SHARE && !overrun },
  };
}

/** Our own ends over UDP: what they reach of the link, what that costs, and from which rate on this machine does not keep up. */
export const bench: Bench = async () => {
  const { engine_version } = await listCcas();
  const folder = mkdtempSync(join(tmpdir(), 'paceline-bench-'));
  try {
    const rows: Measurement[] = [];
    for (const mbps of RATES_MBPS) rows.push(await row(mbps, engine_version, folder));
    return [...rows, await overrunOf('udp', CCA, engine_version, folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
