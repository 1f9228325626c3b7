import { listCcas } from '#bridge/ccas';
import { median, type Bench, type Measurement } from './bench.ts';
import { engineRate, type Scenario } from './engine/rate.ts';
import { buildStrippedLoop, strippedLoopRate } from './engine/stripped-loop.ts';

const REPEATS = 5;
const DURATION_S = 60;
/** Of what a loop does that has nothing of an engine but its packets; measured in turns with it. */
const AIM_SHARE = 0.2;

interface Case extends Omit<Scenario, 'duration_s'> {
  readonly what: string;
  /** Million packets sent per second of processor time, with full metrics and a sample every 10 ms. */
  readonly aim?: number;
}

const FASTEST: Case = { what: 'Cubic, 1 Gbps, 20 ms, 5 BDP, 60 s', cca: 'cubic', mbps: 1000, bdp: 5, flows: 1, aim: 8 };
const SCENARIOS: readonly Case[] = [
  FASTEST,
  { what: 'BBR, the same', cca: 'bbr', mbps: 1000, bdp: 5, flows: 1 },
  { what: '16 Cubic flows, the same', cca: 'cubic', mbps: 1000, bdp: 5, flows: 16 },
  { what: 'Cubic, 100 Mbps, 1 BDP', cca: 'cubic', mbps: 100, bdp: 1, flows: 1 },
];

export const bench: Bench = async () => {
  const { engine_version } = await listCcas();
  const rows: Measurement[] = [];
  for (const scenario of SCENARIOS) {
    const rates: number[] = [];
    for (let i = 0; i < REPEATS; i++)
      rates.push(await engineRate({ ...scenario, duration_s: DURATION_S }, engine_version));
    const typical = median(rates);
    const spread = `${Math.min(...rates).toFixed(1)}–${Math.max(...rates).toFixed(1)}`;
    rows.push({
      what: `virtual ${scenario.what}`,
      measured: `${typical.toFixed(1)} million packets per CPU second (median of ${REPEATS}, ${spread})`,
      ...(scenario.aim !== undefined && { aim: { text: `>= ${scenario.aim} million`, met: typical >= scenario.aim } }),
    });
  }
  rows.push(await besideStrippedLoop(engine_version));
  return rows;
};

async function besideStrippedLoop(engineVersion: string): Promise<Measurement> {
  await buildStrippedLoop();
  const scenario = { ...FASTEST, duration_s: DURATION_S };
  const shares: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const loop = await strippedLoopRate(scenario);
    shares.push((await engineRate(scenario, engineVersion)) / loop);
  }
  const share = median(shares);
  const percent = (value: number): string => (value * 100).toFixed(1);
  return {
    what: `virtual ${FASTEST.what}, beside a stripped loop`,
    measured: `${percent(share)} % of its packets per CPU second (median of ${REPEATS}, ${percent(Math.min(...shares))}–${percent(Math.max(...shares))})`,
    aim: { text: `>= ${percent(AIM_SHARE)} %`, met: share >= AIM_SHARE },
  };
}
