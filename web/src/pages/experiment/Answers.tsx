// What the experiment answers, before anything is looked at: a sentence for each application and network.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isCompetitor } from '#analysis/kinds';
import type { ExperimentAnswer } from '#protocol/answers';
import type { ExperimentRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { answersQuery } from '../../api/cells';
import { plural } from '../../ui/format';
import { Skeleton } from '../../ui/notice';
import { Section } from '../../ui/page';
import { goesOn } from './goes-on';
import { SCORES_ID } from './scores-id';
import css from './answers.module.css';

interface AnswersProps {
  readonly record: ExperimentRecord;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

/** Of one competitor nobody is first: there is nothing to answer. */
export function Answers({ record, ccas }: AnswersProps) {
  const over = !goesOn(record.state);
  const competitors = record.spec.ccas.filter(({ id }) => {
    const cca = ccas.get(id);
    return cca !== undefined && isCompetitor(cca);
  });
  const asked = over && competitors.length > 1;
  const { data } = useQuery({ ...answersQuery(record.id, record.runs_done), enabled: asked });
  if (competitors.length < 2 || data?.length === 0) return null;
  return (
    <Section title="What came out" aside={<a href={`#${SCORES_ID}`}>The scores behind it</a>}>
      <div className={css['room']}>
        {data === undefined ? (
          <p className={css['basis']}>{over ? '' : 'Here it stands in a sentence each when all runs are over.'}</p>
        ) : (
          <AnswerList answers={data} />
        )}
      </div>
    </Section>
  );
}

/** Stands where the answers will. */
export const AnswersToCome = () => (
  <div className={css['toCome']}>
    <Skeleton height={24} width="min(200px, 40%)" />
  </div>
);

/** What holds over all networks first, the others on demand. */
export function AnswerList({ answers }: { readonly answers: readonly ExperimentAnswer[] }) {
  const [first] = answers;
  const opening = answers.filter(({ network }) => network === first?.network);
  const others = answers.filter(({ network }) => network !== first?.network);
  const networks = new Set(others.map(({ network }) => network)).size;
  const [opened, setOpened] = useState(false);
  return (
    <div className={css['answers']}>
      <Sentences answers={opening} />
      {others.length === 0 ? null : (
        <details onToggle={({ currentTarget }) => setOpened((before) => before || currentTarget.open)}>
          <summary>On {plural(networks, 'single network')}</summary>
          {opened ? <Sentences answers={others} /> : null}
        </details>
      )}
      {first === undefined ? null : <p className={css['basis']}>{basisOf(first)}</p>}
    </div>
  );
}

const Sentences = ({ answers }: { readonly answers: readonly ExperimentAnswer[] }) => (
  <ul className={css['sentences']}>
    {answers.map(({ scenario, network, text, change }) => (
      <li key={`${scenario} ${network ?? ''}`}>
        <span className={css['text']}>{text}</span>
        {change === null ? null : <span className={css['change']}>What would change it: {change}</span>}
      </li>
    ))}
  </ul>
);

/** How far the order can be trusted. */
function basisOf({ over, repetitions, traces, left_out }: ExperimentAnswer): string {
  const test =
    over === 'networks'
      ? 'Tied are those that a test over networks like these cannot tell apart'
      : over === 'repetitions'
        ? 'Tied are those that a test over repetitions cannot tell apart'
        : 'Too few repetitions for a test: the order is that of the bare scores';
  const without =
    left_out.length === 0 ? '' : ` Nobody measured: ${left_out.join(', ').toLowerCase()}; the rest counts.`;
  return `${test} (${plural(repetitions, 'repetition')}, ${plural(traces, 'network')}).${without}`;
}
