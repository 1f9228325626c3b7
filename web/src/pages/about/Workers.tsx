// Where runs are made, by this server and by workers on other machines, how much there is to make, and what experiments cost.
import { useQuery } from '@tanstack/react-query';
import type { WorkersRecord } from '#protocol/workers';
import { workersQuery } from '../../api/queries';
import { Icon } from '../../ui/icons';
import { formatCount, formatDuration, plural } from '../../ui/format';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { Badge, Section } from '../../ui/page';
import { ProgressBar } from '../../ui/progress';
import { When } from '../../ui/when';
import { Costs } from './Costs';
import css from './workers.module.css';

export function Workers() {
  const workers = useQuery(workersQuery);
  return (
    <Section title="Where runs are made" note={workers.data === undefined ? undefined : toDo(workers.data.queue)}>
      {workers.isPending ? (
        <Loading label="Asking who makes runs" rows={2} />
      ) : workers.isError ? (
        <ProblemNotice error={workers.error} onRetry={() => void workers.refetch()} />
      ) : (
        <>
          <Machines {...workers.data} />
          <Costs experiments={workers.data.experiments} />
        </>
      )}
    </Section>
  );
}

type Queue = WorkersRecord['queue'];
type Worker = WorkersRecord['workers'][number];

/** "4 runs go on, 120 wait · 240 ended in the last minute · about 3 min left" */
export function toDo({ waiting, going, ended_per_minute, left_s, waits_for }: Queue): string {
  const ended = `${formatCount(ended_per_minute)} ended in the last minute`;
  if (going + waiting === 0) return `Nothing waits · ${ended}`;
  const left = left_s === null ? '' : ` · about ${formatDuration(left_s)} left`;
  const held = waits_for === null ? '' : ` · nothing is started: ${waits_for}`;
  return `${plural(going, 'run goes', 'runs go')} on, ${plural(waiting, 'waits', 'wait')} · ${ended}${left}${held}`;
}

const STATES: Readonly<Record<Worker['state'], string | null>> = {
  ready: null,
  draining: 'draining',
  trouble: 'in trouble',
  other_engine: 'another engine',
};

export function Machines({ here, redis, workers }: WorkersRecord) {
  const trouble = redis?.trouble ?? null;
  return (
    <>
      {trouble === null ? null : (
        <Notice kind="warning" title="No runs go to workers">
          {trouble}. Until then this server makes all of them.
        </Notice>
      )}
      <ul className={css['machines']} aria-label="Machines that make runs">
        <li>
          <Icon name="check" />
          <div className={css['name']}>
            <b>This server</b>
            <small>{workers.some(({ state }) => state === 'ready') ? 'what no worker can make' : 'all runs'}</small>
          </div>
          <Load name="This server" cores={here.cores} busy={here.cores_busy} />
          <small className={css['did']}>{plural(here.runs, 'run')} in hand</small>
        </li>
        {workers.map((worker) => (
          <Machine key={worker.id} {...worker} />
        ))}
      </ul>
      {redis !== null && trouble === null && workers.length === 0 ? (
        <p className={css['none']}>
          No worker is there. On another machine with the same <code>PACELINE_REDIS_URL</code>:{' '}
          <code>npx paceline worker</code>
        </p>
      ) : null}
    </>
  );
}

function Machine({ name, capabilities, cores, cores_busy, runs, done, since, state, reason }: Worker) {
  const mark = STATES[state];
  return (
    <li className={state === 'ready' ? undefined : css['resting']}>
      <Icon name={state === 'ready' ? 'check' : 'warning'} />
      <div className={css['name']}>
        <b>{name}</b> {mark === null ? null : <Badge>{mark}</Badge>}
        <small>{reason ?? capabilities.join(', ')}</small>
      </div>
      <Load name={name} cores={cores} busy={cores_busy} />
      <small className={css['did']}>
        {plural(runs, 'run')} in hand, {formatCount(done)} made; it came <When iso={since} />
      </small>
    </li>
  );
}

const Load = ({ name, cores, busy }: { readonly name: string; readonly cores: number; readonly busy: number }) => (
  <div className={css['load']}>
    <ProgressBar label={`Cores of ${name} that are busy`} value={cores === 0 ? 0 : busy / cores} />
    <small>
      {formatCount(busy)} of {plural(cores, 'core')} busy
    </small>
  </div>
);
