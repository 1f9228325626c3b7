// The skeleton that pages share: heading with actions, sections, facts, notices about the address.
import type { ReactNode } from 'react';
import { useFrozen } from '../share/frozen';
import { cx } from './cx';
import { Notice } from './notice';
import type { Misread } from './search';
import css from './page.module.css';

export function PageHead({
  title,
  heading,
  children,
  actions,
  below,
}: {
  readonly title?: ReactNode;
  /** In place of the title: it holds the page's h1. */
  readonly heading?: ReactNode;
  readonly children?: ReactNode;
  /** What can be done with the live thing: a share has none of it. */
  readonly actions?: ReactNode;
  /** Over the whole width, below the rest. */
  readonly below?: ReactNode;
}) {
  const frozen = useFrozen();
  return (
    <div className={css['head']}>
      <div>
        {heading ?? <h1 className={css['title']}>{title}</h1>}
        {children === undefined ? null : <div className={css['sub']}>{children}</div>}
      </div>
      {actions === undefined || frozen !== null ? null : <div className={css['actions']}>{actions}</div>}
      {below === undefined || frozen !== null ? null : <div className={css['below']}>{below}</div>}
    </div>
  );
}

export function Section({
  title,
  note,
  aside,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={css['section']} aria-label={title}>
      <div className={css['sectionHead']}>
        <div>
          <h2>{title}</h2>
          {note === undefined ? null : <p>{note}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: string;
}

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className={css['facts']}>
    {facts.map((fact) => (
      <div key={fact.label}>
        <dt>{fact.label}</dt>
        <dd>
          {fact.value}
          {fact.note === undefined ? null : <small>{fact.note}</small>}
        </dd>
      </div>
    ))}
  </dl>
);

export const Badge = ({
  kind,
  children,
}: {
  readonly kind?: 'bad' | 'warn' | 'live';
  readonly children: ReactNode;
}) => <span className={cx(css['badge'], kind && css[kind])}>{children}</span>;

/** Says which parts of a link were not understood. */
export const SearchNotice = ({ misread }: { readonly misread: readonly Misread[] }) =>
  misread.length === 0 ? null : (
    <Notice kind="warning" title="Part of this link was not understood">
      {misread.map(({ key, value }) => (
        <div key={key}>
          <code>
            {key}={value}
          </code>{' '}
          is not a value this page knows; the default is shown.
        </div>
      ))}
    </Notice>
  );
