// A template as something to press: what it answers, and what that costs here.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { Template } from '#protocol/template';
import { cx } from '../../ui/cx';
import { useCost } from './cost';
import css from './templates.module.css';

interface TemplateCardProps {
  readonly template: Template;
  /** Absent: it leads to the form. */
  readonly onChoose?: () => void;
  readonly children?: ReactNode;
}

export function TemplateCard({ template, onChoose, children }: TemplateCardProps) {
  const { id, title, answers } = template;
  const cost = useCost(template);
  const words = (
    <>
      <span className={css['title']}>{title}</span>
      {answers === '' ? null : <span className={css['answers']}>{answers}</span>}
      <span className={css['cost']}>{cost}</span>
    </>
  );
  return (
    <li className={css['card']}>
      {onChoose === undefined ? (
        <Link to="/new" search={{ template: id }} className={css['press']}>
          {words}
        </Link>
      ) : (
        <Button onPress={onChoose} className={cx(css['press'])}>
          {words}
        </Button>
      )}
      {children}
    </li>
  );
}
