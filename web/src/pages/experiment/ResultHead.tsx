// The head of the table of results: what each column is, and by which the rows are sorted.
import type { ReactNode } from 'react';
import type { SortColumn } from '#analysis/table';
import type { Grouping } from './grouping';
import { type axisColumns, type columnsOf, DIMENSION_LABELS } from './result-columns';
import page from '../../ui/page.module.css';
import css from './experiment.module.css';

interface ResultHeadProps {
  /** Empty: the rows stand as they come. */
  readonly by: string;
  readonly descending: boolean;
  readonly onSort: (sort: string) => void;
  readonly group: Grouping;
  readonly axes: ReturnType<typeof axisColumns>;
  readonly columns: ReturnType<typeof columnsOf>;
  readonly units: readonly (string | null | undefined)[];
}

export function ResultHead({ by, descending, onSort, group, axes, columns, units }: ResultHeadProps) {
  const header = (id: SortColumn, label: string, title?: string): ReactNode => {
    const on = by === id;
    return (
      <button
        type="button"
        className={css['sort']}
        aria-pressed={on}
        title={title}
        onClick={() => onSort(on && !descending ? `-${id}` : on ? '' : id)}
      >
        {label}
        {on ? <span aria-hidden="true">{descending ? '↓' : '↑'}</span> : null}
      </button>
    );
  };
  const ariaSort = (id: SortColumn) => (by === id ? (descending ? 'descending' : 'ascending') : undefined);
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" aria-sort={ariaSort('cca')}>
          {group === 'none' || group === 'cca' ? null : `${DIMENSION_LABELS[group]} / `}
          {header('cca', 'Algorithm')}
        </th>
        <th scope="col" aria-sort={ariaSort('limit')} className={page['num']}>
          {header('limit', 'Limit')}
        </th>
        {axes.map((column) => (
          <th
            key={column.label}
            scope="col"
            className={css['axis']}
            aria-sort={column.id === null ? undefined : ariaSort(column.id)}
          >
            {column.id === null ? column.label : header(column.id, column.label)}
          </th>
        ))}
        {columns.map((column, i) => (
          <th key={column.id} scope="col" aria-sort={ariaSort(column.id)} className={page['num']}>
            {header(column.id, [column.label, units[i]].filter(Boolean).join(', '), column.title)}
          </th>
        ))}
        <th scope="col" aria-sort={ariaSort('n')} className={page['num']}>
          {header('n', 'Runs', 'Repetitions that count, of those planned')}
        </th>
      </tr>
    </thead>
  );
}
