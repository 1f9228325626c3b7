// Two flows of the same algorithm over a constant link, and BBR's share beside Cubic as the queue grows.
import { join } from 'node:path';
import { importTrace } from '#bridge/traces';
import type { Bench } from './bench.ts';
import { judged } from './deviations.ts';
import type { Finding } from '#protocol/fidelity';
import { bandText, numberText } from './finding.ts';
import type { Lanes } from './lanes.ts';
import { runOverLink } from './link-run.ts';
import { jain, rates } from './measures.ts';

const LINK = { rateMbps: 12, rttMs: 40 };
export const FAIRNESS_LIMITS_BDP = [1, 4];
const SECOND_S = 10;
const FROM_S = 40;
const END_S = 120;

/** Published: bounds of the algorithm's own sources, else what Zeus measured over 5G, where sharing is harder than here. */
const PUBLISHED: Readonly<Record<string, { readonly least: number; readonly source: string }>> = {
  newreno: { least: 0.88, source: 'Zeus, table 2' },
  cubic: { least: 0.86, source: 'Zeus, table 2' },
  bbr: { least: 0.87, source: 'Zeus, table 2' },
  allegro: { least: 0.84, source: 'Zeus, table 2' },
  verus: { least: 0.85, source: 'Zeus, table 2' },
  'proteus-p': { least: 0.92, source: 'Zeus, table 2; reference 5.4: 0.85' },
  'proteus-s': { least: 0.91, source: 'Zeus, table 2' },
  vivace: { least: 0.87, source: 'Zeus, table 2' },
  copa: { least: 0.98, source: 'Zeus, table 2' },
  ledbat: { least: 0.91, source: 'Zeus, table 2' },
  vegas: { least: 0.8, source: 'reference 4.1' },
};

/** On what nothing is published about. */
const REMARKS: Readonly<Record<string, Pick<Finding, 'reason' | 'docs'>>> = {
  scream: {
    reason: 'over 4 BDP the latecomer takes the first one’s 50 ms of queue for the path',
    docs: 'docs/cca/scream.md',
  },
  sprout: {
    reason: 'its receiver sees the rate of its own arrivals alone and takes that for the link’s: who has much keeps it',
    docs: 'docs/cca/sprout.md',
  },
  htcp: {
    reason: 'its share kept at a loss depends on the least RTT, which the latecomer never sees without a queue',
    docs: 'docs/cca/htcp.md',
  },
};

export async function checkFairness(cca: string, queueBdp: number, bench: Bench): Promise<Finding> {
  const { rateMbps, rttMs } = LINK;
  const run = await runOverLink(
    {
      flows: [{ cca }, { cca, startS: SECOND_S }],
      capacity: { kind: 'constant', rate_mbps: rateMbps },
      queueBytes: (queueBdp * rateMbps * 1e3 * rttMs) / 8,
      rttMs,
      seconds: END_S,
      samplePeriodMs: 100,
    },
    bench,
  );
  const both = rates(run, FROM_S);
  const index = jain(both);
  const published = PUBLISHED[cca];
  const finding = {
    section: 'fairness' as const,
    id: `fairness/${cca}/${queueBdp}-BDP`,
    ccas: [cca],
    what: `two flows of ${cca}, ${SECOND_S} s apart, over ${rateMbps} Mbps, ${rttMs} ms, ${queueBdp} BDP: Jain’s index from ${FROM_S} to ${END_S} s`,
    expected: published === undefined ? 'nothing published' : bandText({ low: published.least }),
    measured: `${index.toFixed(3)} (${both.map((rate) => numberText(rate)).join(' and ')} Mbps)`,
    source: published?.source ?? '–',
  };
  if (published === undefined) return { ...finding, verdict: 'told', ...REMARKS[cca] };
  return judged(
    finding,
    [{ name: 'Jain’s index', band: { low: published.least }, value: Number(index.toFixed(3)) }],
    bench,
  );
}

const LIMITS_BDP = [0.5, 1, 2, 4, 8, 16];
const CROSSOVER_S = { whole: 60, from: 10 };

/** Zeus: BBR has nearly all of a shallow queue's link and Cubic of a deep one's; where they cross depends on the link. */
const CROSSOVERS = [
  {
    trace: null,
    rateMbps: 48,
    rttMs: 40,
    expected: 'between the two traces’ at most, 12 BDP',
    band: { low: 1, high: 12 },
  },
  { trace: 'city-drive', rttMs: 20, expected: '4.5 BDP, within a factor of two', band: { low: 2.25, high: 9 } },
  { trace: 'street-canyon', rttMs: 20, expected: '11.5 BDP, within a factor of two', band: { low: 5.75, high: 23 } },
] as const;

export async function checkCrossover(shipped: string, bench: Bench, lanes: Lanes): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const crossover of CROSSOVERS) findings.push(...(await checkOneCrossover(crossover, shipped, bench, lanes)));
  return findings;
}

async function linkOf(crossover: (typeof CROSSOVERS)[number], shipped: string, dir: string) {
  if (crossover.trace === null) {
    const { rateMbps } = crossover;
    return {
      name: `${rateMbps} Mbps`,
      meanMbps: rateMbps,
      capacity: { kind: 'constant', rate_mbps: rateMbps },
    } as const;
  }
  const { info } = await importTrace(join(shipped, `${crossover.trace}.trace.gz`), dir);
  const capacity = { kind: 'trace', sha256: info.sha256, name: crossover.trace, offset_ms: 0 } as const;
  return { name: crossover.trace, meanMbps: info.mean_mbps, capacity };
}

async function checkOneCrossover(
  crossover: (typeof CROSSOVERS)[number],
  shipped: string,
  bench: Bench,
  lanes: Lanes,
): Promise<Finding[]> {
  const { rttMs, expected, band } = crossover;
  const { name, meanMbps, capacity } = await linkOf(crossover, shipped, bench.dir);
  const shareAt = async (bdp: number) => {
    const plan = {
      flows: [{ cca: 'bbr' }, { cca: 'cubic' }],
      capacity,
      queueBytes: (bdp * meanMbps * 1e3 * rttMs) / 8,
      rttMs,
      seconds: CROSSOVER_S.whole,
      samplePeriodMs: 100,
      ackEvery: 2,
    };
    const [bbr = NaN, cubic = NaN] = rates(await runOverLink(plan, bench), CROSSOVER_S.from);
    return { bdp, share: (100 * bbr) / (bbr + cubic) };
  };
  const shares = await Promise.all(LIMITS_BDP.map((bdp) => lanes.run(() => shareAt(bdp))));
  const common = { section: 'fairness' as const, ccas: ['bbr', 'cubic'], source: 'Zeus, figure 9' };
  const id = `fairness/bbr-cubic/${name}`.replaceAll(' ', '-');
  const least = shares[0]?.share ?? NaN;
  const shallow = {
    ...common,
    id: `${id}/shallow`,
    what: `BBR’s share beside Cubic over ${name}, ${rttMs} ms, with ${LIMITS_BDP.join(', ')} BDP: of the least queue`,
    expected: '≥ 60 %',
    measured: shares.map(({ share }) => `${share.toFixed(0)} %`).join(', '),
  };
  const crossing = interpolated(
    shares,
    shares.findIndex(({ share }) => share < 50),
  );
  const crossed = {
    ...common,
    id: `${id}/crossover`,
    what: `BBR’s and Cubic’s shares cross over ${name}, ${rttMs} ms, as the queue grows`,
    expected,
    measured: Number.isNaN(crossing) ? 'they do not' : `at ${numberText(crossing)} BDP`,
  };
  return [
    judged(shallow, [{ name: 'share %', band: { low: 60 }, value: least }], bench),
    judged(crossed, [{ name: 'BDP', band, value: crossing }], bench),
  ];
}

/** Where the share passes one half between two limits, on their logarithmic scale. */
function interpolated(shares: readonly { readonly bdp: number; readonly share: number }[], above: number): number {
  const [before, after] = [shares[above - 1], shares[above]];
  if (before === undefined || after === undefined) return NaN;
  const part = (before.share - 50) / (before.share - after.share);
  return before.bdp * (after.bdp / before.bdp) ** part;
}
