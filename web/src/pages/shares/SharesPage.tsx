// /s: every frozen view, the newest first.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sharesQuery } from '../../api/shares';
import { KINDS } from '../../share/kinds';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import { When } from '../../ui/when';
import { useCrumbs } from '../frame/crumbs';
import { RemoveShare } from './RemoveShare';
import css from '../../share/share.module.css';

export function SharesPage() {
  useCrumbs('Frozen shares');
  const shares = useQuery(sharesQuery);
  return (
    <>
      <PageHead title="Frozen shares">Views that never change, each at an address of its own.</PageHead>
      {shares.isError ? <ProblemNotice error={shares.error} onRetry={() => void shares.refetch()} /> : null}
      {shares.data === undefined && !shares.isError ? <Loading label="Loading the shares" /> : null}
      {shares.data?.length === 0 ? (
        <Empty title="Nothing has been frozen yet">
          On the page of an experiment, a run, a trace or a comparison, choose Share and “Freeze this view”.
        </Empty>
      ) : null}
      <ul className={css['list']}>
        {(shares.data ?? []).map((share) => (
          <li key={share.slug}>
            <div>
              <Link to="/s/$slug" params={{ slug: share.slug }}>
                {share.title}
              </Link>
              <small>
                {KINDS[share.kind]} · /s/{share.slug} · <When iso={share.created_at} />
              </small>
            </div>
            <RemoveShare share={share} />
          </li>
        ))}
      </ul>
    </>
  );
}
