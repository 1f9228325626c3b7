// The four score terms of each CCA, averaged over an experiment, with bootstrap replicates so that any weighting of them can
// be given an interval without resampling again (weights are dragged on the page).
//
// Averages come first, as in Zeus: over the repetitions of a cell, then over the conditions (trace, queue limit, discipline,
// base RTT, loss), each condition counting the same. Delay is averaged as inflation and inverted at the end, because Zeus
// table 3 follows from the inverse of the averages in table 2. Only conditions that every CCA has measured count, so that no
// CCA is judged by easier ones; a CCA without any measured condition does not hold the others back.
// The replicates resample repetitions within each cell. All CCAs of a condition share the draws, since the planner gave
// equal repetitions equal starts, phases and losses. The intervals speak of repeating these conditions, not of other traces.
import type { CcaDescriptor } from '#protocol/cca';
import { TERM_SOURCES } from '#analysis/figures';
import { ccaLabel } from '#analysis/cca-label';
import { ccaKey, conditionKey, groupBy, isReference } from '#analysis/results';
import type { CellResult } from '#analysis/results';
import { TERMS } from '#analysis/scores';
import type { Term, Terms } from '#analysis/scores';
import { generator } from '#analysis/seeds';
import { finish } from '#analysis/steps';
import { BOOTSTRAP_REPLICATES, FEWEST_FOR_INTERVAL, mean } from '#analysis/statistics';

export interface CcaTerms {
  readonly key: string;
  readonly label: string;
  readonly cca: CcaDescriptor | null;
  readonly terms: Terms;
  /** Bootstrap replicates per term; null when the term was not measured or a cell has fewer than three repetitions. */
  readonly replicates: Readonly<Record<Term, Float64Array | null>>;
}

export interface TermTable {
  readonly ccas: readonly CcaTerms[];
  /** Conditions that count for each term, of all conditions of the experiment. */
  readonly matched: Readonly<Record<Term, number>>;
  readonly conditions: number;
  /** The fewest repetitions behind any mean, and the degrees of freedom of the averages. */
  readonly repetitions: number;
  readonly df: number;
}

/** One condition: for each CCA (by its index) the values of its repetitions. */
type Condition = ReadonlyMap<number, readonly number[]>;

/** The conditions in which every CCA that measured this term at all has measured it. */
function matchedConditions(groups: readonly (readonly CellResult[])[], term: Term): Condition[] {
  const conditions = new Map<string, Map<number, readonly number[]>>();
  const measured = new Set<number>();
  for (const [cca, results] of groups.entries())
    for (const result of results) {
      const values = result.figures.values[term];
      if (values.length === 0) continue;
      const key = conditionKey(result.cell);
      const condition = conditions.get(key) ?? new Map<number, readonly number[]>();
      conditions.set(key, condition.set(cca, values));
      measured.add(cca);
    }
  return [...conditions.values()].filter((condition) => condition.size === measured.size);
}

/** Values that are drawn in a step: about a millisecond. */
const STEP = 100_000;

/** Replicates of the average over conditions, one array per CCA: all CCAs of a condition draw the same repetitions. */
function* resample(
  conditions: readonly Condition[],
  ccas: number,
  replicates: number,
  seed: number,
): Generator<void, Float64Array[], undefined> {
  const averages = Array.from({ length: ccas }, () => new Float64Array(replicates));
  const random = generator(seed);
  for (const condition of conditions) {
    const draws = new Float64Array(Math.max(...[...condition.values()].map((values) => values.length)));
    const rows = [...condition].flatMap(([cca, values]) => {
      const target = averages[cca];
      return target === undefined ? [] : [{ target, values }];
    });
    let work = 0;
    for (let b = 0; b < replicates; b++) {
      for (let i = 0; i < draws.length; i++) draws[i] = random();
      for (const { target, values } of rows) {
        let sum = 0;
        for (let i = 0; i < values.length; i++) sum += values[Math.floor((draws[i] ?? 0) * values.length)] ?? 0;
        target[b] = (target[b] ?? 0) + sum / values.length / conditions.length;
        work += values.length;
      }
      if (work > STEP) {
        work = 0;
        yield;
      }
    }
  }
  return averages;
}

const perTerm = <T>(make: (term: Term) => T): Record<Term, T> => ({
  throughput: make('throughput'),
  delay: make('delay'),
  intra: make('intra'),
  inter: make('inter'),
});

export const termTable = (results: readonly CellResult[], seed?: number, replicates?: number): TermTable =>
  finish(termSteps(results, seed, replicates));

/** The same in short steps. */
export function* termSteps(
  results: readonly CellResult[],
  seed = 1,
  replicates = BOOTSTRAP_REPLICATES,
): Generator<void, TermTable, undefined> {
  const competing = results.filter((result) => !isReference(result));
  const groups = [...groupBy(competing, (result) => ccaKey(result.cell))];
  const matched = perTerm((term) =>
    matchedConditions(
      groups.map(([, members]) => members),
      term,
    ),
  );
  const sizes = TERMS.flatMap((term) => matched[term].flatMap((row) => [...row.values()].map((own) => own.length)));
  const repetitions = sizes.length === 0 ? 0 : Math.min(...sizes);
  const fewest = Math.min(...TERMS.map((term) => matched[term].length).filter((count) => count > 0));
  // Throughput and delay come from the same runs: with one seed for all terms they are drawn together.
  const drawn: Record<Term, Float64Array[]> = { throughput: [], delay: [], intra: [], inter: [] };
  if (repetitions >= FEWEST_FOR_INTERVAL)
    for (const term of TERMS) drawn[term] = yield* resample(matched[term], groups.length, replicates, seed);

  const ccas = groups.flatMap(([key, members], index): CcaTerms[] => {
    const first = members[0];
    if (first === undefined) return [];
    const average = (term: Term) => mean(matched[term].flatMap((condition) => mean(condition.get(index) ?? []) ?? []));
    const terms = perTerm((term) => {
      const value = average(term);
      return value === null ? null : TERM_SOURCES[term].finish(value);
    });
    return [
      {
        key,
        label: ccaLabel(first.cell, first.cca),
        cca: first.cca,
        terms,
        replicates: perTerm((term) =>
          terms[term] === null ? null : (drawn[term][index]?.map(TERM_SOURCES[term].finish) ?? null),
        ),
      },
    ];
  });
  return {
    ccas,
    matched: perTerm((term) => matched[term].length),
    conditions: new Set(competing.map((result) => conditionKey(result.cell))).size,
    repetitions,
    df: repetitions < FEWEST_FOR_INTERVAL ? 0 : fewest * (repetitions - 1),
  };
}
