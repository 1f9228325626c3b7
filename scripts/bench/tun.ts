import { tmpdir } from 'node:os';
import { listCcas } from '#bridge/ccas';
import { run } from '#bridge/run';
import type { LinkSpec, RunManifest } from '#protocol/manifest';
import type { Bench, Measurement } from './bench.ts';

const RATES_MBPS = [50, 100, 400, 1000, 2000, 5000];
const CCAS = ['cubic', 'bbr'];
const RTT_MS = 20;
const DURATION_S = 6;
/** Of what the same algorithm reaches of this link in virtual time, where no machine stands in its way. */
const LEAST_SHARE = 0.97;
/** Above it an overrun is this machine's limit, and only told. */
const MUST_KEEP_UP_MBPS = 1000;
const MOST_LATE_US = 500;

const link = (capacity: LinkSpec['capacity'], limit_bytes: number | null): LinkSpec => ({
  loss: 0,
  queue: { id: limit_bytes === null ? 'infinite' : 'droptail', limit_bytes, limit_packets: null, params: {} },
  capacity,
  delay_ms: RTT_MS / 2,
});

const manifest = (
  path: Pick<RunManifest, 'engine' | 'path'>,
  cca: string,
  mbps: number,
  engine_version: string,
): RunManifest => ({
  schema: 1,
  ...path,
  engine_version,
  duration_s: DURATION_S,
  sample_period_ms: 10,
  seed: 1,
  repetition: 0,
  forward: link({ kind: 'constant', rate_mbps: mbps }, Math.round((mbps * 1e3 * RTT_MS) / 8)),
  reverse: link({ kind: 'unlimited' }, null),
  flows: [
    {
      cca: { id: cca, params: {} },
      start_s: 0,
      stop_s: null,
      extra_rtt_ms: 0,
      transport: 'tcp',
      ack_every: 2,
      source: { kind: 'bulk' },
    },
  ],
});

async function summaryOf(of: RunManifest) {
  const { outcome, reason, summary, cost } = await run(of, { tracesDir: tmpdir(), onFrame: () => undefined });
  const cca = of.flows[0]?.cca.id ?? '';
  if (outcome !== 'done' || summary === null || cost === null) throw new Error(`${cca}: ${reason ?? outcome}`);
  return { summary, cost, utilisation: summary.links[0]?.utilisation ?? 0 };
}

/** The kernel's TCP over TUN: what it reaches of the link's capacity, and how late the emulator is. */
export const bench: Bench = async () => {
  const { engine_version, ccas } = await listCcas();
  const rows: Measurement[] = [];
  for (const mbps of RATES_MBPS)
    for (const cca of CCAS.filter((id) => ccas.some((known) => known.id === `kernel-${id}`))) {
      const model = await summaryOf(manifest({ engine: 'virtual', path: 'memory' }, cca, mbps, engine_version));
      const real = await summaryOf(
        manifest({ engine: 'realtime', path: 'tun' }, `kernel-${cca}`, mbps, engine_version),
      );
      const late = real.summary.lateness;
      if (late === null) throw new Error(`${cca} at ${mbps} Mbps: it does not say how late it was`);
      const lateUs = late.writes?.p99_us ?? late.p99_us;
      const share = real.utilisation / model.utilisation;
      const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
      rows.push({
        what: `kernel ${cca} over TUN, ${mbps} Mbps, ${RTT_MS} ms, 1 BDP`,
        measured:
          `${percent(real.utilisation)} of the capacity, ${percent(share)} of what virtual time gives; ` +
          `packets left ${lateUs.toFixed(0)} µs late (p99); ${late.unmodelled_losses} lost outside the model; ` +
          `${((100 * real.cost.cpu_s) / real.cost.wall_s).toFixed(0)} % of a core` +
          (late.overrun ? '; an overrun, and said to be one' : ''),
        ...(mbps <= MUST_KEEP_UP_MBPS && {
          aim: {
            text: `>= ${100 * LEAST_SHARE} % of virtual, <= ${MOST_LATE_US} µs, no such loss`,
            met: share >= LEAST_SHARE && lateUs <= MOST_LATE_US && late.unmodelled_losses === 0,
          },
        }),
      });
    }
  return rows;
};
