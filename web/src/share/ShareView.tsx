// A page as it was frozen: its own components over what the share has kept, below a line that says so.
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useMemo, type ReactNode } from 'react';
import { sharedPage, type ShareAnswers, type ShareKind, type ShareRecord } from '#protocol/share';
import { FrozenQueries } from '../api/frozen-queries';
import { keptAnswers } from '../api/kept-answers';
import { EngineContext } from '../charts/provenance';
import { RunFeeds } from '../live/run-feed';
import { lazyPart } from '../ui/lazy-part';
import { Loading } from '../ui/notice';
import { Badge } from '../ui/page';
import { FrozenContext, type Frozen } from './frozen';
import { frozenFeeds, type LoadRun } from './frozen-feeds';
import { day } from '../ui/format';
import { Note } from './Note';
import css from './share.module.css';

const PAGES = {
  experiment: lazyPart(async () => ({ default: (await import('../pages/experiment/ExperimentPage')).ExperimentPage })),
  run: lazyPart(async () => ({ default: (await import('../pages/run/RunPage')).RunPage })),
  overlay: lazyPart(async () => ({ default: (await import('../pages/compare/ComparePage')).ComparePage })),
  trace: lazyPart(async () => ({ default: (await import('../pages/traces/TracePage')).TracePage })),
  traces: lazyPart(async () => ({ default: (await import('../pages/traces/ComparePage')).ComparePage })),
} as const satisfies Record<ShareKind, unknown>;

export interface ShareSource {
  readonly kept: ShareAnswers;
  readonly loadRun: LoadRun;
}

interface ShareFrameProps extends ShareSource {
  /** What can be done with the share. */
  readonly actions: ReactNode;
  /** Its page, or one of those it leads to. */
  readonly children: ReactNode;
}

/** Everything below asks the share, and nobody else. */
export function ShareFrame({ kept, loadRun, actions, children }: ShareFrameProps) {
  const { share, answers } = kept;
  const queries = useMemo(() => new FrozenQueries(keptAnswers(answers)), [answers]);
  const feeds = useMemo(() => frozenFeeds(loadRun), [loadRun]);
  const frozen = useMemo<Frozen>(() => {
    const ids = sharedPage(share.address)?.ids ?? [];
    return { share, id: ids.length === 1 ? (ids[0] ?? '') : '', holds: (path) => path in answers };
  }, [share, answers]);
  return (
    <>
      <Banner share={share} actions={actions} />
      <QueryClientProvider client={queries}>
        <FrozenContext value={frozen}>
          <RunFeeds value={feeds}>
            <EngineContext value={share.engine_version === '' ? null : share.engine_version}>{children}</EngineContext>
          </RunFeeds>
        </FrozenContext>
      </QueryClientProvider>
    </>
  );
}

/** The page that was frozen. */
export function FrozenPage({ kind }: { readonly kind: ShareKind }) {
  const Shown = PAGES[kind];
  return (
    <Suspense fallback={<Loading label="Loading the share" rows={3} height={140} />}>
      <Shown />
    </Suspense>
  );
}

function Banner({ share, actions }: { readonly share: ShareRecord; readonly actions: ReactNode }) {
  const { title, note, created_at, engine_version } = share;
  return (
    <aside className={css['banner']} aria-label="Frozen view">
      <div className={css['line']}>
        <span className={css['when']}>
          <Badge>Frozen</Badge>{' '}
          <time dateTime={created_at} title={new Date(created_at).toLocaleString('en-GB')}>
            {day(created_at)}
          </time>
          {engine_version === '' ? null : (
            <span title={engine_version}>
              by engine <span data-version="">{engine_version.slice(0, 12)}</span>
            </span>
          )}
        </span>
        <strong>{title}</strong>
        <div className={css['actions']}>{actions}</div>
      </div>
      <Note text={note} />
    </aside>
  );
}
