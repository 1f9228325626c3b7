// What is known to be otherwise than its source says: how far, on which side, why, and what shows that it is for this reason.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Finding } from '#protocol/fidelity';
import type { Bench } from './bench.ts';
import { bandText, numberText, within, type Figure } from './finding.ts';

const Check = z.strictObject({
  id: z.string().describe('of the finding, exactly'),
  figure: z.string(),
  side: z.enum(['below', 'above']).describe('of what is expected'),
  bound: z.number().describe('the farthest that it may be there'),
});

const Evidence = z.strictObject({
  command: z.string().min(1).describe('that shows the cause: with a switch thrown, or where it can be seen'),
  shows: z.string().min(1).describe('what it printed, and what it prints without the switch'),
});

const Deviation = z.strictObject({
  reason: z.string().min(1),
  docs: z.string().min(1).describe('the page of the documentation that says more'),
  evidence: Evidence,
  checks: z.array(Check).min(1),
});
export type Deviation = z.infer<typeof Deviation>;

export function parseDeviations(json: unknown): readonly Deviation[] {
  const deviations = z.array(Deviation).parse(json);
  const keys = deviations.flatMap(({ checks }) => checks.map(({ id, figure }) => `${id}: ${figure}`));
  const twice = keys.find((key, i) => keys.indexOf(key) < i);
  if (twice !== undefined) throw new Error(`deviations.json has two entries for ${twice}`);
  return deviations;
}

export const DEVIATIONS = parseDeviations(
  JSON.parse(readFileSync(new URL('deviations.json', import.meta.url), 'utf8')),
);

type Unjudged = Omit<Finding, 'verdict' | 'reason' | 'docs'>;
type Entry = z.infer<typeof Check> & { readonly deviation: Deviation };

const entriesOf = (id: string, deviations: readonly Deviation[]): Entry[] =>
  deviations.flatMap((deviation) =>
    deviation.checks.filter((check) => check.id === id).map((check) => ({ ...check, deviation })),
  );

/** What is wrong about a figure that is out of its bounds; null: that is documented. */
function undocumented({ name, band, value }: Figure, entry: Entry | undefined): string | null {
  const where = `${name} is ${numberText(value)}, expected ${bandText(band)}`;
  if (entry === undefined) return `${where}, and deviations.json does not say why`;
  const { side, bound } = entry;
  const beyond =
    side === 'below'
      ? value < (band.low ?? -Infinity) && value >= bound
      : value > (band.high ?? Infinity) && value <= bound;
  return beyond ? null : `${where}; documented is ${side} it, as far as ${bound}`;
}

/**
 * Holds where every figure is within its band. Deviates where each of the others is documented for its side and within its bound; fails
 * where one is not, and where one is documented that holds.
 */
export function judged(
  finding: Unjudged,
  figures: readonly Figure[],
  { altered, partial }: Pick<Bench, 'altered' | 'partial'>,
  deviations: readonly Deviation[] = DEVIATIONS,
): Finding {
  const entries = entriesOf(finding.id, deviations);
  const out = figures.filter(({ band, value }) => !within(band, value));
  const holds = ({ figure }: Entry): boolean =>
    figures.some(({ name }) => name === figure) ? !out.some(({ name }) => name === figure) : !partial;
  const stale = altered ? [] : entries.filter(holds);
  const faults = [
    ...out.map((figure) =>
      undocumented(
        figure,
        entries.find((entry) => entry.figure === figure.name),
      ),
    ),
    ...stale.map(({ figure }) => `${figure} holds: its entry in deviations.json is out of date`),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) return { ...finding, verdict: 'FAILS', reason: faults.join('; ') };
  if (out.length === 0) return { ...finding, verdict: 'holds' };
  const known = new Set(
    entries.filter(({ figure }) => out.some(({ name }) => name === figure)).map(({ deviation }) => deviation),
  );
  const [first] = known;
  return {
    ...finding,
    verdict: 'deviates',
    reason: [...known].map(({ reason }) => reason).join('; '),
    ...(first !== undefined && { docs: first.docs }),
  };
}

/** What shows the causes of a finding's deviations. */
export const evidenceOf = (id: string): readonly Deviation['evidence'][] => [
  ...new Set(entriesOf(id, DEVIATIONS).map(({ deviation }) => deviation.evidence)),
];

/** Entries of checks that a whole report does not have. */
export function unknownIds(findings: readonly Finding[], deviations: readonly Deviation[] = DEVIATIONS): string[] {
  const ids = new Set(findings.map(({ id }) => id));
  return [...new Set(deviations.flatMap(({ checks }) => checks.map(({ id }) => id)))].filter((id) => !ids.has(id));
}
