// From which queue limit on the other of two has more of the link: each CCA's part of what it shares with the baseline, over the limits of an
// experiment (Zeus, figure 9: BBR below 4.5 BDP, Cubic above).
import type { Cell } from '#protocol/api';
import type { BufferSpec } from '#protocol/spec';
import { ccaLabel } from '#analysis/cca-label';
import { crossover, type Crossover } from '#analysis/crossover';
import { ccaKey, facetKey, groupBy, isReference, type CellResult } from '#analysis/results';

export interface ShareCrossing {
  readonly key: string;
  readonly cell: Omit<Cell, 'key' | 'buffer' | 'limit_bytes'>;
  readonly label: string;
  /** What `at` counts. */
  readonly unit: 'BDP' | 'bytes';
  /** `a`: the CCA; `b`: the baseline beside it. */
  readonly crossing: Crossover;
}

/** Of each CCA but the baseline itself that was paired at two finite limits or more. */
export function shareCrossings(results: readonly CellResult[]): ShareCrossing[] {
  const paired = results.filter(
    (result) =>
      !isReference(result) &&
      !isBaseline(result) &&
      result.cell.limit_bytes !== null &&
      result.figures.pair_shares.length > 0,
  );
  return [...groupBy(paired, ({ cell }) => facetKey(cell) + ccaKey(cell))].flatMap(([key, members]) => {
    const [first] = members;
    if (first === undefined || members.length < 2) return [];
    const inBdp = members.every(({ cell }) => 'bdp' in cell.buffer);
    const crossing = crossover(
      members.map(({ cell: { buffer, limit_bytes }, figures: { pair_shares } }) => ({
        at: inBdp && 'bdp' in buffer ? bdpOf(buffer) : (limit_bytes ?? NaN),
        a: pair_shares,
        b: pair_shares.map((share) => 1 - share),
      })),
    );
    const { key: _key, buffer: _buffer, limit_bytes: _limit, ...cell } = first.cell;
    return [
      {
        key,
        cell,
        label: ccaLabel(first.cell, first.cca),
        unit: inBdp ? 'BDP' : 'bytes',
        crossing,
      },
    ];
  });
}

/** Those of the link’s delay as those of the base RTT, which has two. */
const bdpOf = ({ bdp, delay }: Extract<BufferSpec, { bdp: number }>): number => (delay === 'link' ? bdp / 2 : bdp);

/** With its own parameters it is what others are paired with. */
const isBaseline = ({ cell, cca }: CellResult): boolean =>
  cca?.baseline === true && Object.keys(cell.cca.params).length === 0;
