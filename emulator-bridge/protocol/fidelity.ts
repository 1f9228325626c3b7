// What each algorithm was checked against, and the result: written by `npm run fidelity`, shown by the page.
import { z } from 'zod';

export const SECTIONS = ['behaviour', 'kernel', 'prototypes', 'orderings', 'fairness'] as const;

/**
 * holds: within what was expected. deviates: it is not, for a reason that is documented. FAILS: it is not, and nobody says why.
 * told: there is nothing published to hold it against. skipped: it could not be looked at.
 */
export const VERDICTS = ['holds', 'deviates', 'FAILS', 'told', 'skipped'] as const;

/** One thing that was checked. */
export const Finding = z.strictObject({
  section: z.enum(SECTIONS),
  id: z.string(),
  ccas: z.array(z.string()).describe('ids of the algorithms that it says something about'),
  what: z.string(),
  expected: z.string(),
  measured: z.string(),
  source: z.string(),
  verdict: z.enum(VERDICTS),
  reason: z.string().optional().describe('why it deviates, or is skipped; of what is told, a remark'),
  docs: z.string().optional().describe('the page of the documentation that says more'),
});

export const FidelityReport = z.strictObject({
  engine_version: z.string().describe('of the engine that was checked'),
  findings: z.array(Finding),
});

export type Section = (typeof SECTIONS)[number];
export type Verdict = (typeof VERDICTS)[number];
export type Finding = z.infer<typeof Finding>;
export type FidelityReport = z.infer<typeof FidelityReport>;
