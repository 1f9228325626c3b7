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

/** Million packets per second of processor time, of each repeat. */
async function ratesOf({ id }: CcaDescriptor, engineVersion: string): Promise<number[]> {
  const rates: number[] = [];
  for (let i = 0; i < REPEATS; i++) rates.push(await engineRate({ ...SCENARIO, cca: id }, engineVersion));
  return rates;
}

/** What a packet costs, all of the emulation included. */
const nanoseconds = (rates: readonly number[]): number => 1e3 / median(rates);

/** `least`: what the cheapest algorithm that sends packets costs; a reference need not. */
function rowOf({ label, family, kind }: CcaDescriptor, rates: readonly number[], least: number): Measurement {
  const typical = median(rates);
  const aim = WINDOW_BASED.has(family) ? AIM_WINDOW_BASED : AIM;
  const spread = `${Math.min(...rates).toFixed(1)}–${Math.max(...rates).toFixed(1)}`;
  const cost = nanoseconds(rates);
  const beyond = kind === 'sender' ? `, ${(cost - least).toFixed(0)} more than the cheapest` : '';
  return {
    what: `virtual ${label}, 1 Gbps, 20 ms, 5 BDP, ${DURATION_S} s`,
    measured: `${typical.toFixed(1)} million packets per CPU second (median of ${REPEATS}, ${spread}); ${cost.toFixed(0)} ns per packet${beyond}`,
    aim: { text: `>= ${aim} million`, met: typical >= aim },
  };
}

/** Every registered algorithm, whatever it is. */
export const bench: Bench = async () => {
  const { ccas, engine_version } = await listCcas();
  const measured: { readonly cca: CcaDescriptor; readonly rates: readonly number[] }[] = [];
  for (const cca of ccas)
    if (cca.engines.includes('virtual')) measured.push({ cca, rates: await ratesOf(cca, engine_version) });
  const least = Math.min(...measured.flatMap(({ cca, rates }) => (cca.kind === 'sender' ? nanoseconds(rates) : [])));
  return measured.map(({ cca, rates }) => rowOf(cca, rates, least));
};
