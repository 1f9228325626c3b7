// Addresses. They are permalinks: none is ever renamed.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { parseSearch, stringifySearch, type RawSearch } from '../ui/search';
import { CcasPage } from './about/CcasPage';
import { DoctorPage } from './about/DoctorPage';
import { CrashPage, NotFoundPage } from './about/ErrorPages';
import { EditPage } from './edit/EditPage';
import { ExperimentPage } from './experiment/ExperimentPage';
import { Frame } from './frame/Frame';
import { HomePage } from './home/HomePage';
import { MakePage } from './make/MakePage';
import { NewPage } from './new/NewPage';
import { OverlayPage } from './overlay/OverlayPage';
import { RunPage } from './run/RunPage';
import { ComparePage } from './traces/ComparePage';
import { TracePage } from './traces/TracePage';
import { TracesPage } from './traces/TracesPage';

const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFoundPage,
  errorComponent: CrashPage,
  // Each page reads its own parameters (ui/search.ts); here they stay text.
  validateSearch: (search: Record<string, unknown>): RawSearch => search as RawSearch,
});
const parent = () => root;

const routes = root.addChildren([
  createRoute({ getParentRoute: parent, path: '/', component: HomePage }),
  createRoute({ getParentRoute: parent, path: '/new', component: NewPage }),
  createRoute({ getParentRoute: parent, path: '/traces', component: TracesPage }),
  createRoute({ getParentRoute: parent, path: '/traces/make', component: MakePage }),
  createRoute({ getParentRoute: parent, path: '/traces/compare', component: ComparePage }),
  createRoute({ getParentRoute: parent, path: '/traces/$id', component: TracePage }),
  createRoute({ getParentRoute: parent, path: '/traces/$id/edit', component: EditPage }),
  createRoute({ getParentRoute: parent, path: '/ccas', component: CcasPage }),
  createRoute({ getParentRoute: parent, path: '/doctor', component: DoctorPage }),
  createRoute({ getParentRoute: parent, path: '/e/$id', component: ExperimentPage }),
  createRoute({ getParentRoute: parent, path: '/r/$id', component: RunPage }),
  createRoute({ getParentRoute: parent, path: '/overlay', component: OverlayPage }),
]);

export const router = createRouter({
  routeTree: routes,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultErrorComponent: CrashPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
