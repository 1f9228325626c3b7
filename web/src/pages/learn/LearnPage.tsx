// Ten short lessons, each a run to move and a question that moving it answers.
import { Link } from '@tanstack/react-router';
import { LESSONS } from '../../learn/lessons';
import { useCrumbs } from '../frame/crumbs';
import { buttonClass } from '../../ui/button';
import { Icon } from '../../ui/icons';
import { PageHead } from '../../ui/page';
import { useDone } from './done';
import css from './learn.module.css';

export function LearnPage() {
  useCrumbs('Lessons');
  const done = useDone();
  return (
    <>
      <PageHead
        title="Lessons"
        actions={
          <Link to="/learn/teacher" className={buttonClass({})}>
            For teachers
          </Link>
        }
      >
        One screen each: a text, a run that follows your hand, and a question whose answer is found by moving it.
      </PageHead>
      <ol className={css['list']}>
        {LESSONS.map(({ id, title, question }, i) => (
          <li key={id}>
            <span className={css['number']}>
              {done.includes(id) ? <Icon name="check" size={16} /> : i + 1}
              {done.includes(id) ? <span className="visually-hidden">answered</span> : null}
            </span>
            <div>
              <Link to="/learn/$id" params={{ id }}>
                {title}
              </Link>
              <p>{question}</p>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
