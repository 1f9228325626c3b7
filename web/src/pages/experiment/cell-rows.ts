// The cells of an experiment as rows of tiles, a group per trace and link, each cell with the run that stands for it.
import { facetKey, groupBy } from '#analysis/results';
import type { Cell, RunRef } from '#protocol/api';
import { facetTitle } from '#analysis/facet-title';

export interface CellTile {
  readonly cell: Cell;
  /** The last run of it that has samples; null: none has yet. */
  readonly run: RunRef | null;
  readonly running: boolean;
}

export type TileRow =
  | { readonly kind: 'heading'; readonly key: string; readonly title: string }
  | { readonly kind: 'tiles'; readonly key: string; readonly tiles: readonly CellTile[] };

const isOver = ({ state }: RunRef): boolean => state !== 'queued' && state !== 'running';

/** One flow alone tells most of a cell; of several repetitions the last stands for all. */
const better = (a: RunRef, b: RunRef | null): boolean =>
  b === null || (a.role === 'solo') > (b.role === 'solo') || (a.role === b.role && a.repetition >= b.repetition);

export function tilesOf(cells: readonly Cell[], runs: readonly RunRef[]): CellTile[] {
  const tiles = new Map(cells.map((cell) => [cell.key, { cell, run: null as RunRef | null, running: false }]));
  for (const run of runs) {
    const tile = tiles.get(run.cell);
    if (tile === undefined) continue;
    if (run.state === 'running') tile.running = true;
    else if (isOver(run) && run.time_s > 0 && better(run, tile.run)) tile.run = run;
  }
  return [...tiles.values()];
}

/** How many of at most `room` tiles in a row: so many that the same queue limits stand below one another, if they fit. */
export function columnsFor(cells: readonly Cell[], room: number): number {
  const limits = new Set(cells.map(({ buffer }) => JSON.stringify(buffer))).size;
  return limits === 0 || limits > room ? room : Math.floor(room / limits) * limits;
}

/** A group's heading, then its tiles, so many in a row. One group needs no heading. */
export function rowsOf(tiles: readonly CellTile[], columns: number): TileRow[] {
  const cells = tiles.map(({ cell }) => cell);
  const groups = groupBy(tiles, ({ cell }) => facetKey(cell));
  return [...groups].flatMap(([key, own]): TileRow[] => {
    const first = own[0]?.cell;
    const heading: TileRow[] =
      first === undefined || groups.size === 1 ? [] : [{ kind: 'heading', key, title: facetTitle(first, cells) }];
    const rows: TileRow[] = [];
    for (let i = 0; i < own.length; i += columns)
      rows.push({ kind: 'tiles', key: `${key} ${i}`, tiles: own.slice(i, i + columns) });
    return [...heading, ...rows];
  });
}
