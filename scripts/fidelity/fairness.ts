// Two flows of the same algorithm over a constant link, and BBR's share beside Cubic as the queue grows.
import { judgedByBand, told } from './deviations.ts';
import type { Finding } from '#protocol/fidelity';
import { bandText, numberText, type Band } from './finding.ts';
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

export async function checkFairness(cca: string, queueBdp: number, dir: string): Promise<Finding> {
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
    dir,
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
  return published === undefined
    ? told(finding)
    : judgedByBand(finding, { low: published.least }, Number(index.toFixed(3)));
}

const CROSSOVER = { rateMbps: 48, rttMs: 40, seconds: 120, fromS: 20, limits: [0.5, 1, 2, 4, 8, 16] };
/** Zeus: BBR has nearly all of a shallow queue's link and Cubic of a deep one's; they cross at 4.5 and 11.5 BDP. */
const EXPECTED_SHARE: Readonly<Record<number, Band>> = { 0.5: { low: 60 }, 1: { low: 60 }, 16: { high: 50 } };

export async function checkCrossover(dir: string, lanes: Lanes): Promise<Finding[]> {
  const { rateMbps, rttMs, seconds, fromS, limits } = CROSSOVER;
  const shares = await Promise.all(
    limits.map((bdp) =>
      lanes.run(async () => {
        const run = await runOverLink(
          {
            flows: [{ cca: 'bbr' }, { cca: 'cubic' }],
            capacity: { kind: 'constant', rate_mbps: rateMbps },
            queueBytes: (bdp * rateMbps * 1e3 * rttMs) / 8,
            rttMs,
            seconds,
            samplePeriodMs: 100,
          },
          dir,
        );
        const [bbr = NaN, cubic = NaN] = rates(run, fromS);
        return { bdp, share: (100 * bbr) / (bbr + cubic) };
      }),
    ),
  );
  const common = { section: 'fairness' as const, ccas: ['bbr', 'cubic'] };
  const single = shares.map(({ bdp, share }): Finding => {
    const band = EXPECTED_SHARE[bdp];
    const finding = {
      ...common,
      id: `fairness/bbr-cubic/${bdp}`,
      what: `BBR’s share beside Cubic over ${rateMbps} Mbps, ${rttMs} ms, ${bdp} BDP`,
      expected: band === undefined ? 'between' : `${bandText(band)} %`,
      measured: `${numberText(share)} %`,
      source: 'Zeus, figure 9',
    };
    return band === undefined ? told(finding) : judgedByBand(finding, band, share);
  });
  const above = shares.findIndex(({ share }) => share < 50);
  const crossing = interpolated(shares, above);
  const finding = {
    ...common,
    id: 'fairness/bbr-cubic/crossover',
    what: `BBR’s and Cubic’s shares cross over ${rateMbps} Mbps, ${rttMs} ms, as the queue grows`,
    expected: 'between 1 and 12 BDP (4.5 and 11.5 on two traces)',
    measured: Number.isNaN(crossing) ? 'they do not' : `at ${numberText(crossing)} BDP`,
    source: 'Zeus, figure 9',
  };
  return [...single, judgedByBand(finding, { low: 1, high: 12 }, crossing)];
}

/** Where the share passes one half between two limits, on their logarithmic scale. */
function interpolated(shares: readonly { readonly bdp: number; readonly share: number }[], above: number): number {
  const [before, after] = [shares[above - 1], shares[above]];
  if (before === undefined || after === undefined) return NaN;
  const part = (before.share - 50) / (before.share - after.share);
  return before.bdp * (after.bdp / before.bdp) ** part;
}
