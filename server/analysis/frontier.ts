// The throughput-delay frontier (Zeus figure 6): per trace, queue discipline, base RTT and loss a plane with a point per CCA
// and queue limit, the best that was reached in it, and how far each point is from the two references.
import type { Cell } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { DELAY_METRICS, RATE_METRICS } from '#analysis/metrics';
import { ccaLabel } from '#analysis/cca-label';
import { byLimit, ccaKey, facetKey, groupBy, isReference } from '#analysis/results';
import type { CellBrief } from '#analysis/results';
import { bufferLabel } from '#analysis/limits';
import { sum } from '#analysis/statistics';
import type { Estimate } from '#analysis/statistics';

export interface FrontierPoint {
  readonly cell: Cell;
  /** The limit as it is written in the point. */
  readonly limit: string;
  readonly x: Estimate;
  readonly y: Estimate;
  /** Not beaten in both delay and throughput by any other point of the facet; references do not compete. */
  readonly on_front: boolean;
  readonly to_optimal: Distance | null;
  readonly to_oracle: Distance | null;
}

export interface FrontierSeries {
  readonly key: string;
  readonly label: string;
  readonly cca: CcaDescriptor | null;
  readonly reference: boolean;
  /** From the smallest queue limit to the largest. */
  readonly points: readonly FrontierPoint[];
}

export interface Frontier {
  readonly key: string;
  readonly cell: Pick<Cell, 'trace' | 'trace_name' | 'queue' | 'base_rtt_ms' | 'loss'>;
  readonly capacity_mbps: number | null;
  readonly series: readonly FrontierSeries[];
  /** The best throughput that was reached within each delay: a staircase through the points on the front. */
  readonly hull: readonly XY[];
  /** Cells of the points that come nearest to the references, as Zeus table 1 names them. */
  readonly closest_to_optimal: Cell | null;
  readonly closest_to_oracle: Cell | null;
  readonly oracle_to_optimal: Distance | null;
}

export interface XY {
  readonly x: number;
  readonly y: number;
}

/**
 * Distance of two points in the plane of utilisation and base RTT / packet delay, the two inputs of the scenario scores: both
 * run from 0 to 1, the optimal is at (1, 1), and neither depends on the units or on which other CCAs are shown. Zeus gives
 * its distances in ms: for the oracle and the optimal, which both saturate, that is the difference in delay alone.
 */
export interface Distance {
  readonly distance: number;
  /** Mean packet delay of the point less that of the reference. */
  readonly delay_ms: number;
  /** Utilisation of the point less that of the reference. */
  readonly utilisation: number;
}

export interface Place {
  readonly utilisation: number;
  readonly delay_inflation: number;
  readonly base_rtt_ms: number;
}

export function distanceBetween(point: Place, reference: Place): Distance {
  const utilisation = point.utilisation - reference.utilisation;
  const inverse = 1 / point.delay_inflation - 1 / reference.delay_inflation;
  return {
    distance: Math.hypot(utilisation, inverse),
    delay_ms: point.delay_inflation * point.base_rtt_ms - reference.delay_inflation * reference.base_rtt_ms,
    utilisation,
  };
}

/** Which points no other point beats: none has less x and at least as much y, or as little x and more y. */
export function paretoFront(points: readonly XY[]): boolean[] {
  const on = points.map(() => false);
  const order = [...points.entries()].sort(([, a], [, b]) => a.x - b.x || b.y - a.y);
  let best: XY | null = null;
  for (const [i, point] of order) {
    const same: boolean = best !== null && point.x === best.x && point.y === best.y;
    if (best !== null && point.y <= best.y && !same) continue;
    on[i] = true;
    best = point;
  }
  return on;
}

/** The front as a staircase to draw: from the least delay upwards, flat until the delay of the next better throughput. */
export function staircase(points: readonly XY[]): XY[] {
  const on = paretoFront(points);
  const front = points.filter((_, i) => on[i]).toSorted((a, b) => a.x - b.x);
  return front.flatMap(({ x, y }, i) => {
    const previous = front[i - 1];
    if (previous === undefined) return [{ x, y }];
    return previous.x === x
      ? []
      : [
          { x, y: previous.y },
          { x, y },
        ];
  });
}

function placeOf(result: CellBrief | undefined): Place | null {
  if (result === undefined) return null;
  const { utilisation, delay_inflation: inflation } = result.figures.metrics;
  if (utilisation === null || inflation === null || inflation.mean === 0) return null;
  const { base_rtt_ms } = result.cell;
  return { utilisation: utilisation.mean, delay_inflation: inflation.mean, base_rtt_ms };
}

/** One cell stands for a reference: the one with the largest limit, so that only knowledge limits it, not the queue. */
const referenceOf = (results: readonly CellBrief[], kind: CcaDescriptor['kind']): CellBrief | undefined =>
  results.filter((r) => r.cca?.kind === kind && r.figures.n > 0).toSorted((a, b) => byLimit(b.cell, a.cell))[0];

function facetOf(
  key: string,
  first: Cell,
  results: readonly CellBrief[],
  { x: xMetric, y: yMetric }: FrontierAxes,
): Frontier {
  const optimal = placeOf(referenceOf(results, 'ideal'));
  const oracle = placeOf(referenceOf(results, 'oracle'));
  const measured = results.flatMap((result) => {
    const { [xMetric]: x, [yMetric]: y } = result.figures.metrics;
    if (x === null || y === null) return [];
    const place = placeOf(result);
    const to = (reference: Place | null) =>
      place === null || reference === null ? null : distanceBetween(place, reference);
    return [{ result, x, y, to_optimal: to(optimal), to_oracle: to(oracle) }];
  });
  const competing = measured.filter(({ result }) => !isReference(result));
  const places = competing.map(({ x, y }) => ({ x: x.mean, y: y.mean }));
  const on = paretoFront(places);
  const front = new Set(competing.filter((_, i) => on[i]).map(({ result }) => result.cell.key));

  const series = [...groupBy(measured, ({ result }) => ccaKey(result.cell))].map(
    ([seriesKey, members]): FrontierSeries => {
      const { cell, cca } = (members[0] ?? { result: { cell: first, cca: null } }).result;
      return {
        key: seriesKey,
        label: ccaLabel(cell, cca),
        cca,
        reference: isReference({ cca }),
        points: members
          .toSorted((a, b) => byLimit(a.result.cell, b.result.cell))
          .map(({ result, ...rest }) => ({
            cell: result.cell,
            limit: bufferLabel(result.cell.buffer),
            ...rest,
            on_front: front.has(result.cell.key),
          })),
      };
    },
  );
  const closest = (to: 'to_optimal' | 'to_oracle'): Cell | null => {
    const distances = competing.flatMap((m) => (m[to] === null ? [] : [{ cell: m.result.cell, d: m[to].distance }]));
    return distances.toSorted((a, b) => a.d - b.d)[0]?.cell ?? null;
  };
  const capacity = {
    sum: sum(results.map(({ figures }) => figures.capacity.sum)),
    n: sum(results.map(({ figures }) => figures.capacity.n)),
  };
  const { trace, trace_name, queue, base_rtt_ms, loss } = first;
  return {
    key,
    cell: { trace, trace_name, queue, base_rtt_ms, loss },
    capacity_mbps: capacity.n === 0 ? null : capacity.sum / capacity.n,
    series,
    hull: staircase(places),
    closest_to_optimal: closest('to_optimal'),
    closest_to_oracle: closest('to_oracle'),
    oracle_to_optimal: oracle === null || optimal === null ? null : distanceBetween(oracle, optimal),
  };
}

export interface FrontierAxes {
  readonly x: (typeof DELAY_METRICS)[number];
  readonly y: (typeof RATE_METRICS)[number];
}

/** One frontier per trace, queue discipline, base RTT and loss. An ideal reference belongs to all of its trace and base RTT. */
export const frontiersOf = (results: readonly CellBrief[], axes: FrontierAxes): Frontier[] => [
  ...frontierSteps(results, axes),
];

/** One after the other. */
export function* frontierSteps(
  results: readonly CellBrief[],
  axes: FrontierAxes,
): Generator<Frontier, void, undefined> {
  const ideals = results.filter((result) => result.cca?.kind === 'ideal');
  const others = results.filter((result) => result.cca?.kind !== 'ideal');
  const facets = groupBy(others.length === 0 ? ideals : others, (result) => facetKey(result.cell));
  for (const [key, members] of facets) {
    const first = members[0]?.cell;
    if (first === undefined) continue;
    const { queue, transport, loss } = first;
    const sameLink = (cell: Cell): boolean =>
      cell.base_rtt_ms === first.base_rtt_ms &&
      facetKey({ ...cell, queue, transport, loss, sweep: cell.sweep ?? first.sweep }) === key;
    const all = others.length === 0 ? members : [...members, ...ideals.filter((ideal) => sameLink(ideal.cell))];
    yield facetOf(key, first, all, axes);
  }
}
