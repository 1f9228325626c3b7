// Around every page: rail, top bar, palette, shortcuts.
import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { RouterProvider as AriaRouter } from 'react-aria-components';
import { enginesQuery } from '../../api/queries';
import { EngineContext } from '../../charts/provenance';
import { liveClient } from '../../live/live-client';
import { startTour } from '../../settings/tour';
import { type Command, listenToKeys, useCommands } from '../../ui/commands';
import { useElsewhere } from '../../settings/preferences';
import { lazyPart } from '../../ui/lazy-part';
import { Notice } from '../../ui/notice';
import { pathOf } from '../../ui/place';
import { undoLast } from '../../ui/toasts';
import { Rail } from './Rail';
import { nextScheme } from './scheme';
import { TopBar } from './TopBar';
import { TypedAhead } from './typed-ahead';
import css from './frame.module.css';

/** What opens over the page comes when the page is there, so that nobody waits for it before, or for it when it is called. */
const Overlays = lazyPart(async () => ({ default: (await import('./Overlays')).Overlays }));

/** Live samples come over a connection of their own: when it is gone, what is shown stands still. */
function ConnectionNotice() {
  const connection = useSyncExternalStore(liveClient.subscribeConnection, () => liveClient.connection);
  if (connection !== 'lost') return null;
  return (
    <div className={css['lost']}>
      <Notice kind="warning" title="The connection to the server is lost">
        What is shown stands still. The page tries again by itself; if it takes long, check that Paceline is still
        running in its terminal.
      </Notice>
    </div>
  );
}

/** Something is wrong with the machine: runs that should be made only wait. */
function HoldNotice() {
  const hold = useSyncExternalStore(liveClient.subscribeConnection, () => liveClient.hold);
  if (hold === null) return null;
  return (
    <div className={css['lost']}>
      <Notice kind="warning" title="No run is started now">
        <div>{sentence(hold.reason)}</div>
        <div>
          {hold.hint} {hold.cause === 'damaged' ? null : 'What waits then goes on by itself; nothing is lost.'}
        </div>
      </Notice>
    </div>
  );
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export function Frame() {
  const router = useRouter();
  const navigate = useNavigate();
  const engines = useQuery(enginesQuery);
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  // What another window has chosen holds here, too: what is drawn already is drawn anew.
  const changedElsewhere = useElsewhere();

  const commands = useMemo<readonly Command[]>(
    () => [
      { id: 'palette', title: 'Search and commands', group: 'General', keys: 'mod+k', run: () => setPalette(true) },
      { id: 'search', title: 'Search', group: 'General', keys: '/', run: () => setPalette(true) },
      { id: 'help', title: 'Keyboard shortcuts', group: 'General', keys: '?', run: () => setHelp(true) },
      { id: 'theme', title: 'Switch theme', group: 'General', keys: 't', keywords: 'dark light', run: nextScheme },
      { id: 'new', title: 'New experiment', group: 'General', keys: 'n', run: () => void navigate({ to: '/new' }) },
      { id: 'undo', title: 'Undo delete or archive', group: 'General', keys: 'z', run: undoLast },
      { id: 'tour', title: 'Take the tour', group: 'General', keywords: 'help first steps', run: startTour },
      { id: 'go-home', title: 'Experiments', group: 'Go to', run: () => void navigate({ to: '/' }) },
      { id: 'go-traces', title: 'Traces', group: 'Go to', run: () => void navigate({ to: '/traces' }) },
      { id: 'go-what-if', title: 'What if', group: 'Go to', run: () => void navigate({ to: '/what-if' }) },
      { id: 'go-write', title: 'Your own algorithm', group: 'Go to', run: () => void navigate({ to: '/write' }) },
      { id: 'go-learn', title: 'Lessons', group: 'Go to', run: () => void navigate({ to: '/learn' }) },
      { id: 'go-studies', title: 'Studies', group: 'Go to', run: () => void navigate({ to: '/studies' }) },
      { id: 'go-shares', title: 'Frozen shares', group: 'Go to', run: () => void navigate({ to: '/s' }) },
      { id: 'go-ccas', title: 'CCAs', group: 'Go to', run: () => void navigate({ to: '/ccas' }) },
      { id: 'go-doctor', title: 'Doctor', group: 'Go to', run: () => void navigate({ to: '/doctor' }) },
      {
        id: 'go-settings',
        title: 'Settings',
        group: 'Go to',
        keywords: 'preferences units palette colours motion notifications webhook',
        run: () => void navigate({ to: '/settings' }),
      },
    ],
    [navigate],
  );
  useCommands(commands);

  // index.html has held the place of the frame and of the page in it.
  const there = useRouterState({ select: ({ matches }) => matches.every(({ status }) => status !== 'pending') });
  useLayoutEffect(() => {
    if (there) document.getElementById('shell')?.remove();
  }, [there]);
  useEffect(() => listenToKeys(), []);
  useEffect(() => liveClient.connect(), []);

  return (
    <AriaRouter navigate={(href) => void router.navigate({ href: pathOf(href) })}>
      <div className={css['frame']}>
        <a className={css['skip']} href="#content">
          Skip to content
        </a>
        <Rail />
        <TopBar onSearch={() => setPalette(true)} />
        <main id="content" tabIndex={-1} className={css['main']}>
          <div className={css['inner']}>
            <ConnectionNotice />
            <HoldNotice />
            <EngineContext value={engines.data?.engine_version ?? null}>
              <Outlet key={changedElsewhere} />
            </EngineContext>
          </div>
        </main>
        <Suspense fallback={<TypedAhead open={palette} />}>
          <Overlays palette={palette} setPalette={setPalette} help={help} setHelp={setHelp} />
        </Suspense>
      </div>
    </AriaRouter>
  );
}
