// What a figure of scores says beside its bars: the order of the rows, and the weights in words.
import type { MeasuredRanking } from '#analysis/ranking';
import { TERMS, type Scenario, type Term } from '#analysis/scores';

export interface ScenarioRanking extends MeasuredRanking {
  readonly scenario: Scenario;
}

/** Keys of the CCAs in the order of the rows: the same in all scenarios, so that one can be read across. */
export function orderOf(rankings: readonly ScenarioRanking[], order: string): string[] {
  const scores = new Map<string, number[]>();
  for (const { scenario, ranking } of rankings)
    for (const { key, score } of ranking.ccas) {
      const own = scores.get(key) ?? [];
      scores.set(key, own);
      const value = score.value ?? score.partial?.value;
      if (value !== undefined && (order === 'mean' || order === scenario.id)) own.push(value);
    }
  const mean = (values: readonly number[]): number =>
    values.length === 0 ? -1 : values.reduce((a, b) => a + b, 0) / values.length;
  return [...scores].sort(([, a], [, b]) => mean(b) - mean(a)).map(([key]) => key);
}

/** Names of the terms where space is short. */
export const SHORT_TERMS: Readonly<Record<Term, string>> = {
  throughput: 'throughput',
  delay: 'delay',
  intra: 'intra',
  inter: 'inter',
};

export function weightText(weights: Readonly<Record<Term, number>>, leftOut: readonly Term[]): string {
  const total = Object.values(weights).reduce((a, b) => a + b, 0);
  const shares = TERMS.filter((term) => !leftOut.includes(term)).map(
    (term) => `${SHORT_TERMS[term]} ${Math.round((100 * weights[term]) / total)}`,
  );
  return total > 0 ? `${shares.join(' · ')} %` : 'no weight';
}
