import { listCcas } from '#bridge/ccas';
import type { CcaDescriptor } from '#protocol/cca';
import { median, type Bench, type Measurement } from './bench.ts';
import { engineRate, type Scenario } from './engine/rate.ts';

const REPEATS = 3;
/** Long enough for the slowest to have filled the link for most of it. */
const DURATION_S = 20;

/** A family whose algorithms do little more per acknowledgement than move a window. */
const WINDOW_BASED = new Set(['loss', 'delay']);
const AIM = 3;
const AIM_WINDOW_BASED = 8;

const SCENARIO: Omit<Scenario, 'cca'> = { mbps: 1000, bdp: 5, flows: 1, duration_s: DURATION_S };

async function rateOf({ id, label, family }: CcaDescriptor, engineVersion: string): Promise<Measurement> {
  const rates: number[] = [];
  for (let i = 0; i < REPEATS; i++) rates.push(await engineRate({ ...SCENARIO, cca: id }, engineVersion));
  const typical = median(rates);
  const aim = WINDOW_BASED.has(family) ? AIM_WINDOW_BASED : AIM;
  const spread = `${Math.min(...rates).toFixed(1)}–${Math.max(...rates).toFixed(1)}`;
  return {
    what: `virtual ${label}, 1 Gbps, 20 ms, 5 BDP, ${DURATION_S} s`,
    measured: `${typical.toFixed(1)} million packets per CPU second (median of ${REPEATS}, ${spread})`,
    aim: { text: `>= ${aim} million`, met: typical >= aim },
  };
}

/** Every registered algorithm, whatever it is. */
export const bench: Bench = async () => {
  const { ccas, engine_version } = await listCcas();
  const rows: Measurement[] = [];
  for (const cca of ccas) if (cca.engines.includes('virtual')) rows.push(await rateOf(cca, engine_version));
  return rows;
};
