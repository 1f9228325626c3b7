// Why a claim does not hold: each ✗ has its reason here, and what holds has none.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Answer } from './claim.ts';

const Reasons = z.record(z.string(), z.string().min(1));
export const REASONS: Readonly<Record<string, string>> = Reasons.parse(
  JSON.parse(readFileSync(new URL('reasons.json', import.meta.url), 'utf8')),
);

/** What is wrong about the reasons, a line each. `whole`: every claim was looked at. */
export function faults(
  answers: readonly Answer[],
  whole: boolean,
  reasons: Readonly<Record<string, string>> = REASONS,
): string[] {
  const ids = new Set(answers.map(({ claim }) => claim.id));
  const bare = answers.filter(({ claim, measured }) => !measured.holds && !Object.hasOwn(reasons, claim.id));
  const stale = answers.filter(({ claim, measured }) => measured.holds && Object.hasOwn(reasons, claim.id));
  return [
    ...bare.map(({ claim }) => `${claim.id} does not hold, and reasons.json does not say why`),
    ...stale.map(({ claim }) => `${claim.id} holds: its reason in reasons.json is out of date`),
    ...(whole ? Object.keys(reasons).filter((id) => !ids.has(id)) : []).map((id) => `reasons.json: ${id} is no claim`),
  ];
}
