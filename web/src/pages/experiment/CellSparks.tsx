// Every cell of an experiment as a small picture: rate over capacity, and below it how full the queue was. Only what is in sight is
// asked for and drawn; the room is that of all cells from the beginning, so that nothing moves while results come in.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo } from 'react';
import type { CcaDescriptor } from '#protocol/cca';
import type { ExperimentRecord } from '#protocol/api';
import { TallColumn } from '../../ui/scroll';
import { useCalm } from '../../ui/use-calm';
import { useWidth } from '../../ui/use-width';
import { columnsFor, rowsOf, tilesOf } from './cell-rows';
import { CellSpark } from './CellSpark';
import css from './cell-sparks.module.css';

const TILE_WIDTH = 132;
const GAP = 8;
/** Hundreds of runs may end in a second: their cells are looked through this often. */
const RENEW_MS = 500;
const HEIGHTS = { heading: 28, tiles: 84 };

interface CellSparksProps {
  readonly record: ExperimentRecord;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

export function CellSparks({ record, ccas }: CellSparksProps) {
  const [scroller, width] = useWidth<HTMLDivElement>();
  const { cells, runs } = useCalm(record, RENEW_MS);
  const room = Math.max(1, Math.floor((width + GAP) / (TILE_WIDTH + GAP)));
  const columns = useMemo(() => columnsFor(cells, room), [cells, room]);
  const rows = useMemo(() => rowsOf(tilesOf(cells, runs), columns), [cells, runs, columns]);
  // eslint-disable-next-line react-hooks/incompatible-library -- what it gives is read while rendering and handed on to nobody
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? 'tiles'],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 1,
  });
  return (
    <TallColumn ref={scroller} className={css['scroller']} label="Cells at a glance">
      <div className={css['all']} style={{ height: virtual.getTotalSize() }}>
        {width === 0
          ? null
          : virtual.getVirtualItems().map(({ key, index, start }) => {
              const row = rows[index];
              return (
                <div key={key} className={css['row']} style={{ transform: `translateY(${start}px)` }}>
                  {row?.kind === 'heading' ? <h3>{row.title}</h3> : null}
                  {row?.kind === 'tiles' ? (
                    <ul style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
                      {row.tiles.map((tile) => (
                        <CellSpark key={tile.cell.key} tile={tile} cca={ccas.get(tile.cell.cca.id)} />
                      ))}
                    </ul>
                  ) : null}
                </div>
              );
            })}
      </div>
    </TallColumn>
  );
}
