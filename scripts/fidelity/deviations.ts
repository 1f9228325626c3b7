import { z } from 'zod';
import { readFileSync } from 'node:fs';
import type { Finding, Verdict } from '#protocol/fidelity';
import { within, type Band } from './finding.ts';

const Deviations = z.array(
  z.strictObject({
    ids: z.array(z.string()).min(1).describe('of findings; a `*` stands for anything'),
    reason: z.string(),
    docs: z.string(),
  }),
);
export type Deviation = z.infer<typeof Deviations>[number];

/** What is known to be otherwise than its source says, and why. */
export const DEVIATIONS: readonly Deviation[] = Deviations.parse(
  JSON.parse(readFileSync(new URL('deviations.json', import.meta.url), 'utf8')),
);

/** Whether the id is one of those that the pattern names. */
export function deviates(pattern: string, id: string): boolean {
  const literal = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 'u').test(id);
}

export const deviationOf = (id: string): Deviation | undefined =>
  DEVIATIONS.find(({ ids }) => ids.some((pattern) => deviates(pattern, id)));

type Unjudged = Omit<Finding, 'verdict' | 'reason' | 'docs'>;

/** A finding that held or did not, with the documented reason where there is one; `how` it did not, where a reason is for that alone. */
export function judged(finding: Unjudged, holds: boolean, how = ''): Finding {
  const known = deviationOf(`${finding.id}${how}`);
  const verdict: Verdict = holds ? 'holds' : known === undefined ? 'FAILS' : 'deviates';
  return { ...finding, verdict, ...(known !== undefined && !holds && { reason: known.reason, docs: known.docs }) };
}

/** A reason is for one side of the band. */
export const judgedByBand = (finding: Unjudged, band: Band, value: number): Finding =>
  judged(finding, within(band, value), value < (band.low ?? -Infinity) ? '/below' : '/above');

/** A finding that nothing published says anything about; a remark on it may be documented all the same. */
export function told(finding: Unjudged): Finding {
  const known = deviationOf(finding.id);
  return { ...finding, verdict: 'told', ...(known !== undefined && { reason: known.reason, docs: known.docs }) };
}
