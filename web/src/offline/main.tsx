// A share as one file: the page's own components over what the file carries along. It asks no server and knows no address but its own.
import './fonts.css';
import '../theme/tokens.css';
import '../theme/base.css';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
  useParams,
} from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { sharedPage } from '#protocol/share';
import { answerEverythingFrom } from '../api/answer-source';
import { AddressContext } from '../charts/provenance';
import { CrashPage } from '../pages/about/ErrorPages';
import { RunPage } from '../pages/run/RunPage';
import { FrozenPage, ShareFrame } from '../share/ShareView';
import { applyScheme, schemeChoice } from '../theme/theme';
import { buttonClass } from '../ui/button';
import { listenToKeys } from '../ui/commands';
import { plural } from '../ui/format';
import { Empty, Notice } from '../ui/notice';
import { parseSearch, stringifySearch, type RawSearch } from '../ui/search';
import { embedded, embeddedAnswers, loadEmbedded } from './embedded';
import frame from '../pages/frame/frame.module.css';
import css from './offline.module.css';

applyScheme(schemeChoice());
const { page, runs_left_out, ...kept } = embedded();
const { share } = kept;
answerEverythingFrom(embeddedAnswers(kept.answers));

const HERE = `/s/${share.slug}`;

const Back = () => (
  <Link to={HERE} className={buttonClass({ size: 'small' })}>
    To what was frozen
  </Link>
);

function File() {
  const params: { readonly id?: string } = useParams({ strict: false });
  useEffect(() => listenToKeys(), []);
  return (
    <main className={css['main']}>
      <div className={frame['inner']}>
        <ShareFrame
          kept={kept}
          loadRun={loadEmbedded}
          actions={
            <>
              {params.id === undefined ? null : <Back />}
              {page === null ? null : (
                <a className={buttonClass({ size: 'small' })} href={page}>
                  Online
                </a>
              )}
            </>
          }
        >
          {runs_left_out === 0 || params.id !== undefined ? null : (
            <div className={css['notice']}>
              <Notice>
                The samples of {plural(runs_left_out, 'run')} would have made this file too large: what they came to is
                here, their course over time is not.
              </Notice>
            </div>
          )}
          <Outlet />
        </ShareFrame>
      </div>
    </main>
  );
}

/** Runs that an experiment leads to, as far as they came along. */
function CarriedRun() {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  return `/runs/${id}` in kept.answers ? <RunPage key={id} /> : <NotHere />;
}

const NotHere = () => (
  <Empty page title="This is not in the file" action={<Back />}>
    A file holds what was frozen, and as many of its runs as it has room for.
  </Empty>
);

const root = createRootRoute({
  component: File,
  notFoundComponent: NotHere,
  errorComponent: CrashPage,
  validateSearch: (search: Record<string, unknown>): RawSearch => search as RawSearch,
});
const getParentRoute = () => root;

const router = createRouter({
  routeTree: root.addChildren([
    createRoute({ getParentRoute, path: '/s/$slug', component: () => <FrozenPage kind={share.kind} /> }),
    createRoute({ getParentRoute, path: '/r/$id', component: CarriedRun }),
  ]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: CrashPage,
  history: createMemoryHistory({ initialEntries: [HERE + (sharedPage(share.address)?.query ?? '')] }),
});

/** Where a figure that leaves the file says that it comes from: the share, with the view as it is now. Never the reader's own folders. */
const address = (): string => (page ?? `urn:paceline:share:${share.slug}`) + router.state.location.searchStr;

const element = document.getElementById('root');
if (element === null) throw new Error('the file has no element with the id root');
createRoot(element).render(
  <StrictMode>
    <AddressContext value={address}>
      {/* Another router than the page's, which is what its type knows. */}
      <RouterProvider router={router as never} />
    </AddressContext>
  </StrictMode>,
);
