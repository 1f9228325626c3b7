// Pages of figures while they are on their way, in the shape of what comes: what is there stays where it is.
import type { ReactNode } from 'react';
import { cx } from './cx';
import { Skeleton } from './notice';
import page from './page.module.css';
import css from './page-skeleton.module.css';

interface PageSkeletonProps {
  readonly label: string;
  /** The line below the title. */
  readonly sub?: boolean;
  /** The line of tags. */
  readonly labels?: boolean;
  /** Widths of the buttons at the right of the title, in pixels. */
  readonly actions: readonly number[];
  readonly children: ReactNode;
}

export const PageSkeleton = ({ label, sub = false, labels = false, actions, children }: PageSkeletonProps) => (
  <div role="status" aria-label={label} className={css['waiting']}>
    <div className={page['head']} data-skeleton="head">
      <div className={css['title']}>
        <Skeleton height={24} width="min(460px, 80vw)" />
        {sub ? <div className={css['sub']} /> : null}
      </div>
      <div className={page['actions']}>
        {actions.map((width, i) => (
          <Skeleton key={i} height={32} width={width} />
        ))}
      </div>
      {labels ? <div className={cx(page['below'], css['labels'])} /> : null}
    </div>
    {children}
  </div>
);

interface FigureSkeletonProps {
  /** Of what is drawn, in pixels. */
  readonly height: number;
  /** It has a line that says what is measured, or controls: where it is narrow they stand below the title. */
  readonly rows?: 1 | 2 | 3;
}

export const FigureSkeleton = ({ height, rows = 2 }: FigureSkeletonProps) => (
  <div className={css['figure']} data-skeleton="figure">
    <div className={css['caption']} data-rows={rows}>
      <Skeleton height={16} width="min(320px, 60%)" />
    </div>
    <Skeleton height={height} />
  </div>
);
