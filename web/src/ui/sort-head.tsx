import type { ReactNode } from 'react';
import css from './sort-head.module.css';

interface SortHeadProps<K extends string> {
  readonly id: K;
  /** `-mean`: by mean, the greatest first. */
  readonly sort: K | `-${K}`;
  readonly onSort: (sort: K | `-${K}`) => void;
  /** Its first press puts the greatest first. */
  readonly greatestFirst?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The head of a column that rows can be sorted by. */
export function SortHead<K extends string>(props: SortHeadProps<K>) {
  const { id, sort, onSort, greatestFirst = false, className, children } = props;
  const down: `-${K}` = `-${id}`;
  const direction = sort === id ? 'ascending' : sort === down ? 'descending' : undefined;
  const next = direction === undefined ? (greatestFirst ? down : id) : direction === 'ascending' ? down : id;
  return (
    <th className={className} aria-sort={direction}>
      <button type="button" className={css['sort']} onClick={() => onSort(next)}>
        {children}
        <span aria-hidden="true">{direction === undefined ? '' : direction === 'ascending' ? '↑' : '↓'}</span>
      </button>
    </th>
  );
}
