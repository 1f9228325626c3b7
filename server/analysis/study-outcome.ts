// A study's figures with what came out, from the results of its experiments.
import { bufferLabel } from '#analysis/limits';
import type { CellResult } from '#analysis/results';
import { overOthers } from '#analysis/study-counterparts';
import { isNearer, outcomeOf } from '#analysis/study-verdict';
import type { Claim, ClaimOutcome, Origin, Outcome, Study, StudyRecord, Verdict } from '#protocol/study';

/** By the study's name for each experiment; absent: it was not started. */
export type StudyResults = ReadonlyMap<string, readonly CellResult[]>;

type Variant = ClaimOutcome['variants'][number];

function variantsOf(study: Study, claim: Claim, told: Outcome, results: StudyResults): Variant[] {
  const { tested } = claim;
  if ('not' in tested) return [];
  return Object.entries(study.variants).flatMap(([id, { title, origin, instead, traces, values }]): Variant[] => {
    const experiment = instead[tested.measure.experiment];
    if (experiment === undefined || !isAsked(claim, study, experiment)) return [];
    const value = values === undefined ? tested.measure.value : values[tested.measure.value];
    if (value === undefined) return [];
    const same = { ...tested, measure: { ...tested.measure, value } };
    const asked = isOfSame(study, tested.measure.experiment, experiment)
      ? same
      : overOthers(same, namesIn(study, experiment), traces);
    if (asked === null) return [];
    const outcome = outcomeOf(asked, results.get(experiment) ?? []);
    return [{ id, title, origin, outcome, nearer: isNearer(told, outcome) }];
  });
}

const namesIn = (study: Study, experiment: string): ReadonlySet<string> =>
  new Set(
    study.experiments[experiment]?.spec.traces.map((ref) => ('trace' in ref ? ref.trace : `${ref.rate_mbps} Mbps`)),
  );

const isOfSame = (study: Study, ...keys: readonly [string, string]): boolean => {
  const [told, other] = keys.map((key) => JSON.stringify(study.experiments[key]?.spec.traces));
  return told === other;
};

/** Whether the experiment has the algorithms and limits that the claim is about: a variant may have fewer. */
function isAsked({ tested }: Claim, study: Study, experiment: string): boolean {
  if ('not' in tested) return false;
  const { measure, expect } = tested;
  const named = [measure.where.cca ?? [], measure.against?.where.cca ?? []].flat();
  const keys = measure.by === 'cca' ? Object.keys(expect.paper) : [];
  const has = new Set(study.experiments[experiment]?.spec.ccas.map(({ id }) => id));
  const told = study.experiments[measure.experiment]?.spec.ccas.map(({ id }) => id) ?? [];
  const limits = new Set(study.experiments[experiment]?.spec.buffers.map(bufferLabel));
  const chosen = [
    measure.where.limit ?? [],
    measure.against?.where.limit ?? [],
    measure.by === 'limit' ? Object.keys(expect.paper) : [],
  ];
  if (!chosen.flat().every((limit) => limits.has(String(limit)))) return false;
  // Those with parameters go by their label: of such the algorithms must be the same.
  return [...named, ...keys].every(
    (name) => has.has(String(name)) || (!told.includes(String(name)) && told.every((id) => has.has(id))),
  );
}

function claimOutcome(study: Study, claim: Claim, results: StudyResults): ClaimOutcome {
  const { id, text, tested, because } = claim;
  if ('not' in tested) {
    const outcome: Outcome = { verdict: 'untestable', text: tested.not, misfit: null, points: [] };
    return { id, text, unit: '', experiment: null, outcome, variants: [], reason: null };
  }
  const outcome = outcomeOf(tested, results.get(tested.measure.experiment) ?? []);
  const variants = variantsOf(study, claim, outcome, results);
  const shows = variants.find((variant) => variant.id === because?.variant);
  const unmet = outcome.verdict === 'fails' || outcome.verdict === 'direction';
  const reason =
    because === undefined || !unmet
      ? null
      : {
          text: because.text,
          variant: because.variant,
          title: study.variants[because.variant]?.title ?? because.variant,
          shown: shows?.nearer ?? null,
          numbers: shows === undefined || shows.outcome.verdict === 'open' ? null : shows.outcome.text,
        };
  return { id, text, unit: tested.unit, experiment: tested.measure.experiment, outcome, variants, reason };
}

export const figuresOfStudy = (study: Study, results: StudyResults): StudyRecord['figures'] =>
  study.figures.map(({ id, title, note, claims }) => ({
    id,
    title,
    note,
    claims: claims.map((claim) => claimOutcome(study, claim, results)),
  }));

export function countVerdicts(figures: StudyRecord['figures']): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { holds: 0, direction: 0, fails: 0, untestable: 0, open: 0 };
  for (const { claims } of figures) for (const { outcome } of claims) counts[outcome.verdict]++;
  return counts;
}

/** What its networks are; null: nothing was run for it. */
export const originOf = (
  { experiments }: { readonly experiments: readonly Pick<StudyRecord['experiments'][number], 'key' | 'origin'>[] },
  { experiment }: Pick<ClaimOutcome, 'experiment'>,
): Origin | null => experiments.find(({ key }) => key === experiment)?.origin ?? null;

/** What is behind the numbers of a claim: how many runs each cell has, and over what its intervals are. */
export function sampleText({ points }: Pick<Outcome, 'points'>): string {
  const ours = points.flatMap((point) => point.ours ?? []);
  if (ours.length === 0) return '';
  const counts = ours.map(({ n }) => n);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const runs = `${least === most ? least : `${least} to ${most}`} ${most === 1 ? 'run' : 'runs'} a cell`;
  const over = [...new Set(ours.flatMap((one) => one.over ?? []))].toSorted();
  return `${runs}, ${over.length === 0 ? 'no interval' : `95 % over ${over.join(' and ')}`}`;
}

/** Of a figure: its worst claim, as a figure holds when all that it says does. */
export function figureVerdict(
  claims: readonly { readonly outcome: Pick<ClaimOutcome['outcome'], 'verdict'> }[],
): Verdict {
  const found = new Set(claims.map(({ outcome }) => outcome.verdict));
  for (const verdict of ['open', 'fails', 'direction', 'holds'] as const) if (found.has(verdict)) return verdict;
  return 'untestable';
}
