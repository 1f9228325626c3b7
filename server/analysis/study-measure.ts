// A measure of a study: which cells of an experiment, which value of theirs, told apart by what.
import { ccaLabel } from '#analysis/cca-label';
import { canonicalJson } from '#analysis/identity';
import { bufferLabel } from '#analysis/limits';
import { queueLabel } from '#analysis/queue-label';
import { ccaKey, disciplineOf, groupBy, transportOf, type CellResult } from '#analysis/results';
import { FEWEST_FOR_INTERVAL, estimate, mean, type Range } from '#analysis/statistics';
import { isCompeting, studyValue, type Valued } from '#analysis/study-values';
import { DIMENSIONS, type Measure, type StudyDimension, type Where } from '#protocol/study';

/** A value with what is uncertain about it: over traces like these where there are three, else over repetitions. */
export interface Found extends Valued {
  readonly over: 'traces' | 'repetitions' | null;
}

/** As it stands in the data of a study. */
const READ: Readonly<Record<StudyDimension, (result: CellResult) => string>> = {
  cca: ({ cell }) => cell.cca.id,
  trace: ({ cell }) => cell.trace_name,
  limit: ({ cell }) => bufferLabel(cell.buffer),
  rtt: ({ cell }) => String(cell.base_rtt_ms),
  discipline: ({ cell }) => queueLabel(disciplineOf(cell)),
  transport: ({ cell }) => transportOf(cell) ?? 'tcp',
  loss: ({ cell }) => String(cell.loss),
  sweep: ({ cell }) => String(cell.sweep?.value ?? ''),
};

/** An algorithm by its id; where an experiment has several of one id, those with parameters by their label. */
export function keyOf(result: CellResult, by: StudyDimension | 'all'): string {
  if (by === 'all') return 'all';
  const { cell, cca } = result;
  return by === 'cca' && Object.keys(cell.cca.params).length > 0 ? ccaLabel(cell, cca) : READ[by](result);
}

const listed = (chosen: string | number | readonly (string | number)[]): readonly string[] =>
  (typeof chosen === 'object' ? chosen : [chosen]).map(String);

/** How an algorithm is named among `results`; alone by what it is. */
export function isWithin(result: CellResult, where: Where, ccaOf = (one: CellResult) => keyOf(one, 'cca')): boolean {
  return DIMENSIONS.every((dimension) => {
    const chosen = where[dimension];
    if (chosen === undefined) return true;
    return listed(chosen).includes(dimension === 'cca' ? ccaOf(result) : READ[dimension](result));
  });
}

/** Of an algorithm with several variants each is its own; of one, its id will do even with parameters. */
function ccaNames(results: readonly CellResult[]): (result: CellResult) => string {
  const variants = groupBy(results, ({ cell }) => cell.cca.id);
  const single = (id: string): boolean => new Set((variants.get(id) ?? []).map(({ cell }) => ccaKey(cell))).size === 1;
  return (result) => (single(result.cell.cca.id) ? result.cell.cca.id : keyOf(result, 'cca'));
}

/** Everything that tells a cell from another but these. */
function restOf(result: CellResult, but: readonly StudyDimension[]): string {
  const own = DIMENSIONS.filter((dimension) => !but.includes(dimension));
  return canonicalJson(own.map((dimension) => (dimension === 'cca' ? ccaKey(result.cell) : READ[dimension](result))));
}

function compared(
  results: readonly CellResult[],
  values: ReadonlyMap<string, Valued>,
  { where, how }: NonNullable<Measure['against']>,
): ReadonlyMap<string, Valued> {
  const but = DIMENSIONS.filter((dimension) => where[dimension] !== undefined);
  const ccaOf = ccaNames(results);
  const others = new Map(
    results
      .filter((result) => isWithin(result, where, ccaOf))
      .map((result) => [restOf(result, but), values.get(result.cell.key)]),
  );
  const found = new Map<string, Valued>();
  for (const result of results) {
    const [own, other] = [values.get(result.cell.key), others.get(restOf(result, but))];
    if (own === undefined || other === undefined || (how === 'ratio' && other.mean === 0)) continue;
    const against = how === 'ratio' ? own.mean / other.mean : own.mean - other.mean;
    found.set(result.cell.key, { mean: against, low: null, high: null, n: Math.min(own.n, other.n) });
  }
  return found;
}

const TAKE = {
  mean: (values: readonly number[]) => mean(values) ?? NaN,
  least: (values: readonly number[]) => Math.min(...values),
  most: (values: readonly number[]) => Math.max(...values),
};

const ANYWHERE: Range = [-Infinity, Infinity];

type Celled = readonly (readonly [CellResult, Valued])[];

function together(cells: Celled, take: Measure['take'], range: Range): Found | null {
  const [first] = cells;
  if (first === undefined) return null;
  const n = Math.min(...cells.map(([, value]) => value.n));
  const centre = TAKE[take](cells.map(([, value]) => value.mean));
  if (cells.length === 1) return { ...first[1], over: first[1].low === null ? null : 'repetitions' };
  const traces = [...groupBy(cells, ([{ cell }]) => canonicalJson(cell.trace)).values()];
  const spread = estimate(
    traces.map((own) => TAKE[take](own.map(([, value]) => value.mean))),
    range,
  );
  if (take !== 'mean' || traces.length < FEWEST_FOR_INTERVAL || spread?.low === null || spread === null)
    return { mean: centre, low: null, high: null, n, over: null };
  return { mean: centre, low: spread.low, high: spread.high, n, over: 'traces' };
}

export class MeasureFault extends Error {
  override readonly name = 'MeasureFault';
}

/** Key by key, in the order of the cells. References are left out unless `where` names them. Throws where there is no such value. */
export function measure(
  results: readonly CellResult[],
  { value: name, where, by, take, against }: Omit<Measure, 'experiment'>,
): ReadonlyMap<string, Found> {
  const value = studyValue(name);
  if (value === undefined) throw new MeasureFault(`there is no value ${JSON.stringify(name)}`);
  const named = where.cca === undefined ? [] : listed(where.cca);
  const shown = (result: CellResult): boolean => isCompeting(result) || named.includes(result.cell.cca.id);
  const ccaOf = ccaNames(results);
  const own = results.filter((result) => isWithin(result, where, ccaOf) && shown(result) && result.figures.n > 0);
  const groups = groupBy(own, by === 'cca' ? ccaOf : (result) => keyOf(result, by));
  const found = new Map<string, Found>();
  if (value.of === 'group') {
    if (against !== undefined) throw new MeasureFault(`${name} is of several cells: it cannot be held against others`);
    for (const [key, members] of groups) {
      const one = value.read(members);
      if (one !== null) found.set(key, { ...one, over: one.low === null ? null : 'repetitions' });
    }
    return found;
  }
  // Harm and distances want the baseline and the references, which `where` may leave out.
  const every = value.read(results);
  const values = against === undefined ? every : compared(results, every, against);
  for (const [key, members] of groups) {
    const cells = members.flatMap((result) => {
      const one = values.get(result.cell.key);
      return one === undefined ? [] : [[result, one] as const];
    });
    const [first] = members;
    // A ratio can be anywhere.
    const range = against === undefined && first !== undefined ? value.range(first.cell) : ANYWHERE;
    const one = together(cells, take, range);
    if (one !== null) found.set(key, one);
  }
  return found;
}

/** Of the CCAs at each key the one with the most or the least, and those not further from it than `tie` of its value. */
export function firsts(
  results: readonly CellResult[],
  asked: Omit<Measure, 'experiment'>,
  { who, tie }: { readonly who: 'most' | 'least'; readonly tie: number },
): ReadonlyMap<string, { readonly first: string; readonly tied: readonly string[]; readonly value: Found }> {
  const { by, where } = asked;
  const ccaOf = ccaNames(results);
  const own = results.filter((result) => isWithin(result, where, ccaOf));
  const found = new Map<string, { first: string; tied: readonly string[]; value: Found }>();
  for (const [key, members] of groupBy(own, (result) => keyOf(result, by))) {
    const chosen = by === 'all' ? where : { ...where, [by]: key };
    const ccas = [...measure(members.length === 0 ? [] : results, { ...asked, where: chosen, by: 'cca' })];
    const better = ([, a]: readonly [string, Found], [, b]: readonly [string, Found]): number =>
      who === 'most' ? b.mean - a.mean : a.mean - b.mean;
    const [first, ...others] = ccas.toSorted(better);
    if (first === undefined) continue;
    const [name, value] = first;
    const near = others.filter(([, { mean: other }]) => Math.abs(other - value.mean) <= tie * Math.abs(value.mean));
    found.set(key, { first: name, tied: [name, ...near.map(([other]) => other)], value });
  }
  return found;
}
