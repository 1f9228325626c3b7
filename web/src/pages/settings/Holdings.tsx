// How much of the server's data folder is whose, and how much each may hold.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Holding, HoldingList } from '#protocol/holdings';
import { holdingsQuery } from '../../api/access';
import { Fold } from '../../ui/fold';
import { formatBytes } from '../../ui/format';
import { Meter } from '../../ui/meter';
import { Loading, ProblemNotice } from '../../ui/notice';
import css from './access.module.css';

function useHoldings(show: (list: HoldingList) => ReactNode): ReactNode {
  const list = useQuery(holdingsQuery);
  if (list.isError) return <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data === undefined) return <Loading label="Adding up what is held" rows={1} />;
  return show(list.data);
}

/** Of who asks. */
export const OwnHolding = () =>
  useHoldings(({ most, holdings: [own] }) =>
    own === undefined ? null : (
      <div className={css['own']}>
        <p>
          {most === null ? (
            <>You hold {formatBytes(own.bytes)} here.</>
          ) : (
            <>
              You hold {formatBytes(own.bytes)} of the {formatBytes(most)} that each may.
            </>
          )}
        </p>
        {most === null ? null : (
          <Meter
            label="What you hold"
            value={own.bytes / most}
            text={`${formatBytes(own.bytes)} of ${formatBytes(most)}`}
          />
        )}
        {own.queued_bytes + own.deleted_bytes === 0 ? null : (
          <p className={css['none']}>
            <Parts {...own} />
          </p>
        )}
      </div>
    ),
  );

/** Of everybody, for operators. */
export const AllHoldings = () => (
  <Fold title="What each holds">
    <List />
  </Fold>
);

const List = () =>
  useHoldings(({ most, holdings }) => (
    <>
      <p className={css['none']}>
        {most === null ? (
          <>
            Nobody is bounded: <code>--max-data-each</code> is for that.
          </>
        ) : (
          <>Each may hold {formatBytes(most)}, but operators.</>
        )}
      </p>
      {holdings.length === 0 ? (
        <p className={css['none']}>Nobody holds anything yet.</p>
      ) : (
        <ul className={css['list']} aria-label="What each holds">
          {holdings.map((held) => (
            <li key={`${held.via} ${held.name ?? ''}`}>
              <div>
                <b>{held.name ?? <>The operator</>}</b>
                <small>
                  {formatBytes(held.bytes)}
                  {held.queued_bytes + held.deleted_bytes === 0 ? null : (
                    <>
                      {' '}
                      · <Parts {...held} />
                    </>
                  )}
                </small>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  ));

const Parts = ({ queued_bytes, deleted_bytes }: Holding) => (
  <>
    {queued_bytes === 0 ? null : <>{formatBytes(queued_bytes)} of it is for runs that are not over. </>}
    {deleted_bytes === 0 ? null : (
      <>{formatBytes(deleted_bytes)} of it is deleted, and goes for good when the room is needed.</>
    )}
  </>
);
