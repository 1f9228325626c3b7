// What was done at this server lately, and by whom.
import { useQuery } from '@tanstack/react-query';
import { deedsQuery, LAST_DEEDS } from '../../api/access';
import { Fold } from '../../ui/fold';
import { Loading, ProblemNotice } from '../../ui/notice';
import { When } from '../../ui/when';
import css from './access.module.css';

export const LastDeeds = () => (
  <Fold title="What was done here">
    <Deeds />
  </Fold>
);

function Deeds() {
  const deeds = useQuery(deedsQuery);
  if (deeds.isError) return <ProblemNotice error={deeds.error} onRetry={() => void deeds.refetch()} />;
  if (deeds.data === undefined) return <Loading label="Reading what was done" rows={2} />;
  return (
    <>
      <p className={css['none']}>
        The last {LAST_DEEDS} that changed anything, or were to: <code>paceline deeds</code> has all.
      </p>
      <ol className={css['deeds']}>
        {deeds.data.map(({ n, at, by, what, status }) => (
          <li key={n}>
            <b>{by ?? 'The operator'}</b>
            <code translate="no">{what}</code>
            <small>
              {status >= 400 ? <>refused ({status}) · </> : null}
              <When iso={at} />
            </small>
          </li>
        ))}
      </ol>
    </>
  );
}
