import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listCcas } from '#bridge/ccas';
import type { Bench, Measurement } from './bench.ts';
import { bulkManifest, constantLink, RTT_MS, variableLink, type TestLink } from './tun/links.ts';
import { latenessOf, measure } from './tun/measure.ts';
import { overrunOf } from './tun/overrun.ts';
import { peers } from './tun/peers.ts';

const RATES_MBPS = [50, 100, 400, 1000, 2000, 5000];
const CCAS = ['cubic', 'bbr'];
const DURATION_S = 6;
/** Of what the same algorithm reaches of this link in virtual time, where no machine stands in its way. */
const LEAST_SHARE = 0.97;
const MOST_RATE_ERROR = 0.01;
/** Up to this rate packets must leave on time; above it lateness is only told. */
const ON_TIME_MBPS = 1000;
const MOST_LATE_US = 500;

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

async function row(cca: string, link: TestLink, engine_version: string, tracesDir: string): Promise<Measurement> {
  const virtual = bulkManifest({ engine: 'virtual', path: 'memory' }, cca, link, engine_version);
  const tun = bulkManifest({ engine: 'realtime', path: 'tun' }, `kernel-${cca}`, link, engine_version);
  const model = await measure(virtual, tracesDir);
  const real = await measure(tun, tracesDir);
  const late = latenessOf(real);
  const lateUs = late.writes?.p99_us ?? late.p99_us;
  const share = real.utilisation / model.utilisation;
  const { rateError, backlogged, cost } = real;
  const onTime = link.mean_mbps > ON_TIME_MBPS || lateUs <= MOST_LATE_US;
  const exact = rateError !== null && rateError <= MOST_RATE_ERROR;
  return {
    what: `kernel ${cca} over TUN, ${link.what}, ${RTT_MS} ms, 1 BDP`,
    measured: [
      `${percent(real.utilisation)} of the capacity = ${percent(share)} of virtual`,
      `10 ms off by ${rateError === null ? '?' : percent(rateError)} (${backlogged} backlogged)`,
      `late p99 ${lateUs.toFixed(0)} µs`,
      `${late.unmodelled_losses} lost elsewhere`,
      `${((100 * cost.cpu_s) / cost.wall_s).toFixed(0)} % of a core`,
      ...(late.overrun ? [`an overrun, and said to be one: ${real.overrunBecause ?? ''}`] : []),
    ].join('; '),
    aim: {
      text:
        `>= ${100 * LEAST_SHARE} %, 10 ms within ${100 * MOST_RATE_ERROR} %, none lost elsewhere` +
        (link.mean_mbps > ON_TIME_MBPS ? '' : `, <= ${MOST_LATE_US} µs`),
      met: share >= LEAST_SHARE && exact && onTime && late.unmodelled_losses === 0,
    },
  };
}

/**
 * The kernel's TCP over TUN: what it reaches of the link, how exactly the link gives its opportunities, how late its packets are,
 * from which rate on this machine does not keep up, and other emulators beside it.
 */
export const bench: Bench = async () => {
  const { engine_version, ccas } = await listCcas();
  const known = CCAS.filter((id) => ccas.some((cca) => cca.id === `kernel-${id}`));
  const folder = mkdtempSync(join(tmpdir(), 'paceline-bench-'));
  try {
    const links = [...RATES_MBPS.map((mbps) => constantLink(mbps, DURATION_S)), await variableLink(folder)];
    const rows: Measurement[] = [];
    for (const link of links) for (const cca of known) rows.push(await row(cca, link, engine_version, folder));
    for (const cca of known) rows.push(await overrunOf(`kernel-${cca}`, engine_version, folder));
    return [...rows, ...(await peers(known, folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
