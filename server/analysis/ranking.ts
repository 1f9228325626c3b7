// Who is first under given weights, who cannot be told apart, and how much the choice of weights matters.
import { holm } from '#analysis/holm';
import { TERMS, normaliseWeights, scoreOf } from '#analysis/scores';
import type { Score, Term, Weights } from '#analysis/scores';
import { finish } from '#analysis/steps';
import { SIGNIFICANT, resampledInterval, resampledP } from '#analysis/statistics';
import type { Interval } from '#analysis/statistics';
import type { CcaTerms, TermTable } from '#analysis/terms';

export interface RankedCca {
  readonly key: string;
  readonly label: string;
  readonly score: Score;
  /** Over the repetitions of these conditions; `interval_traces`: over traces, with fewer than three of which there is none. */
  readonly interval: Interval | null;
  readonly interval_traces: Interval | null;
  /** 1 + the number of CCAs that are better beyond chance; null without a score. */
  readonly rank: number | null;
  /** CCAs whose score cannot be told from this one's. */
  readonly tied_with: readonly string[];
  /** p of the comparison with the next below, in view of all comparisons; null: nothing is below, or nothing was tested. */
  readonly p_next: number | null;
}

export interface Ranking {
  /** Best first; CCAs without a score at the end. */
  readonly ccas: readonly RankedCca[];
  /** false: fewer than three repetitions, so that ranks follow the bare values. */
  readonly tested: boolean;
  /** Pairs of CCAs that were compared, all of them together held to one error in twenty (Holm). */
  readonly comparisons: number;
  /** What the intervals were resampled over. */
  readonly over: { readonly repetitions: number; readonly traces: number };
}

/** Score of each bootstrap replicate; null when a term that counts has none. */
function replicateScores(replicates: CcaTerms['replicates'], weights: Weights): Float64Array | null {
  const counted = TERMS.filter((term) => weights[term] > 0);
  const length = Math.min(...counted.map((term) => replicates[term]?.length ?? 0));
  if (length === 0) return null;
  return new Float64Array(length).map((_, b) =>
    counted.reduce((score, term) => score + weights[term] * (replicates[term]?.[b] ?? 0), 0),
  );
}

/** Values closer than this are the same number computed twice. */
const EQUAL = 1e-9;

export const rank = (table: TermTable, asked: Weights): Ranking => finish(rankSteps(table, asked));

/** The same in steps, one for each CCA: every two of them are compared, and Holm's correction is for all of them together. */
export function* rankSteps(table: TermTable, asked: Weights): Generator<void, Ranking, undefined> {
  const weights = normaliseWeights(asked);
  const scored = table.ccas.map((cca) => ({
    cca,
    score: scoreOf(cca.terms, asked),
    replicates: weights === null ? null : replicateScores(cca.replicates, weights),
    acrossTraces: weights === null ? null : replicateScores(cca.replicates_traces, weights),
  }));
  const overTraces = { n: table.traces, df: table.traces - 1 };
  const resampled = { n: table.repetitions, df: table.df };
  const rivals = scored
    .filter((entry) => entry.score.value !== null)
    .sort((a, b) => (b.score.value ?? 0) - (a.score.value ?? 0));
  type Scored = (typeof scored)[number];

  /** null: not tested. */
  const chance = (a: Scored, b: Scored): number | null => {
    if (a.replicates === null || b.replicates === null) return null;
    const other = b.replicates;
    const difference = (a.score.value ?? 0) - (b.score.value ?? 0);
    if (Math.abs(difference) < EQUAL) return 1;
    return resampledP(
      difference,
      a.replicates.map((value, i) => value - (other[i] ?? 0)),
      resampled,
    );
  };

  // Each pair once, the better one first: p of (i, j) with i < j is at i (2 k - i - 1) / 2 + j - i - 1.
  const k = rivals.length;
  const p = new Float64Array((k * (k - 1)) / 2);
  const family: number[] = [];
  let pair = 0;
  for (const [i, better] of rivals.entries()) {
    for (const worse of rivals.slice(i + 1)) {
      const by = chance(better, worse);
      if (by !== null) family.push(pair);
      // By the bare values: all are told apart but equals.
      p[pair++] = by ?? Number((better.score.value ?? 0) - (worse.score.value ?? 0) < EQUAL);
    }
    yield;
  }
  const adjusted = holm(family.map((at) => p[at] ?? 1));
  for (const [i, at] of family.entries()) p[at] = adjusted[i] ?? 1;
  const pOf = (i: number, j: number): number => {
    const [first, second] = i < j ? [i, j] : [j, i];
    return p[(first * (2 * k - first - 1)) / 2 + second - first - 1] ?? 1;
  };

  const ranked = rivals.map(({ cca, score, replicates, acrossTraces }, i): RankedCca => {
    const told = rivals.map((_, j) => i !== j && pOf(i, j) < SIGNIFICANT);
    const below = rivals[i + 1];
    return {
      key: cca.key,
      label: cca.label,
      score,
      interval: replicates === null ? null : resampledInterval(score.value ?? 0, replicates, resampled),
      interval_traces: acrossTraces === null ? null : resampledInterval(score.value ?? 0, acrossTraces, overTraces),
      rank: 1 + told.slice(0, i).filter(Boolean).length,
      tied_with: rivals.flatMap((other, j) => (i === j || told[j] === true ? [] : [other.cca.key])),
      p_next: replicates === null || (below?.replicates ?? null) === null ? null : pOf(i, i + 1),
    };
  });
  const unscored = scored
    .filter((entry) => entry.score.value === null)
    .map(({ cca, score }): RankedCca => ({
      key: cca.key,
      label: cca.label,
      score,
      interval: null,
      interval_traces: null,
      rank: null,
      tied_with: [],
      p_next: null,
    }));
  return {
    ccas: [...ranked, ...unscored],
    tested: k > 0 && rivals.every((entry) => entry.replicates !== null),
    comparisons: family.length,
    over: { repetitions: table.repetitions, traces: table.traces },
  };
}

export interface MeasuredRanking {
  readonly ranking: Ranking;
  /** Those behind the ranking: of the terms that were measured, in their proportions. */
  readonly weights: Weights;
  /** Terms that count, but that nobody has measured. */
  readonly left_out: readonly Term[];
}

/**
 * By what was measured. A term that was measured for nobody tells nobody from the others: it is left out, and said to be. One that
 * was measured for some stays: without it the others have no score.
 */
export const rankMeasured = (table: TermTable, asked: Weights): MeasuredRanking =>
  finish(rankMeasuredSteps(table, asked));

export function* rankMeasuredSteps(table: TermTable, asked: Weights): Generator<void, MeasuredRanking, undefined> {
  const measured = (term: Term): boolean => table.ccas.some((cca) => cca.terms[term] !== null);
  if (!TERMS.some((term) => asked[term] > 0 && measured(term)))
    return { ranking: yield* rankSteps(table, asked), weights: asked, left_out: [] };
  const weight = (term: Term): number => (measured(term) ? asked[term] : 0);
  const weights = {
    throughput: weight('throughput'),
    delay: weight('delay'),
    intra: weight('intra'),
    inter: weight('inter'),
  };
  return {
    ranking: yield* rankSteps(table, weights),
    weights: normaliseWeights(weights) ?? weights,
    left_out: TERMS.filter((term) => asked[term] > 0 && !measured(term)),
  };
}

export interface Stability {
  /** The terms that were measured for all CCAs; the weightings are over these. */
  readonly terms: readonly Term[];
  /** Share of all weightings in which each CCA is first, in the order of the table. */
  readonly shares: readonly { readonly key: string; readonly label: string; readonly share: number }[];
}

/** Steps along each edge of the simplex: 23 426 weightings of four terms, shares exact to about 1 %. */
const STEPS = 50;

/** All ways to write `total` as a sum of `parts` non-negative integers. */
function* compositions(total: number, parts: number): Generator<number[]> {
  if (parts === 1) yield [total];
  else
    for (let first = 0; first <= total; first++)
      for (const rest of compositions(total - first, parts - 1)) yield [first, ...rest];
}

/**
 * How often each CCA is first when every weighting is as likely as any other (uniform over the simplex, on a lattice that
 * keeps off its edges). A weighting with several first CCAs is divided among them.
 */
export function stability(table: TermTable): Stability {
  const terms = TERMS.filter((term) => table.ccas.length > 0 && table.ccas.every((cca) => cca.terms[term] !== null));
  const rows = table.ccas.map((cca) => terms.map((term) => cca.terms[term] ?? 0));
  const wins = rows.map(() => 0);
  let weightings = 0;
  if (terms.length > 0)
    for (const point of compositions(STEPS, terms.length)) {
      // Lattice points move a little inwards, so that no term is ever left out altogether.
      const scores = rows.map((row) =>
        row.reduce((sum, value, i) => sum + value * ((point[i] ?? 0) + 1 / terms.length), 0),
      );
      const best = Math.max(...scores);
      const first = scores.flatMap((score, i) => (best - score < EQUAL * (STEPS + 1) ? [i] : []));
      for (const i of first) wins[i] = (wins[i] ?? 0) + 1 / first.length;
      weightings++;
    }
  return {
    terms,
    shares: table.ccas.map(({ key, label }, i) => ({
      key,
      label,
      share: weightings === 0 ? 0 : (wins[i] ?? 0) / weightings,
    })),
  };
}
