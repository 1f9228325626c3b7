// Reminis: what its paper says in numbers, over recordings of 5G; the means of several seeds.
import { numberText } from '../fidelity/finding.ts';
import { CLAIMS, distance } from '../fidelity/reminis/claims.ts';
import { importTraces, looking } from '../fidelity/reminis/measure.ts';
import { DEFAULT } from '../fidelity/reminis/readings.ts';
import type { Claim } from './claim.ts';
import type { LabOptions } from './lab.ts';

const FORM = { about: '', 'at most': '≤ ', 'at least': '≥ ', factor: '' } as const;

export async function reminisClaims({ dir, lanes, seeds }: LabOptions): Promise<Claim[]> {
  const traces = await importTraces(dir);
  const look = looking(DEFAULT, { traces, dir, seconds: 60, seeds, lanes }, new Map());
  return CLAIMS.map((claim) => ({
    id: `reminis/${claim.id}`,
    where: claim.where,
    what: claim.what,
    published: `${FORM[claim.form]}${claim.published}`,
    measure: async () => {
      const value = await claim.measure(look);
      return { text: numberText(value), holds: distance(claim, value) <= 1 };
    },
  }));
}
