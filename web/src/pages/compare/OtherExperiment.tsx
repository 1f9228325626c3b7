// Which experiment is held against one: those of the same traces and algorithms come first.
import { useQuery } from '@tanstack/react-query';
import type { ExperimentListItem, ExperimentRecord } from '#protocol/api';
import { experimentsQuery } from '../../api/queries';
import { Select } from '../../ui/choice';
import { day } from '../../ui/format';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import css from './compare.module.css';

interface OtherExperimentProps {
  readonly of: ExperimentRecord;
  readonly onChoose: (id: string) => void;
}

type Known = Pick<ExperimentListItem, 'traces' | 'ccas' | 'runs_total'>;
const looksLike = (a: Known, b: Known): boolean =>
  a.runs_total === b.runs_total && a.traces.join() === b.traces.join() && a.ccas.join() === b.ccas.join();

export function OtherExperiment({ of, onChoose }: OtherExperimentProps) {
  const { data, error } = useQuery(experimentsQuery);
  if (error !== null) return <ProblemNotice error={error} />;
  if (data === undefined) return <Loading label="Loading the experiments" rows={1} height={60} />;
  const others = data.filter(({ id }) => id !== of.id);
  const alike = others.filter((one) => looksLike(one, of));
  const options = [...alike, ...others.filter((one) => !alike.includes(one))];
  return (
    <>
      <PageHead title={`${of.name} under another engine`}>
        What an engine moved is seen from the same spec under both. Those with the same traces, algorithms and number of
        runs come first: {alike.length === 0 ? 'there are none yet' : `${alike.length} of ${others.length}`}.
      </PageHead>
      {options.length === 0 ? (
        <Notice kind="info" title="There is no other experiment">
          After an update of Paceline, “Run again with …” on the experiment’s page makes the same spec anew.
        </Notice>
      ) : (
        <div className={css['choice']}>
          <Select
            label="Held against"
            value=""
            options={options.map(({ id, name, created_at }) => ({ id, label: `${name}, ${day(created_at)}` }))}
            onChange={onChoose}
          />
        </div>
      )}
    </>
  );
}
