import { z } from 'zod';

export const SECTIONS = ['behaviour', 'kernel', 'prototypes', 'orderings', 'fairness'] as const;

/**
 * holds: within what was expected. deviates: it is not, for a reason that is documented. FAILS: it is not, and nobody says why.
 * told: there is nothing published to hold it against. skipped: it could not be looked at here.
 */
export const VERDICTS = ['holds', 'deviates', 'FAILS', 'told', 'skipped'] as const;

/** One thing that was checked. */
export const Finding = z.strictObject({
  section: z.enum(SECTIONS),
  id: z.string(),
  /** Ids of the algorithms that it says something about. */
  ccas: z.array(z.string()),
  what: z.string(),
  expected: z.string(),
  measured: z.string(),
  source: z.string(),
  verdict: z.enum(VERDICTS),
  /** Why it deviates, or is skipped. */
  reason: z.string().optional(),
  /** Where more is said about that. */
  docs: z.string().optional(),
});

export type Section = (typeof SECTIONS)[number];
export type Verdict = (typeof VERDICTS)[number];
export type Finding = z.infer<typeof Finding>;

/** Inclusive bounds; absent: none. */
export interface Band {
  readonly low?: number;
  readonly high?: number;
}

export const within = ({ low = -Infinity, high = Infinity }: Band, value: number): boolean =>
  value >= low && value <= high;

export function bandText({ low, high }: Band): string {
  if (low !== undefined && high !== undefined) return `${low}–${high}`;
  return low === undefined ? `≤ ${high}` : `≥ ${low}`;
}

/** Three significant digits, no exponent. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return String(Number(value.toFixed(Math.min(digits, 3))));
}
