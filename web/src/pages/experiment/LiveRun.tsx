// What runs now: the newest run large, on the same panels as on its own page, and every cell small. A run is held until the next one
// has samples: no axis is ever empty once there was something to show, and nothing changes its place.
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { runQuery } from '../../api/queries';
import { useRunFeed } from '../../live/run-feed';
import { lazyPart } from '../../ui/lazy-part';
import { useTallest } from '../../ui/use-tallest';
import { CellSparks } from './CellSparks';
import { useNewestRun } from './newest-run';
import type { LiveRunProps } from './ShownRun';
import css from './experiment.module.css';

/** The panels of a run come when there is a run to be shown. */
const ShownRun = lazyPart(async () => ({ default: (await import('./ShownRun')).ShownRun }));

const WAITING = <p className={css['waiting']}>Waiting for the first samples …</p>;

export function LiveRun({ record, ccas }: LiveRunProps) {
  const newest = useNewestRun(record);
  const [shown, setShown] = useState<string | null>(null);
  const room = useTallest<HTMLDivElement>();
  return (
    <section className={css['live']} aria-label="Live">
      {newest === null || newest === shown ? null : <Arrival key={newest} id={newest} onArrived={setShown} />}
      <div ref={room} className={css['newest']}>
        {shown === null ? (
          WAITING
        ) : (
          <Suspense fallback={WAITING}>
            <ShownRun id={shown} record={record} ccas={ccas} />
          </Suspense>
        )}
      </div>
      <div className={css['liveHead']}>
        <h2>Every cell</h2>
        <span>rate over capacity; below, how full the queue is</span>
      </div>
      <CellSparks record={record} ccas={ccas} />
    </section>
  );
}

/** Waits for the first samples of a run, of its link and of all its flows. */
function Arrival({ id, onArrived }: { readonly id: string; readonly onArrived: (id: string) => void }) {
  const { store } = useRunFeed(id);
  const run = useQuery(runQuery(id));
  const here =
    run.data !== undefined && store.streams.size > 0 && [...store.streams.values()].every(({ rows }) => rows > 0);
  useEffect(() => {
    if (here) onArrived(id);
  }, [here, id, onArrived]);
  return null;
}
