// One lesson: its text, its question with what the run that is shown says to it, and the run to move.
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { ExperimentSpec } from '#protocol/spec';
import { judge } from '../../learn/goals';
import { LESSONS, lessonOf, type Lesson } from '../../learn/lessons';
import { useCrumbs } from '../frame/crumbs';
import { NotFoundPage } from '../about/ErrorPages';
import { PageProblem } from '../about/PageProblem';
import { buttonClass } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icons';
import { Loading } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import type { Made } from '../../what-if/make';
import { Stage } from '../what-if/Stage';
import { useKnown } from '../what-if/use-known';
import { markDone } from './done';
import css from './learn.module.css';

const LESSON_LIST = { label: 'Lessons', to: '/learn' };

export function LessonPage() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const lesson = lessonOf(id);
  return lesson === undefined ? <NotFoundPage /> : <Lecture key={id} lesson={lesson} />;
}

function Lecture({ lesson }: { readonly lesson: Lesson }) {
  useCrumbs(lesson.title, LESSON_LIST);
  const { known, error, retry } = useKnown();
  const first = useMemo(() => ExperimentSpec.parse(lesson.spec), [lesson]);
  if (error !== null) return <PageProblem what="This lesson" parent={LESSON_LIST} error={error} onRetry={retry} />;
  if (known === null) return <Loading label="Loading the lesson" rows={6} />;
  return (
    <Stage
      known={known}
      first={first}
      offers={lesson.offers}
      head={(now) => (
        <>
          <PageHead title={lesson.title} actions={<Way lesson={lesson} />} />
          <div className={css['lesson']}>
            <div className={css['text']}>
              {lesson.text.map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
            </div>
            <Question lesson={lesson} now={now} />
          </div>
        </>
      )}
    />
  );
}

/** To the lessons before and after. */
function Way({ lesson }: { readonly lesson: Lesson }) {
  const at = LESSONS.indexOf(lesson);
  const [before, next] = [LESSONS[at - 1], LESSONS[at + 1]];
  return (
    <>
      {before === undefined ? null : (
        <Link to="/learn/$id" params={{ id: before.id }} className={buttonClass({})}>
          Lesson {at}
        </Link>
      )}
      {next === undefined ? null : (
        <Link to="/learn/$id" params={{ id: next.id }} className={buttonClass({})}>
          Lesson {at + 2}
        </Link>
      )}
    </>
  );
}

function Question({ lesson, now }: { readonly lesson: Lesson; readonly now: Made | null }) {
  const judged =
    now === null ? [] : lesson.goals.map((goal) => judge(goal, { summary: now.summary, samples: now.store }));
  const barred = now !== null && (lesson.without ?? []).includes(now.spec.ccas[0]?.id ?? '');
  const answered = now !== null && !barred && judged.every(({ met }) => met);
  useEffect(() => {
    if (answered) markDone(lesson.id);
  }, [answered, lesson.id]);
  return (
    <section className={css['question']} aria-label="Question">
      <p className={css['asked']}>{lesson.question}</p>
      <ul>
        {judged.map(({ met, text, goal }) => (
          <li key={goal.metric} className={cx(met && css['met'])}>
            <Icon name={met ? 'check' : 'more'} size={14} />
            {text}
          </li>
        ))}
      </ul>
      <div role="status">
        {answered ? (
          <p className={css['why']}>
            <strong>Answered.</strong> {lesson.why}
          </p>
        ) : barred ? (
          <p>This algorithm is no answer here.</p>
        ) : null}
      </div>
    </section>
  );
}
