// What an experiment answers, in a sentence for each application and network: who is first, who cannot be told from whom, and what would change it.
import { isWithin, keyOf } from '#analysis/study-measure';
import { rankMeasuredSteps, stability, type RankedCca } from '#analysis/ranking';
import { groupBy, isReference, type CellResult } from '#analysis/results';
import { SCENARIOS, TERM_INFO, type Scenario } from '#analysis/scores';
import { finish } from '#analysis/steps';
import { termSteps, type TermTable } from '#analysis/terms';
import type { ExperimentAnswer } from '#protocol/answers';
import type { StudyDimension } from '#protocol/study';

/** Places that a sentence names, and changes. */
const MOST_NAMED = 4;
const MOST_CHANGES = 3;
/** For ranks; scores themselves do not depend on it. */
const REPLICATES = 400;
/** Less than this between the first and another tells nothing to anybody. */
const WORTH_TELLING = 0.01;
/** More sentences than anybody reads: beyond it only what holds over all of them is told. */
const MOST_NETWORKS = 30;

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const ordinal = (rank: number): string => ORDINALS[rank - 1] ?? `${rank}th`;

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;

const applicationOf = ({ id, label }: Scenario): string =>
  id === 'real-time' ? 'real-time traffic' : label.toLowerCase();

interface Place {
  readonly rank: number;
  readonly ccas: readonly RankedCca[];
}

function placesOf(ranked: readonly RankedCca[]): Place[] {
  const groups = groupBy(
    ranked.filter(({ rank }) => rank !== null),
    ({ rank }) => String(rank),
  );
  return [...groups.values()].map((ccas) => ({ rank: ccas[0]?.rank ?? 1, ccas }));
}

/** `Copa, then Reminis; BBR and Vivace tied third`. */
function placesText(places: readonly Place[]): string {
  const parts: string[] = [];
  let named = 0;
  for (const { rank, ccas } of places) {
    if (named >= MOST_NAMED) break;
    const names = ccas.slice(0, MOST_NAMED).map(({ label }) => label);
    const more = ccas.length - names.length;
    const who = listed(more > 0 ? [...names, `${more} more`] : names);
    if (ccas.length > 1) parts.push(`${named === 0 ? '' : '; '}${who} tied ${ordinal(rank)}`);
    else parts.push(named === 0 ? who : parts.length === 1 && !who.includes(' and ') ? `, then ${who}` : `, ${who}`);
    named += ccas.length;
  }
  return parts.join('');
}

/** Beside the network, in the order in which they are asked. */
const CONDITIONS: readonly (readonly [StudyDimension, (value: string) => string])[] = [
  ['limit', (value) => `at ${value === '∞' ? 'a queue without limit' : value}`],
  ['rtt', (value) => `at a base RTT of ${value} ms`],
  ['discipline', (value) => `with ${value}`],
  ['loss', (value) => `with ${Number(value) * 100} % random loss`],
  ['transport', (value) => `over ${value}`],
  ['sweep', (value) => `at ${value}`],
];

const valuesOf = (results: readonly CellResult[], dimension: StudyDimension): string[] => [
  ...new Set(results.map((result) => keyOf(result, dimension))),
];

/** What is the same in all cells and worth saying. */
function fixedText(results: readonly CellResult[]): string {
  const limits = valuesOf(results, 'limit');
  const [only] = limits;
  return limits.length === 1 && only !== undefined ? ` ${CONDITIONS[0]?.[1](only) ?? ''}` : '';
}

interface Condition {
  readonly text: string;
  readonly table: TermTable;
}

/** The same with one of each dimension that is varied. */
function* conditionsOf(results: readonly CellResult[]): Generator<void, Condition[], undefined> {
  const found: Condition[] = [];
  for (const [dimension, text] of CONDITIONS) {
    // What a sweep does not change has no value of it: it is no condition.
    const values = valuesOf(results, dimension).filter((value) => value !== '');
    if (values.length < 2) continue;
    for (const value of values) {
      const own = results.filter((result) => isWithin(result, { [dimension]: value }));
      found.push({ text: text(value), table: yield* termSteps(own, 1, 1) });
      yield;
    }
  }
  return found;
}

function* changesOf(
  first: RankedCca,
  scenario: Scenario,
  conditions: readonly Condition[],
): Generator<void, string[], undefined> {
  const changes = new Map<string, string[]>();
  for (const { text, table } of conditions) {
    const { ranking } = yield* rankMeasuredSteps(table, scenario.weights);
    const [other] = ranking.ccas;
    const own = ranking.ccas.find(({ key }) => key === first.key)?.score.value ?? null;
    const best = other?.score.value ?? null;
    if (other === undefined || other.key === first.key || best === null) continue;
    if (own === null || best - own > WORTH_TELLING)
      changes.set(other.label, [...(changes.get(other.label) ?? []), text]);
  }
  return [...changes].map(([label, where]) => `${listed(where)} it is ${label}`);
}

function weightingText(table: TermTable, first: RankedCca): string | null {
  const { shares } = stability(table);
  const own = shares.find(({ key }) => key === first.key);
  const [rival] = shares.filter(({ key }) => key !== first.key).toSorted((a, b) => b.share - a.share);
  if (own === undefined || rival === undefined || own.share > 0.995) return null;
  return `other weights (${first.label} is first in ${Math.round(own.share * 100)} % of all, ${rival.label} in ${Math.round(rival.share * 100)} %)`;
}

/** What can be told apart over networks like these, not over repetitions of the same: each network is one draw. */
const overNetworks = (table: TermTable): TermTable => ({
  ...table,
  ccas: table.ccas.map((cca) => ({ ...cca, replicates: cca.replicates_traces })),
  repetitions: table.traces,
  df: table.traces - 1,
});

/** `network` null: over all of them. */
function* answersOver(
  results: readonly CellResult[],
  network: string | null,
): Generator<void, ExperimentAnswer[], undefined> {
  const table = yield* termSteps(results, 1, REPLICATES);
  const conditions = yield* conditionsOf(results);
  const answers: ExperimentAnswer[] = [];
  const networks = valuesOf(results, 'trace');
  for (const scenario of SCENARIOS.filter(({ main }) => main)) {
    const ranks = network === null ? overNetworks(table) : table;
    const { ranking, left_out } = yield* rankMeasuredSteps(ranks, scenario.weights);
    const places = placesOf(ranking.ccas);
    const [first] = ranking.ccas;
    if (first === undefined || first.score.value === null || places.flatMap(({ ccas }) => ccas).length < 2) continue;
    const changes = yield* changesOf(first, scenario, conditions);
    const weighting = weightingText(table, first);
    const shown = changes.slice(0, MOST_CHANGES);
    const change = [
      ...shown,
      ...(changes.length > shown.length ? [`and ${changes.length - shown.length} more`] : []),
      ...(weighting === null ? [] : [weighting]),
    ];
    const where = network ?? (networks.length === 2 ? 'both networks' : `all ${networks.length} networks`);
    answers.push({
      scenario: scenario.id,
      label: scenario.label,
      network,
      text: `For ${applicationOf(scenario)} over ${where}${fixedText(results)}: ${placesText(places)}.`,
      change: change.length === 0 ? null : `${change.join('; ')}.`,
      left_out: left_out.map((term) => TERM_INFO[term].label),
      over: ranking.tested ? (network === null ? ('networks' as const) : ('repetitions' as const)) : null,
      repetitions: table.repetitions,
      traces: table.traces,
      places: places.flatMap(({ rank, ccas }) =>
        ccas.map(({ key, label, score, interval }) => ({ key, label, rank, score: score.value ?? 0, interval })),
      ),
    });
    yield;
  }
  return answers;
}

/** Of runs that are over. Networks in the order of the experiment; with several, what holds over all of them comes first. */
export function* answerSteps(results: readonly CellResult[]): Generator<void, ExperimentAnswer[], undefined> {
  const measured = results.filter((result) => !isReference(result) && result.figures.n > 0);
  const networks = groupBy(measured, (result) => keyOf(result, 'trace'));
  const answers = networks.size > 1 ? yield* answersOver(measured, null) : [];
  if (networks.size > MOST_NETWORKS) return answers;
  for (const [network, own] of networks) answers.push(...(yield* answersOver(own, network)));
  return answers;
}

export const answersOf = (results: readonly CellResult[]): ExperimentAnswer[] => finish(answerSteps(results));
