// A template as something to press: what it answers, and what that costs here.
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
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
  const own = useId();
  // Called by its title; the rest describes it.
  const named = { 'aria-labelledby': `${own}-title`, 'aria-describedby': `${own}-answers ${own}-cost` };
  const words = (
    <>
      <span id={`${own}-title`} className={css['title']}>
        {title}
      </span>
      {answers === '' ? null : (
        <span id={`${own}-answers`} className={css['answers']}>
          {answers}
        </span>
      )}
      <span id={`${own}-cost`} className={css['cost']} data-estimate="">
        {cost}
      </span>
    </>
  );
  return (
    <li className={css['card']}>
      {onChoose === undefined ? (
        <Link to="/new" search={{ template: id }} className={css['press']} {...named}>
          {words}
        </Link>
      ) : (
        <Button onPress={onChoose} className={cx(css['press'])} {...named}>
          {words}
        </Button>
      )}
      {children}
    </li>
  );
}
