// The rows behind a figure for people who cannot see it: few are always there, more come when they are asked for, page by page.
import { useDeferredValue, useId, useState } from 'react';
import type { Table } from './types';
import { Button, buttonClass } from '../ui/button';
import { cx } from '../ui/cx';
import { formatCount, formatMeasured } from '../ui/format';
import { WideTable } from '../ui/scroll';
import page from '../ui/page.module.css';
import styles from './figure.module.css';

/** More rows than this are many times the elements of the figure itself. */
const FEW = 16;
/** Rows that are read at a time. */
const PAGE = 25;

type Row = readonly (string | number | null)[];

interface SpokenTableProps {
  readonly caption: string;
  readonly table: () => Table;
}

export function SpokenTable(props: SpokenTableProps) {
  // After what is seen: it can be more elements than the figure itself.
  const now = useDeferredValue(true, false);
  return now ? <Rows {...props} /> : null;
}

function Rows({ caption, table }: SpokenTableProps) {
  const { columns, rows } = table();
  const first: Row[] = [];
  for (const row of rows) if (first.push(row) > FEW) break;
  if (first.length > FEW) return <Asked caption={caption} table={table} />;
  return (
    <div className="visually-hidden">
      <RowTable caption={caption} columns={columns} rows={first} />
    </div>
  );
}

/** A button that shows itself when the Tab key comes to it, and the rows once it was pressed: these are for everybody. */
function Asked({ caption, table }: SpokenTableProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={styles['asTable']}>
      <button
        type="button"
        className={buttonClass({ size: 'small' })}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {caption} as a table
      </button>
      {open ? (
        <div id={id}>
          <Pages caption={caption} table={table} />
        </div>
      ) : null}
    </div>
  );
}

function Pages({ caption, table }: SpokenTableProps) {
  const [wanted, setFrom] = useState(0);
  const { columns, rows } = table();
  const all = [...rows];
  // Rows may have gone since: what was hidden in the legend is not in the table.
  const from = Math.min(wanted, Math.floor(Math.max(0, all.length - 1) / PAGE) * PAGE);
  const to = Math.min(from + PAGE, all.length);
  const which = `Rows ${from + 1} to ${formatCount(to)} of ${formatCount(all.length)}`;
  return (
    <>
      <div className={styles['pages']}>
        <Button size="small" isDisabled={from === 0} onPress={() => setFrom(from - PAGE)}>
          Rows before
        </Button>
        <Button size="small" isDisabled={to === all.length} onPress={() => setFrom(to)}>
          Next rows
        </Button>
        <span role="status">{which}</span>
      </div>
      <WideTable label={`${caption}, as a table`} className={page['tall']}>
        <RowTable caption={`${caption}: ${which}`} columns={columns} rows={all.slice(from, to)} shown />
      </WideTable>
    </>
  );
}

function RowTable({
  caption,
  columns,
  rows,
  shown = false,
}: {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly shown?: boolean;
}) {
  const numeric = (j: number) => (shown && rows.every((row) => typeof row[j] !== 'string') ? page['num'] : undefined);
  return (
    <table className={cx(shown && page['table'], shown && styles['rows'])}>
      <caption className={cx(shown && 'visually-hidden')}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column, j) => (
            <th key={column} scope="col" className={numeric(j)}>
              {column.replaceAll('_', ' ')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>
            {row.map((value, j) => (
              <td key={columns[j]} className={numeric(j)}>
                {value === null ? 'not measured' : typeof value === 'number' ? formatMeasured(value) : value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
