// What each CCA has of a link that it shares with the baseline, along queue limits: one plane per link, in it a line per CCA (Zeus, figure 9).
import { ccaKey, facetKey, groupBy, isReference, type CellResult } from '#analysis/results';
import { estimate } from '#analysis/statistics';
import type { SweepPlane } from '#analysis/sweep-lines';

export interface SharePlanes {
  /** What the places along the axis count. */
  readonly unit: 'BDP' | 'kB';
  readonly planes: readonly SweepPlane[];
}

/** Of cells with finite limits that were paired; links on which one limit alone was make no line. */
export function sharePlanes(results: readonly CellResult[]): SharePlanes {
  const paired = results.filter(
    (result) => !isReference(result) && result.cell.limit_bytes !== null && result.figures.pair_shares.length > 0,
  );
  // Of the base RTT, all of them: else their bytes can be compared.
  const inBdp = paired.every(({ cell: { buffer } }) => 'bdp' in buffer && buffer.delay === undefined);
  const placeOf = ({ cell: { buffer, limit_bytes } }: CellResult): number =>
    inBdp && 'bdp' in buffer ? buffer.bdp : (limit_bytes ?? 0) / 1000;
  const planes = [...groupBy(paired, ({ cell }) => facetKey(cell))].flatMap(([key, members]): SweepPlane[] => {
    const values = [...new Set(members.map(placeOf))].sort((a, b) => a - b);
    const [first] = members;
    if (first === undefined || values.length < 2) return [];
    const lines = [...groupBy(members, ({ cell }) => ccaKey(cell))].map(([line, own]) => ({
      key: line,
      cca: own[0]?.cell.cca ?? first.cell.cca,
      points: own
        .flatMap((result) => {
          const y = estimate(result.figures.pair_shares, [0, 1]);
          return y === null ? [] : [{ cell: result.cell, at: placeOf(result), y }];
        })
        .sort((a, b) => a.at - b.at),
      level: null,
    }));
    return [{ key, cell: first.cell, values, lines }];
  });
  return { unit: inBdp ? 'BDP' : 'kB', planes };
}
