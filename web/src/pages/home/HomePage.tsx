// What this is, at work; then what was done here lately.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ExperimentListItem } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { enginesQuery, experimentsQuery } from '../../api/queries';
import { useCrumbs } from '../frame/crumbs';
import { buttonClass } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { TextField } from '../../ui/fields';
import { formatCount } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { Badge, Section } from '../../ui/page';
import { ProgressRing } from '../../ui/progress';
import { text, useSearchState } from '../../ui/search';
import { LiveSample } from './LiveSample';
import { When } from '../../ui/when';
import { WideTable } from '../../ui/scroll';
import page from '../../ui/page.module.css';
import css from './home.module.css';

const SEARCH = { q: { codec: text, initial: '' } };

export function HomePage() {
  useCrumbs('Experiments');
  return (
    <>
      <div className={css['hero']}>
        <div>
          <h1 className={css['lead']}>See how congestion control behaves on cellular links.</h1>
          <p className={css['text']}>
            Pick traces and algorithms, press Run and watch them compete for the link. Then share what you found with
            one link.
          </p>
          <div className={css['actions']}>
            <Link to="/new" className={buttonClass({ kind: 'primary', size: 'large' })}>
              <Icon name="plus" />
              New experiment
            </Link>
            <Link to="/traces" className={buttonClass({ size: 'large' })}>
              <Icon name="upload" />
              Upload a trace
            </Link>
          </div>
        </div>
        <LiveSample />
      </div>
      <Recent />
    </>
  );
}

function Recent() {
  const { search, setSearch } = useSearchState(SEARCH);
  const experiments = useQuery(experimentsQuery);
  const engines = useQuery(enginesQuery);
  const words = search.q.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = (experiments.data ?? []).filter((e) =>
    words.every((w) => `${e.name} ${e.ccas.join(' ')} ${e.traces.join(' ')} ${e.state}`.toLowerCase().includes(w)),
  );
  return (
    <Section
      title="Recent experiments"
      aside={
        (experiments.data?.length ?? 0) > 5 || search.q !== '' ? (
          <TextField
            label="Filter experiments"
            hideLabel
            type="search"
            placeholder="Filter"
            value={search.q}
            onChange={(q) => setSearch({ q }, { replace: true })}
          />
        ) : null
      }
    >
      {experiments.isPending ? (
        <Loading label="Loading experiments" rows={4} />
      ) : experiments.isError ? (
        <ProblemNotice error={experiments.error} onRetry={() => void experiments.refetch()} />
      ) : shown.length === 0 ? (
        <Empty title={experiments.data.length === 0 ? 'No experiments yet' : 'No experiment matches'}>
          {experiments.data.length === 0
            ? 'The first one takes a minute: choose a trace, keep the algorithms that are chosen, press Run.'
            : 'Try fewer letters.'}
        </Empty>
      ) : (
        <ExperimentTable experiments={shown} ccas={engines.data?.ccas ?? []} />
      )}
    </Section>
  );
}

function ExperimentTable({
  experiments,
  ccas,
}: {
  readonly experiments: readonly ExperimentListItem[];
  readonly ccas: readonly CcaDescriptor[];
}) {
  const navigate = useNavigate();
  const known = new Map(ccas.map((cca) => [cca.id, cca]));
  return (
    <WideTable label="Experiments">
      <table className={page['table']}>
        <thead>
          <tr>
            <th>Name</th>
            <th className={css['roomy']}>Traces</th>
            <th className={css['roomy']}>Algorithms</th>
            <th className={page['num']}>Runs</th>
            <th>State</th>
            <th className={cx(page['num'], css['roomy'])}>When</th>
          </tr>
        </thead>
        <tbody>
          {experiments.map((e) => (
            <tr key={e.id} onDoubleClick={() => void navigate({ to: '/e/$id', params: { id: e.id } })}>
              <td>
                <Link to="/e/$id" params={{ id: e.id }}>
                  {e.name}
                </Link>
                <span className={css['tight']}>
                  {e.ccas.map((id) => (
                    <CcaMark key={id} cca={known.get(id)} size={12} />
                  ))}
                  <When iso={e.created_at} />
                </span>
              </td>
              <td className={css['roomy']}>
                {e.traces.length > 2
                  ? `${e.traces.slice(0, 2).join(', ')} and ${e.traces.length - 2} more`
                  : e.traces.join(', ')}
              </td>
              <td className={css['roomy']}>
                <span className={css['legend']}>
                  {e.ccas.map((id) => (
                    <span key={id}>
                      <CcaMark cca={known.get(id)} size={12} /> {known.get(id)?.label ?? id}
                    </span>
                  ))}
                </span>
              </td>
              <td className={page['num']}>
                {e.runs_done === e.runs_total
                  ? formatCount(e.runs_total)
                  : `${formatCount(e.runs_done)} / ${formatCount(e.runs_total)}`}
              </td>
              <td>
                <State experiment={e} />
              </td>
              <td className={cx(page['num'], css['roomy'])}>
                <When iso={e.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function State({ experiment: e }: { readonly experiment: ExperimentListItem }) {
  const failed = e.runs_failed === 0 ? null : <Badge kind="bad">{formatCount(e.runs_failed)} failed</Badge>;
  switch (e.state) {
    case 'queued':
    case 'running':
      return (
        <span className={css['state']}>
          <ProgressRing label={`Progress of ${e.name}`} value={e.runs_total === 0 ? 0 : e.runs_done / e.runs_total} />
          {e.state === 'queued' ? 'waiting' : 'running'} {failed}
        </span>
      );
    case 'done':
      return failed ?? <>done</>;
    case 'failed':
      return failed ?? <Badge kind="bad">failed</Badge>;
    case 'cancelled':
      return <Badge kind="warn">stopped</Badge>;
  }
}
