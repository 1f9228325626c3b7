// Who gets what from whom: for every algorithm what a flow beside it has of its fair share of what both had (max-min: a half), or what harm
// it comes to. Beside the baseline, which all are paired with, beside itself, and beside every algorithm that a sweep has put into the second flow.
import type { Cell } from '#protocol/api';
import { harmTable } from '#analysis/harm';
import type { Sample } from '#analysis/figures';
import { bufferLabel } from '#analysis/limits';
import { ccaKey, conditionKey, facetKey, groupBy, isReference, type CellSamples } from '#analysis/results';
import { metFlow } from '#analysis/sweep-name';
import { estimate, type Estimate } from '#analysis/statistics';

export const PAIR_METRICS = ['share', 'throughput_harm', 'delay_harm'] as const;
export type PairMetric = (typeof PAIR_METRICS)[number];
/** `met`: the algorithms of the flow that a sweep goes through, one a column. */
export type Incumbent = 'baseline' | 'itself' | 'met';

export interface PairCell {
  /** Of the contender. */
  readonly cell: Cell;
  /** What its column stands for: a queue limit, or who is met. */
  readonly column: string;
  /** %; null: its runs are not there. */
  readonly value: Estimate | null;
  /** What the colour is centred on, %: fair, or the baseline's harm to itself; null: not known. */
  readonly centre: number | null;
  /** Its runs, by repetition. */
  readonly runs: readonly string[];
}

export interface PairGrid {
  readonly key: string;
  /** One of its cells: the link. */
  readonly link: Cell;
  readonly incumbent: Incumbent;
  readonly rows: readonly { readonly key: string; readonly cells: readonly PairCell[] }[];
}

const FAIR = 100;

const rateOf = ({ summary }: Sample, flow: number): number =>
  summary.receivers.find((own) => own.flow === flow)?.throughput_mbps ?? 0;

/** Of its half, %: the baseline's flow, the second; of two flows of one algorithm the one that has less. */
function shareOfFair(sample: Sample, incumbent: Incumbent): number | null {
  const [first, second] = [rateOf(sample, 0), rateOf(sample, 1)];
  if (first + second <= 0) return null;
  return ((incumbent === 'baseline' ? second : Math.min(first, second)) / (first + second)) * 2 * FAIR;
}

const sharesIn = (samples: readonly Sample[], incumbent: Incumbent): Estimate | null =>
  estimate(
    samples.flatMap((sample) => shareOfFair(sample, incumbent) ?? []),
    [0, 2 * FAIR],
  );

/** The baseline's pair with the baseline is its pair with itself. */
const pairsOf = ({ cca, cell, samples }: CellSamples, incumbent: Incumbent): readonly Sample[] =>
  incumbent === 'baseline' && !(cca?.baseline === true && Object.keys(cell.cca.params).length === 0)
    ? samples.baseline_pair
    : samples.self_pair;

export function pairGrids(results: readonly CellSamples[], metric: PairMetric): PairGrid[] {
  const competing = results.filter((result) => !isReference(result));
  const harms = harmTable(competing);
  const harmOf = new Map(harms.results.map((result) => [result.cell.key, result]));
  const field = metric === 'delay_harm' ? 'delay' : 'throughput';
  const centres = new Map<string, number>();
  // The bar of a condition is the harm of the baseline in it.
  for (const { cell, cca } of competing)
    if (cca?.baseline === true && Object.keys(cell.cca.params).length === 0)
      centres.set(placeOf(cell, cca.kind), harmOf.get(cell.key)?.[field]?.mean ?? NaN);
  const one = (result: CellSamples, incumbent: Incumbent): PairCell => {
    const { cell, cca } = result;
    const samples = pairsOf(result, incumbent);
    const runs = samples.map(({ run }) => run);
    const column = bufferLabel(cell.buffer);
    if (metric === 'share') return { cell, column, value: sharesIn(samples, incumbent), centre: FAIR, runs };
    const bar = centres.get(placeOf(cell, cca?.kind)) ?? NaN;
    return { cell, column, value: harmOf.get(cell.key)?.[field] ?? null, centre: Number.isNaN(bar) ? null : bar, runs };
  };
  // What a flow loses beside its like is told of the baseline alone: it is what the others are held against.
  const incumbents: readonly Incumbent[] = metric === 'share' ? ['baseline', 'itself'] : ['baseline'];
  const beside = [...groupBy(competing, ({ cell }) => facetKey(cell))].flatMap(([key, members]) =>
    incumbents.flatMap((incumbent): PairGrid[] => {
      const rows = [...groupBy(members, ({ cell }) => ccaKey(cell))].map(([row, own]) => ({
        key: row,
        cells: own.map((result) => one(result, incumbent)),
      }));
      const [link] = members;
      const known = rows.some(({ cells }) => cells.some(({ value }) => value !== null));
      return link === undefined || !known ? [] : [{ key: `${key} ${incumbent}`, link: link.cell, incumbent, rows }];
    }),
  );
  return metric === 'share' ? [...metGrids(competing), ...beside] : beside;
}

/** Everyone beside everyone: of experiments that sweep the algorithm of one of two flows, a grid a condition. */
function metGrids(results: readonly CellSamples[]): PairGrid[] {
  const met = results.filter(({ cell }) => cell.sweep !== undefined && metFlow(cell.sweep.path) !== null);
  const nameOf = new Map(results.map(({ cell, cca }) => [cell.cca.id, cca?.label ?? cell.cca.id]));
  return [...groupBy(met, ({ cell: { sweep: _, ...cell } }) => conditionKey(cell))].flatMap(([key, members]) => {
    const rows = [...groupBy(members, ({ cell }) => ccaKey(cell))].map(([row, own]) => ({
      key: row,
      cells: own.map((result) => metCell(result, nameOf)),
    }));
    const [first] = members;
    const known = rows.some(({ cells }) => cells.some(({ value }) => value !== null));
    return first === undefined || !known ? [] : [{ key: `${key} met`, link: first.cell, incumbent: 'met', rows }];
  });
}

function metCell({ cell, samples: { solo } }: CellSamples, nameOf: ReadonlyMap<string, string>): PairCell {
  const flow = metFlow(cell.sweep?.path ?? '') ?? 0;
  const shares = solo.flatMap((sample) => {
    // Of more flows than two nobody is the one that leaves something.
    if (sample.summary.receivers.length !== 2) return [];
    const both = rateOf(sample, 0) + rateOf(sample, 1);
    return both > 0 ? [(rateOf(sample, flow) / both) * 2 * FAIR] : [];
  });
  const value = String(cell.sweep?.value);
  return {
    ...{ cell, column: nameOf.get(value) ?? value, centre: FAIR },
    value: estimate(shares, [0, 2 * FAIR]),
    runs: solo.map(({ run }) => run),
  };
}

/** Where a bar holds: the condition, and the stack. */
const placeOf = (cell: Cell, kind: string | undefined): string =>
  `${facetKey(cell)} ${JSON.stringify(cell.buffer)} ${kind ?? ''}`;

/** How far a value is from the centre, from -1 (the incumbent has all, or is not harmed) to 1 (it has nothing). */
export function harmPlace(metric: PairMetric, value: number, centre: number): number {
  // Shares go from none to all of both; harm by as much as a half away from the bar, delays by as much as a doubling.
  const reach = metric === 'delay_harm' ? 100 : metric === 'share' ? 100 : 50;
  const away = (metric === 'share' ? centre - value : value - centre) / reach;
  return Math.max(-1, Math.min(1, away));
}
