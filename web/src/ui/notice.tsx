// What is shown when there is something to say instead of data: problems, warnings, nothing yet, still loading.
import type { ReactNode } from 'react';
import { asApiError } from '../api/client';
import { Button } from './button';
import { cx } from './cx';
import { Icon } from './icons';
import { CodeBlock } from './scroll';
import css from './notice.module.css';

export interface NoticeProps {
  readonly kind?: 'info' | 'warning' | 'problem';
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function Notice({ kind = 'info', title, children, actions }: NoticeProps) {
  return (
    <div className={cx(css['notice'], kind !== 'info' && css[kind])} role={kind === 'problem' ? 'alert' : 'status'}>
      <Icon name={kind === 'info' ? 'info' : 'warning'} />
      <div className={css['body']}>
        {title === undefined ? null : <div className={css['title']}>{title}</div>}
        {children}
      </div>
      {actions === undefined ? null : <div className={css['actions']}>{actions}</div>}
    </div>
  );
}

/** A failure: what, where, why, what next. */
export function ProblemNotice({
  error,
  onRetry,
  actions,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly actions?: ReactNode;
}) {
  const { problem } = asApiError(error);
  return (
    <Notice
      kind="problem"
      title={problem.title}
      actions={
        onRetry === undefined && actions === undefined ? undefined : (
          <>
            {actions}
            {onRetry === undefined ? null : (
              <Button size="small" icon="retry" onPress={onRetry}>
                Try again
              </Button>
            )}
          </>
        )
      }
    >
      <div>{problem.detail}</div>
      {problem.where === undefined ? null : <div className={css['where']}>{problem.where}</div>}
      {problem.hint === undefined ? null : <div className={css['next']}>{problem.hint}</div>}
    </Notice>
  );
}

/** The last words of a program that failed. */
export const LastWords = ({ children }: { readonly children: string }) => (
  <CodeBlock label="Last words of the program">{children}</CodeBlock>
);

export interface EmptyProps {
  readonly title: string;
  /** The whole page is empty: its title is the page's. */
  readonly page?: boolean;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ title, page = false, children, action }: EmptyProps) {
  return (
    <div className={css['empty']}>
      {page ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children === undefined ? null : <p>{children}</p>}
      {action}
    </div>
  );
}

export const Skeleton = ({ height, width = '100%' }: { readonly height: number; readonly width?: string | number }) => (
  <span className={css['skeleton']} style={{ height, width }} aria-hidden="true" />
);

export const Loading = ({
  label,
  rows = 3,
  height = 36,
}: {
  readonly label: string;
  readonly rows?: number;
  readonly height?: number;
}) => (
  <div role="status" aria-label={label} style={{ display: 'grid', gap: 8 }}>
    {Array.from({ length: rows }, (_, i) => (
      <Skeleton key={i} height={height} />
    ))}
  </div>
);
