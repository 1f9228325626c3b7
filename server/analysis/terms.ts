// The four score terms of each CCA, averaged over an experiment, with bootstrap replicates so that any weighting of them can
// be given an interval without resampling again (weights are dragged on the page).
//
// Averages come first, as in Zeus: over the repetitions of a cell, then over the conditions (trace, queue limit, discipline,
// base RTT, loss), each condition counting the same. Delay is averaged as inflation and inverted at the end, because Zeus
// table 3 follows from the inverse of the averages in table 2. Only conditions that every CCA has measured count, so that no
// CCA is judged by easier ones; a CCA without any measured condition does not hold the others back.
// The replicates resample repetitions within each cell. All CCAs of a condition share the draws, since the planner gave
// equal repetitions equal starts, phases and losses. These intervals speak of repeating these conditions, not of other traces.
// Beside them the traces themselves are resampled, each with all of its conditions: what other networks like these would change.
import type { CcaDescriptor } from '#protocol/cca';
import { TERM_SOURCES } from '#analysis/figures';
import { canonicalJson } from '#analysis/identity';
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
  /** The same with traces resampled instead of repetitions; null with fewer than three traces. */
  readonly replicates_traces: Readonly<Record<Term, Float64Array | null>>;
}

export interface TermTable {
  readonly ccas: readonly CcaTerms[];
  /** Conditions that count for each term, of all conditions of the experiment. */
  readonly matched: Readonly<Record<Term, number>>;
  readonly conditions: number;
  /** The fewest repetitions behind any mean, and the degrees of freedom of the averages. */
  readonly repetitions: number;
  readonly df: number;
  /** The fewest traces behind any mean. */
  readonly traces: number;
}

/** One condition: its trace, and for each CCA (by its index) the values of its repetitions. */
interface Condition {
  readonly trace: string;
  readonly values: ReadonlyMap<number, readonly number[]>;
}

/** The conditions in which every CCA that measured this term at all has measured it. */
function matchedConditions(groups: readonly (readonly CellResult[])[], term: Term): Condition[] {
  const conditions = new Map<string, { trace: string; values: Map<number, readonly number[]> }>();
  const measured = new Set<number>();
  for (const [cca, results] of groups.entries())
    for (const result of results) {
      const values = result.figures.values[term];
      if (values.length === 0) continue;
      const key = conditionKey(result.cell);
      const condition = conditions.get(key) ?? { trace: canonicalJson(result.cell.trace), values: new Map() };
      condition.values.set(cca, values);
      conditions.set(key, condition);
      measured.add(cca);
    }
  return [...conditions.values()].filter(({ values }) => values.size === measured.size);
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
  for (const { values: condition } of conditions) {
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

/** Replicates of the average over conditions when traces are drawn, the same for all CCAs, each with all of its conditions. */
function* resampleTraces(
  conditions: readonly Condition[],
  ccas: number,
  replicates: number,
  seed: number,
): Generator<void, Float64Array[], undefined> {
  const traces = [...groupBy(conditions, ({ trace }) => trace).values()];
  // Per trace how many conditions, and for each CCA the sum of their means.
  const own = traces.map((members) => ({
    conditions: members.length,
    sums: Float64Array.from({ length: ccas }, (_, cca) =>
      members.reduce((total, { values }) => total + (mean(values.get(cca) ?? []) ?? 0), 0),
    ),
  }));
  const averages = Array.from({ length: ccas }, () => new Float64Array(replicates));
  const random = generator(seed);
  let work = 0;
  for (let b = 0; b < replicates; b++) {
    let drawn = 0;
    for (let i = 0; i < own.length; i++) {
      const trace = own[Math.floor(random() * own.length)];
      if (trace === undefined) continue;
      drawn += trace.conditions;
      for (const [cca, target] of averages.entries()) target[b] = (target[b] ?? 0) + (trace.sums[cca] ?? 0);
    }
    for (const target of averages) target[b] = (target[b] ?? 0) / drawn;
    work += own.length * ccas;
    if (work > STEP) {
      work = 0;
      yield;
    }
  }
  return averages;
}

const tracesOf = (conditions: readonly Condition[]): number => new Set(conditions.map(({ trace }) => trace)).size;

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
  const sizes = TERMS.flatMap((term) =>
    matched[term].flatMap((row) => [...row.values.values()].map((own) => own.length)),
  );
  const repetitions = sizes.length === 0 ? 0 : Math.min(...sizes);
  const fewest = Math.min(...TERMS.map((term) => matched[term].length).filter((count) => count > 0));
  // Throughput and delay come from the same runs: with one seed for all terms they are drawn together.
  const drawn: Record<Term, Float64Array[]> = { throughput: [], delay: [], intra: [], inter: [] };
  if (repetitions >= FEWEST_FOR_INTERVAL)
    for (const term of TERMS) drawn[term] = yield* resample(matched[term], groups.length, replicates, seed);

  const measured = TERMS.filter((term) => matched[term].length > 0);
  const traces = measured.length === 0 ? 0 : Math.min(...measured.map((term) => tracesOf(matched[term])));
  const drawnTraces: Record<Term, Float64Array[]> = { throughput: [], delay: [], intra: [], inter: [] };
  if (traces >= FEWEST_FOR_INTERVAL)
    for (const term of measured)
      drawnTraces[term] = yield* resampleTraces(matched[term], groups.length, replicates, seed);

  const ccas = groups.flatMap(([key, members], index): CcaTerms[] => {
    const first = members[0];
    if (first === undefined) return [];
    const average = (term: Term) =>
      mean(matched[term].flatMap((condition) => mean(condition.values.get(index) ?? []) ?? []));
    const terms = perTerm((term) => {
      const value = average(term);
      return value === null ? null : TERM_SOURCES[term].finish(value);
    });
    const finished = (from: readonly Float64Array[], term: Term): Float64Array | null =>
      terms[term] === null ? null : (from[index]?.map(TERM_SOURCES[term].finish) ?? null);
    return [
      {
        key,
        label: ccaLabel(first.cell, first.cca),
        cca: first.cca,
        terms,
        replicates: perTerm((term) => finished(drawn[term], term)),
        replicates_traces: perTerm((term) => finished(drawnTraces[term], term)),
      },
    ];
  });
  return {
    ccas,
    matched: perTerm((term) => matched[term].length),
    conditions: new Set(competing.map((result) => conditionKey(result.cell))).size,
    repetitions,
    df: repetitions < FEWEST_FOR_INTERVAL ? 0 : fewest * (repetitions - 1),
    traces,
  };
}
