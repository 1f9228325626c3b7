// A metric along what an experiment sweeps: one plane per link and limit, in it one line per CCA.
import { canonicalJson } from '#analysis/identity';
import type { MetricId } from '#analysis/metrics';
import { groupBy, type CellBrief } from '#analysis/results';
import type { Estimate } from '#analysis/statistics';
import { sweptValue } from '#analysis/table';
import type { Cell } from '#protocol/api';
import type { ParamValues } from '#protocol/spec';

export interface SweepPoint {
  readonly cell: Cell;
  readonly at: number | string;
  readonly y: Estimate;
}

export interface SweepLine {
  readonly key: string;
  /** The CCA without what is swept of it. */
  readonly cca: Cell['cca'];
  /** In the order of the sweep. */
  readonly points: readonly SweepPoint[];
  /** Of a CCA that the sweep does not change: the same for all values. */
  readonly level: { readonly cell: Cell; readonly y: Estimate } | null;
}

export interface SweepPlane {
  readonly key: string;
  /** Any of its cells that the sweep changes. */
  readonly cell: Cell;
  /** All values that were measured here. */
  readonly values: readonly (number | string)[];
  readonly lines: readonly SweepLine[];
}

/** Without what the sweep writes there: the same for all of its values. */
function unswept<T extends { readonly params: ParamValues }>(ref: T, axis: 'ccas' | 'queues', path: string): T {
  if (!path.startsWith(`${axis}.`)) return ref;
  const name = path.slice(path.lastIndexOf('.') + 1);
  return { ...ref, params: Object.fromEntries(Object.entries(ref.params).filter(([key]) => key !== name)) };
}

/** Numbers from small to large, words as they come. */
const inOrder = (values: Iterable<number | string>): (number | string)[] => {
  const all = [...new Set(values)];
  return all.every((value) => typeof value === 'number') ? all.sort((a, b) => a - b) : all;
};

export function sweepPlanes(results: readonly CellBrief[], metric: MetricId): SweepPlane[] {
  const path = results.find(({ cell }) => cell.sweep !== undefined)?.cell.sweep?.path;
  if (path === undefined) return [];
  const planeOf = ({ trace, buffer, queue, transport, base_rtt_ms, loss }: Cell): string =>
    canonicalJson({ trace, buffer, queue: unswept(queue, 'queues', path), transport, base_rtt_ms, loss });
  const isIdeal = ({ cca }: CellBrief): boolean => cca?.kind === 'ideal';
  const measured = results.filter(({ figures }) => figures.metrics[metric] !== null);
  const planes = groupBy(
    measured.filter((result) => !isIdeal(result)),
    ({ cell }) => planeOf(cell),
  );
  return [...planes].flatMap(([key, members]): SweepPlane[] => {
    const cell = members.find(({ cell: { sweep } }) => sweep !== undefined)?.cell;
    if (cell === undefined) return [];
    // An ideal meets no queue and no loss: it belongs to all of its trace and base RTT.
    const ideals = measured.filter((result) => isIdeal(result) && planeOf({ ...cell, ...linkOf(result.cell) }) === key);
    const lines = [
      ...groupBy([...members, ...ideals], (result) => canonicalJson(unswept(result.cell.cca, 'ccas', path))),
    ].map(([line, own]) => lineOf(line, own, metric, path));
    return [{ key, cell, values: inOrder(lines.flatMap(({ points }) => points.map(({ at }) => at))), lines }];
  });
}

const linkOf = ({ trace, base_rtt_ms }: Cell) => ({ trace, base_rtt_ms });

function lineOf(key: string, results: readonly CellBrief[], metric: MetricId, path: string): SweepLine {
  const found = results.flatMap(({ cell, figures }) => {
    const y = figures.metrics[metric];
    return y === null ? [] : [{ cell, at: sweptValue(cell), y }];
  });
  const points = found.flatMap(({ cell, at, y }) => (at === null ? [] : [{ cell, at, y }]));
  const order = inOrder(points.map(({ at }) => at));
  const [first] = found;
  return {
    key,
    cca: first === undefined ? { id: key, params: {} } : unswept(first.cell.cca, 'ccas', path),
    points: points.toSorted((a, b) => order.indexOf(a.at) - order.indexOf(b.at)),
    level: found.find(({ at }) => at === null) ?? null,
  };
}
