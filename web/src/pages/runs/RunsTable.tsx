// The rows that were found. One is a link to its run; several are laid over one another.
import { Link } from '@tanstack/react-router';
import { useRef, type MouseEvent } from 'react';
import type { RunField } from '#analysis/run-fields';
import type { CcaDescriptor } from '#protocol/cca';
import type { RunTableRow } from '#protocol/run-table';
import { Button } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { WideTable } from '../../ui/scroll';
import { SortHead } from '../../ui/sort-head';
import { RowGap, useVirtualRows } from '../../ui/virtual-rows';
import { When } from '../../ui/when';
import { cellText, isNumber, titleOf } from './columns';
import page from '../../ui/page.module.css';
import css from './runs.module.css';

const ROW_HEIGHT = 37;

interface RunsTableProps {
  readonly rows: readonly RunTableRow[];
  readonly total: number;
  readonly columns: readonly RunField[];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: readonly string[], on: boolean) => void;
  /** null: there are no more. */
  readonly onMore: (() => void) | null;
}

export function RunsTable(props: RunsTableProps) {
  const { rows, total, columns, ccas, sort, onSort, selected, onSelect, onMore } = props;
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<number | null>(null);
  const { from, to, above, below, measure } = useVirtualRows({ count: rows.length, box, height: ROW_HEIGHT });
  const press = (event: MouseEvent, place: number): void => {
    const row = rows[place];
    if (row === undefined) return;
    const on = !selected.has(row.id);
    const start = event.shiftKey && last.current !== null ? last.current : place;
    const [first, end] = [Math.min(start, place), Math.max(start, place)];
    onSelect(
      rows.slice(first, end + 1).map(({ id }) => id),
      on,
    );
    last.current = place;
  };
  const width = columns.length + 3;
  return (
    <>
      <WideTable ref={box} label="Runs" className={measure === null ? undefined : page['tall']}>
        <table className={cx(page['table'], css['runs'])} aria-rowcount={total + 1}>
          <Head columns={columns} sort={sort} onSort={onSort} />
          <tbody>
            <RowGap height={above} width={width} />
            {rows.slice(from, to).map((row, i) => {
              const label = row.ccas.map((id) => ccas.get(id)?.label ?? id).join(' + ');
              return (
                <tr
                  key={row.id}
                  ref={measure}
                  data-index={from + i}
                  data-selected={selected.has(row.id) ? '' : undefined}
                  aria-rowindex={from + i + 2}
                >
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Select ${label}, ${row.trace}, repetition ${row.rep + 1}`}
                      checked={selected.has(row.id)}
                      onClick={(event) => press(event, from + i)}
                      onChange={() => undefined}
                    />
                  </td>
                  <th scope="row">
                    <Link to="/r/$id" params={{ id: row.id }} className={css['name']}>
                      {row.ccas.map((id, flow) => (
                        <CcaMark key={`${id} ${flow}`} cca={ccas.get(id)} size={12} />
                      ))}
                      {label}
                    </Link>
                    {row.starred ? <span title="starred"> ★</span> : null}
                  </th>
                  {columns.map((field) => (
                    <td key={field.id} className={isNumber(field) ? page['num'] : css['word']}>
                      {field.id === 'experiment' ? (
                        <Link to="/e/$id" params={{ id: row.experiment.id }}>
                          {row.experiment.name}
                        </Link>
                      ) : (
                        cellText(field, row)
                      )}
                    </td>
                  ))}
                  <td className={page['num']}>
                    <When iso={row.made} />
                  </td>
                </tr>
              );
            })}
            <RowGap height={below} width={width} />
          </tbody>
        </table>
      </WideTable>
      {onMore === null ? null : (
        <div className={css['more']}>
          <Button size="small" onPress={onMore}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

const Head = ({ columns, sort, onSort }: Pick<RunsTableProps, 'columns' | 'sort' | 'onSort'>) => (
  <thead>
    <tr>
      <th scope="col">
        <span className="visually-hidden">Selected</span>
      </th>
      <SortHead id="cca" sort={sort} onSort={onSort}>
        CCA
      </SortHead>
      {columns.map((field) =>
        field.column === undefined ? (
          <th key={field.id} scope="col">
            {titleOf(field)}
          </th>
        ) : (
          <SortHead
            key={field.id}
            id={field.id}
            sort={sort}
            onSort={onSort}
            greatestFirst={isNumber(field)}
            className={isNumber(field) ? page['num'] : undefined}
          >
            {titleOf(field)}
          </SortHead>
        ),
      )}
      <SortHead id="made" sort={sort} onSort={onSort} greatestFirst className={page['num']}>
        When
      </SortHead>
    </tr>
  </thead>
);
