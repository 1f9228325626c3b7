import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listCcas } from '#bridge/ccas';
import type { RunManifest } from '#protocol/manifest';
import type { Bench, Measurement } from './bench.ts';
import { bulkManifest, constantLink, RTT_MS, variableLink, type TestLink } from './tun/links.ts';
import { latenessOf, measure, type Measured } from './tun/measure.ts';
import { overrunOf } from './tun/overrun.ts';
import { peers } from './tun/peers.ts';

const RATES_MBPS = [50, 100, 400, 1000, 2000, 5000];
/** The kernel's, and what ours needs to be the same: nothing paces Cubic in these namespaces, whose devices have no fq. */
const CCAS: Readonly<Record<string, RunManifest['flows'][number]['cca']['params']>> = {
  cubic: { pacing: 'off' },
  bbr: {},
};
/**
 * Over a varying trace a packet more or less in the queue decides between one halving and two. So medians are compared: of several runs of
 * the kernel's, which are told, and of ours over queues that differ by packets.
 */
const RUNS_OVER_A_TRACE = 5;
const LIMITS_OVER_A_TRACE = 31;
const PACKET_BYTES = 1500;
const DURATION_S = 6;
/** Of what the same algorithm reaches of this link in virtual time, where no machine stands in its way. */
const LEAST_SHARE = 0.97;
const MOST_RATE_ERROR = 0.01;
/** Up to this rate packets must leave on time; above it lateness is only told. */
const ON_TIME_MBPS = 1000;
const MOST_LATE_US = 500;

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

/** The same run with queues around its own, two packets apart. */
function aroundLimit(manifest: RunManifest): RunManifest[] {
  const { forward } = manifest;
  const own = forward.queue.limit_bytes;
  if (own === null) return [manifest];
  return Array.from({ length: LIMITS_OVER_A_TRACE }, (_, i) => {
    const limit_bytes = own + (2 * i - (LIMITS_OVER_A_TRACE - 1)) * PACKET_BYTES;
    return { ...manifest, forward: { ...forward, queue: { ...forward.queue, limit_bytes } } };
  });
}

async function each(manifests: readonly RunManifest[], tracesDir: string): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const manifest of manifests) measured.push(await measure(manifest, tracesDir));
  return measured;
}

/** By utilisation; of an odd number. */
function median(runs: readonly Measured[]): Measured {
  const middle = runs.toSorted((a, b) => a.utilisation - b.utilisation)[(runs.length - 1) / 2];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}

async function row(cca: string, link: TestLink, engine_version: string, tracesDir: string): Promise<Measurement> {
  const virtual = bulkManifest({ engine: 'virtual', path: 'memory' }, cca, link, engine_version, CCAS[cca]);
  const tun = bulkManifest({ engine: 'realtime', path: 'tun' }, `kernel-${cca}`, link, engine_version);
  const varies = link.capacity.kind === 'trace';
  const model = median(await each(varies ? aroundLimit(virtual) : [virtual], tracesDir));
  const runs = await each(varies ? Array<RunManifest>(RUNS_OVER_A_TRACE).fill(tun) : [tun], tracesDir);
  const real = median(runs);
  const late = latenessOf(real);
  const lateUs = late.writes?.p99_us ?? late.p99_us;
  const share = real.utilisation / model.utilisation;
  const { rateError, backlogged, cost } = real;
  const onTime = link.mean_mbps > ON_TIME_MBPS || lateUs <= MOST_LATE_US;
  const exact = rateError !== null && rateError <= MOST_RATE_ERROR;
  return {
    what: `kernel ${cca} over TUN, ${link.what}, ${RTT_MS} ms, 1 BDP`,
    measured: [
      `${percent(real.utilisation)} of the capacity${varies ? ` (${runs.map(({ utilisation }) => percent(utilisation)).join(', ')})` : ''} = ${percent(share)} of virtual`,
      `10 ms off by ${rateError === null ? '?' : percent(rateError)} (${backlogged} backlogged)`,
      `late p99 ${lateUs.toFixed(0)} µs`,
      `${late.unmodelled_losses} lost elsewhere`,
      ...(cost === null ? [] : [`${((100 * cost.cpu_s) / cost.wall_s).toFixed(0)} % of a core`]),
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
  const known = Object.keys(CCAS).filter((id) => ccas.some((cca) => cca.id === `kernel-${id}`));
  const folder = mkdtempSync(join(tmpdir(), 'paceline-bench-'));
  try {
    const links = [...RATES_MBPS.map((mbps) => constantLink(mbps, DURATION_S)), await variableLink(folder)];
    const rows: Measurement[] = [];
    for (const link of links) for (const cca of known) rows.push(await row(cca, link, engine_version, folder));
    for (const cca of known) rows.push(await overrunOf('tun', `kernel-${cca}`, engine_version, folder));
    return [...rows, ...(await peers(known, folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
