// What a link brought along, told before anything of it runs.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ExperimentSpec } from '#protocol/spec';
import { enginesQuery, planQuery } from '../../api/queries';
import { idOfText, ownCcasOf, type CarriedAlgorithm } from '../../share/carried';
import { formatDuration, plural } from '../../ui/format';
import { ProblemNotice } from '../../ui/notice';
import { Facts } from '../../ui/page';
import css from './carried.module.css';

export type CarriedText = CarriedAlgorithm & { readonly id: string };

/** Own algorithms that an experiment needs, of those that came along. */
export function textsFor(spec: ExperimentSpec, algorithms: readonly CarriedAlgorithm[]): CarriedText[] {
  const named = ownCcasOf(spec);
  return algorithms.map((one) => ({ ...one, id: idOfText(one.text) })).filter(({ id }) => named.has(id));
}

interface ContentsProps {
  readonly spec: ExperimentSpec;
  readonly texts: readonly CarriedText[];
}

/** What it compares, and how long that takes here, if it can be told before a text of somebody's has run. */
export function Contents({ spec, texts }: ContentsProps) {
  const { data: engines } = useQuery(enginesQuery);
  const plan = useQuery(planQuery(texts.length === 0 ? spec : null));
  const labels = new Map((engines?.ccas ?? []).map(({ id, label }) => [id, label]));
  for (const { id, declaration } of texts) labels.set(id, declaration.name);
  const algorithms = spec.ccas.map(({ id }) => labels.get(id) ?? id);
  const planned = plan.data;
  return (
    <>
      <Facts
        facts={[
          { label: 'Algorithms', value: algorithms.join(', ') },
          { label: 'Links', value: plural(spec.traces.length, 'link') },
          { label: 'Each run', value: formatDuration(spec.duration_s) },
          ...(planned === undefined
            ? []
            : [
                {
                  label: 'Here',
                  value: plural(planned.runs, 'run'),
                  note: `about ${formatDuration(Math.max(1, planned.estimate_s.high))}`,
                },
              ]),
        ]}
      />
      {plan.error === null ? null : <ProblemNotice error={plan.error} />}
    </>
  );
}

interface TextsProps {
  readonly texts: readonly CarriedText[];
  readonly hash: string;
}

export const Texts = ({ texts, hash }: TextsProps) => (
  <>
    <p>
      It has algorithms that somebody wrote. They are interpreted in a worker that sees the packets of a simulated link
      and nothing else; to run the experiment is to run them. Read them first:
    </p>
    <ul className={css['texts']} aria-label="Texts that came along">
      {texts.map(({ id, declaration }) => (
        <li key={id}>
          <Link to="/write/$id" params={{ id }} hash={hash}>
            {declaration.name}
          </Link>{' '}
          {declaration.summary}
        </li>
      ))}
    </ul>
  </>
);
