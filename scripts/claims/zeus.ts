// Zeus: ten algorithms over five networks of 5G, of which ours are models; 60 s, queues of 1, 5 and 10 BDP and without limit.
import { harm } from '#analysis/harm';
import { within, type Claim, type Measured } from './claim.ts';
import { kendall, type Lab, type Outcome, type Scene } from './lab.ts';
import { mean } from '../fidelity/link-run.ts';

const NETWORKS = {
  City: 'city-drive',
  Beachfront: 'beachfront-walk',
  RMa: 'rural-macro',
  UMa: 'urban-macro',
  Canyon: 'street-canyon',
} as const;
type Network = keyof typeof NETWORKS;
const ALL = Object.keys(NETWORKS) as Network[];
const LIMITS = [1, 5, 10, null];
/** Of two flows (section 6.3). */
const PAIR_LIMITS = [1, 5, 10];

interface Row {
  readonly utilisation: number;
  readonly delay: number;
  readonly intra: number;
  readonly inter: number;
}

/** Table 2. */
const TABLE_2: Readonly<Record<string, Row>> = {
  newreno: { utilisation: 99.7, delay: 15.6, intra: 0.88, inter: 0.81 },
  cubic: { utilisation: 99.1, delay: 12.2, intra: 0.86, inter: 0.86 },
  bbr: { utilisation: 95.9, delay: 4.3, intra: 0.87, inter: 0.63 },
  allegro: { utilisation: 87.6, delay: 11.4, intra: 0.84, inter: 0.64 },
  verus: { utilisation: 84.6, delay: 67, intra: 0.85, inter: 0.64 },
  'proteus-p': { utilisation: 80.7, delay: 57.4, intra: 0.92, inter: 0.55 },
  vivace: { utilisation: 72.9, delay: 3.4, intra: 0.87, inter: 0.66 },
  copa: { utilisation: 63.5, delay: 1.5, intra: 0.98, inter: 0.76 },
  'proteus-s': { utilisation: 54.2, delay: 25.8, intra: 0.91, inter: 0.54 },
  ledbat: { utilisation: 4.9, delay: 1.7, intra: 0.91, inter: 0.58 },
};
const CCAS = Object.keys(TABLE_2);
const published = (key: keyof Row): number[] => CCAS.map((cca) => TABLE_2[cca]?.[key] ?? NaN);

/** Who has the least delay where (table 1). */
const LEAST_DELAY: Readonly<Record<Network, readonly string[]>> = {
  City: ['copa'],
  Beachfront: ['copa', 'vivace', 'ledbat'],
  RMa: ['ledbat'],
  UMa: ['ledbat'],
  Canyon: ['copa'],
};

const limitText = (bdp: number | null): string => (bdp === null ? 'infinite' : `${bdp} BDP`);
const percent = (value: number): string => `${value.toFixed(0)} %`;

export function zeusClaims(lab: Lab, rttMs: number): Claim[] {
  const scene = (network: Network, bdp: number | null): Scene => ({
    trace: NETWORKS[network],
    rttMs,
    bdp,
    seconds: 60,
  });
  const solo = (cca: string, network: Network, bdp: number | null) => lab.solo(cca, scene(network, bdp));
  const pair = (one: string, other: string, network: Network, bdp: number | null) =>
    lab.outcome([{ cca: one }, { cca: other }], scene(network, bdp));
  /** Means over networks and limits, of each algorithm. */
  const means = async (
    outcome: (cca: string, network: Network, bdp: number | null) => Promise<Outcome>,
    of: (outcome: Outcome) => number,
    limits: readonly (number | null)[] = LIMITS,
  ): Promise<number[]> =>
    Promise.all(
      CCAS.map(async (cca) =>
        mean((await Promise.all(ALL.flatMap((network) => limits.map((bdp) => outcome(cca, network, bdp))))).map(of)),
      ),
    );
  /** The algorithm at the front of every network, at 5 BDP. */
  const leaders = (better: (outcome: Outcome) => number) =>
    Promise.all(
      ALL.map(async (network) => {
        const outcomes = await Promise.all(CCAS.map((cca) => solo(cca, network, 5)));
        const values = outcomes.map(better);
        return { network, leader: CCAS[values.indexOf(Math.max(...values))] ?? '' };
      }),
    );
  const tau = async (key: keyof Row, ours: Promise<number[]>, least: number): Promise<Measured> => {
    const value = kendall(await ours, published(key));
    return within(value, least, 1, value.toFixed(2));
  };
  const spanOver = async (cca: string, limits: readonly (number | null)[], low: number, high: number) => {
    const values = (await Promise.all(ALL.flatMap((network) => limits.map((bdp) => solo(cca, network, bdp))))).map(
      ({ utilisation }) => utilisation,
    );
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return { text: `${least.toFixed(0)}–${percent(most)}`, holds: least >= low - 5 && most <= high + 5 };
  };
  /** What a flow of Cubic loses beside the algorithm, per cent of what it has alone; without a limit (section 6.4). */
  const harmOf = async (cca: string, network: Network) => {
    const [alone, beside] = [await solo('cubic', network, null), await pair('cubic', cca, network, null)];
    return {
      throughput: harm(alone.mbps[0] ?? NaN, beside.mbps[0] ?? NaN, 'more') ?? NaN,
      delay: harm(alone.rttMs[0] ?? NaN, beside.rttMs[0] ?? NaN, 'less') ?? NaN,
    };
  };
  const fairnessOf = async (cca: string, other: string) =>
    mean(
      (await Promise.all(ALL.flatMap((network) => PAIR_LIMITS.map((bdp) => pair(cca, other, network, bdp))))).map(
        ({ jain }) => jain,
      ),
    );
  const claim = (id: string, where: string, what: string, said: string, measure: Claim['measure']): Claim => ({
    id: `zeus/${id}`,
    where,
    what,
    published: said,
    measure,
  });

  return [
    claim('best-throughput', 'table 1', 'most throughput', 'Cubic or Reno, 5 of 5', async () => {
      const rows = await leaders(({ utilisation }) => utilisation);
      const right = rows.filter(({ leader }) => ['cubic', 'newreno'].includes(leader));
      return {
        text: rows.map(({ network, leader }) => `${network} ${leader}`).join(', '),
        holds: right.length === rows.length,
      };
    }),
    ...ALL.map((network) =>
      claim(
        `least-delay-${network}`,
        'table 1',
        `least delay, ${network}`,
        LEAST_DELAY[network].join(', '),
        async () => {
          const rows = await leaders(({ delayMs }) => -delayMs);
          const leader = rows.find((row) => row.network === network)?.leader ?? '';
          return { text: leader, holds: LEAST_DELAY[network].includes(leader) };
        },
      ),
    ),
    ...(
      [
        ['City', 88],
        ['Beachfront', 8],
        ['RMa', 137],
        ['UMa', 137],
        ['Canyon', 214],
      ] as const
    ).map(([network, ms]) =>
      claim(`oracle-${network}`, 'table 1', `oracle to optimal, ${network}`, `${ms} ms`, async () => {
        const { delayMs } = await solo('oracle', network, null);
        const off = Math.max(ms / 10, 2);
        return within(delayMs - rttMs, ms - off, ms + off, `${(delayMs - rttMs).toFixed(1)} ms`);
      }),
    ),
    claim('utilisation-10', 'table 2', 'order of utilisation at 10 BDP, Kendall’s τ', '≥ 0.9', () =>
      tau(
        'utilisation',
        means(solo, ({ utilisation }) => utilisation, [10]),
        0.9,
      ),
    ),
    claim('utilisation-all', 'table 2', 'order of utilisation over all limits, τ', '≥ 0.75', () =>
      tau(
        'utilisation',
        means(solo, ({ utilisation }) => utilisation),
        0.75,
      ),
    ),
    claim('delay-all', 'table 2', 'order of delay over all limits, τ', '≥ 0.75', () =>
      tau(
        'delay',
        means(solo, ({ inflation }) => inflation),
        0.75,
      ),
    ),
    claim('intra', 'table 2', 'order of fairness to itself, τ', '≥ 0.5', () =>
      tau(
        'intra',
        means(
          (cca, network, bdp) => pair(cca, cca, network, bdp),
          ({ jain }) => jain,
          PAIR_LIMITS,
        ),
        0.5,
      ),
    ),
    claim('inter', 'table 2', 'order of fairness beside Cubic, τ', '≥ 0.5', () =>
      tau(
        'inter',
        means(
          (cca, network, bdp) => pair(cca, 'cubic', network, bdp),
          ({ jain }) => jain,
          PAIR_LIMITS,
        ),
        0.5,
      ),
    ),
    claim('bbr-1', 'figure 6', 'BBR’s utilisation at 1 BDP', '74–98 %', () => spanOver('bbr', [1], 74, 98)),
    claim('bbr-deep', 'figure 6', 'BBR’s utilisation above', '90–98 %', () => spanOver('bbr', [5, 10], 90, 98)),
    claim('copa-utilisation', 'figure 6', 'Copa’s utilisation', '66–76 %', () => spanOver('copa', [5, 10], 66, 76)),
    ...(['cubic', 'newreno'] as const).map((other) =>
      claim(`bbr-delay-${other}`, 'figure 6', `BBR’s delay of ${other}’s, 10 BDP`, '50–73 %', async () => {
        const shares = await Promise.all(
          ALL.map(async (network) => {
            const [bbr, them] = [await solo('bbr', network, 10), await solo(other, network, 10)];
            return (100 * bbr.delayMs) / them.delayMs;
          }),
        );
        return within(mean(shares), 50, 73, percent(mean(shares)));
      }),
    ),
    ...LIMITS.map((bdp) =>
      claim(`ledbat-${limitText(bdp)}`, 'figure 6', `least throughput, ${limitText(bdp)}`, 'LEDBAT', async () => {
        const values = await means(solo, ({ utilisation }) => utilisation, [bdp]);
        const least = CCAS[values.indexOf(Math.min(...values))] ?? '';
        return { text: least, holds: least === 'ledbat' };
      }),
    ),
    ...(['bbr', 'newreno', 'cubic', 'copa'] as const).map((cca) =>
      claim(`inter-${cca}`, 'figure 7', `${cca} beside Cubic, Jain’s index`, String(TABLE_2[cca]?.inter), async () => {
        const value = await fairnessOf(cca, 'cubic');
        const said = TABLE_2[cca]?.inter ?? NaN;
        return within(value, said - 0.1, said + 0.1, value.toFixed(2));
      }),
    ),
    claim('reno-harm-throughput', 'figure 8', 'Reno’s harm to Cubic’s throughput, City', '> 80 %', async () => {
      const { throughput } = await harmOf('newreno', 'City');
      return within(throughput, 80, 100, percent(throughput));
    }),
    claim('reno-harm-delay', 'figure 8', 'Reno’s harm to Cubic’s delay, City', '> 60 %', async () => {
      const { delay } = await harmOf('newreno', 'City');
      return within(delay, 60, Infinity, percent(delay));
    }),
    claim('cubic-harm', 'figure 8', 'Cubic’s harm to itself, City', '50 %', async () => {
      const { throughput } = await harmOf('cubic', 'City');
      return within(throughput, 40, 60, percent(throughput));
    }),
    ...(['bbr', 'copa', 'allegro'] as const).map((cca) =>
      claim(`safe-${cca}`, 'figure 8', `${cca} is safe beside Cubic, City`, 'at most Cubic’s harm', async () => {
        const [bar, { throughput }] = [await harmOf('cubic', 'City'), await harmOf(cca, 'City')];
        const text = `${percent(throughput)}; Cubic ${percent(bar.throughput)}`;
        return { text, holds: throughput <= bar.throughput + 5 };
      }),
    ),
  ];
}
