// Regions that scroll on their own: they can be reached by keyboard, and they say what they hold.
import type { ReactNode, Ref } from 'react';
import { cx } from './cx';
import page from './page.module.css';

/* eslint-disable jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard (axe: scrollable-region-focusable) */

/** A wide table that scrolls sideways; with a `className` that bounds its height also down, below its head. */
export const WideTable = ({
  ref,
  label,
  className,
  children,
}: {
  readonly ref?: Ref<HTMLDivElement>;
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) => (
  <div ref={ref} className={cx(page['scroll'], className)} role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

/** A column that may be longer than the screen. */
export const TallColumn = ({
  ref,
  label,
  className,
  children,
}: {
  readonly ref?: Ref<HTMLDivElement>;
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}) => (
  <div ref={ref} className={className} role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

/** JSON, or what a program said. */
export const CodeBlock = ({ label, children }: { readonly label: string; readonly children: string }) => (
  <pre className={page['code']} role="region" aria-label={label} tabIndex={0}>
    {children}
  </pre>
);
