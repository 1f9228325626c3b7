// What this is, at work; then what was done here lately.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { finder } from '#analysis/find-labelled';
import { enginesQuery, experimentsQuery } from '../../api/queries';
import { useCrumbs } from '../frame/crumbs';
import { buttonClass } from '../../ui/button';
import { Icon } from '../../ui/icons';
import { lazyPart } from '../../ui/lazy-part';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { text, useSearchState } from '../../ui/search';
import { LiveSample } from './LiveSample';
import { StartFrom } from './StartFrom';
import { TourOffer } from './TourOffer';
import css from './home.module.css';

/** It comes while the list does. */
const fetchTable = () => import('./ExperimentTable');
const ExperimentTable = lazyPart(async () => ({ default: (await fetchTable()).ExperimentTable }));
const fetchFind = () => import('./FindExperiments');
const FindExperiments = lazyPart(async () => ({ default: (await fetchFind()).FindExperiments }));
const LOADING = <Loading label="Loading experiments" rows={4} />;

const SEARCH = {
  q: { codec: text, initial: '' },
  /** `1`: also those that are put away. */
  archived: { codec: text, initial: '' },
};

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
          <TourOffer />
        </div>
        <LiveSample />
      </div>
      <StartFrom />
      <Recent />
    </>
  );
}

function Recent() {
  const { search, setSearch } = useSearchState(SEARCH);
  const experiments = useQuery(experimentsQuery);
  const engines = useQuery(enginesQuery);
  useEffect(() => void Promise.allSettled([fetchTable(), fetchFind()]), []);
  const finds = finder(search.q);
  const withArchived = search.archived === '1';
  const all = experiments.data ?? [];
  const archived = all.filter(({ labels }) => labels?.archived === true).length;
  const isFindable = all.length > 5 || search.q !== '' || all.some(({ labels }) => labels !== undefined);
  const shown = all.filter(
    (e) =>
      (withArchived || e.labels?.archived !== true) &&
      finds([e.name, ...e.ccas, ...e.traces, e.state].join('\n'), e.labels?.tags),
  );
  return (
    <Section
      title="Recent experiments"
      aside={
        isFindable || archived > 0 || withArchived ? (
          <div className={css['find']}>
            <Suspense>
              <FindExperiments
                q={search.q}
                onFind={(q) => setSearch({ q }, { replace: true })}
                isFindable={isFindable}
                withArchived={withArchived}
                archived={archived}
                onArchived={(on) => setSearch({ archived: on ? '1' : '' })}
              />
            </Suspense>
          </div>
        ) : undefined
      }
    >
      {experiments.isPending ? (
        LOADING
      ) : experiments.isError ? (
        <ProblemNotice error={experiments.error} onRetry={() => void experiments.refetch()} />
      ) : shown.length === 0 ? (
        <Empty
          title={
            all.length === 0 ? 'No experiments yet' : search.q === '' ? 'All are archived' : 'No experiment matches'
          }
        >
          {all.length === 0
            ? 'The first one takes a minute: choose a trace, keep the algorithms that are chosen, press Run.'
            : search.q === ''
              ? 'They are a switch away.'
              : 'Try fewer letters.'}
        </Empty>
      ) : (
        <Suspense fallback={LOADING}>
          <ExperimentTable experiments={shown} ccas={engines.data?.ccas ?? []} />
        </Suspense>
      )}
    </Section>
  );
}
