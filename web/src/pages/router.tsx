// Addresses. They are permalinks: none is ever renamed.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { BASE } from '../ui/place';
import { parseSearch, stringifySearch, type RawSearch } from '../ui/search';
import { CrashPage, NotFoundPage } from './about/ErrorPages';
import { Root } from './frame/Root';
import { PagePending } from './frame/PagePending';

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: CrashPage,
  // Each page reads its own parameters (ui/search.ts); here they stay text.
  validateSearch: (search: Record<string, unknown>): RawSearch => search as RawSearch,
});
const parent = () => root;

const routes = root.addChildren([
  createRoute({
    getParentRoute: parent,
    path: '/',
    component: lazyRouteComponent(() => import('./home/HomePage'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/new',
    component: lazyRouteComponent(() => import('./new/NewPage'), 'NewPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/traces',
    component: lazyRouteComponent(() => import('./traces/TracesPage'), 'TracesPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/traces/make',
    component: lazyRouteComponent(() => import('./make/MakePage'), 'MakePage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/traces/compare',
    component: lazyRouteComponent(() => import('./traces/ComparePage'), 'ComparePage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/traces/$id',
    component: lazyRouteComponent(() => import('./traces/TracePage'), 'TracePage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/traces/$id/edit',
    component: lazyRouteComponent(() => import('./edit/EditPage'), 'EditPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/studies',
    component: lazyRouteComponent(() => import('./studies/StudiesPage'), 'StudiesPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/studies/$id',
    component: lazyRouteComponent(() => import('./studies/StudyPage'), 'StudyPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/ccas',
    component: lazyRouteComponent(() => import('./ccas/CcasPage'), 'CcasPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/ccas/$id',
    component: lazyRouteComponent(() => import('./ccas/CcaPage'), 'CcaPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/doctor',
    component: lazyRouteComponent(() => import('./about/DoctorPage'), 'DoctorPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings/SettingsPage'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/e/$id',
    component: lazyRouteComponent(() => import('./experiment/ExperimentPage'), 'ExperimentPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/r/$id',
    component: lazyRouteComponent(() => import('./run/RunPage'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/runs',
    component: lazyRouteComponent(() => import('./runs/RunsPage'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/what-if',
    component: lazyRouteComponent(() => import('./what-if/WhatIfPage'), 'WhatIfPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/write',
    component: lazyRouteComponent(() => import('./write/WritePage'), 'WritePage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/write/$id',
    component: lazyRouteComponent(() => import('./write/WritePage'), 'ReadPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/learn',
    component: lazyRouteComponent(() => import('./learn/LearnPage'), 'LearnPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/learn/teacher',
    component: lazyRouteComponent(() => import('./learn/TeacherPage'), 'TeacherPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/learn/$id',
    component: lazyRouteComponent(() => import('./learn/LessonPage'), 'LessonPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/compare',
    component: lazyRouteComponent(() => import('./compare/ComparePage'), 'ComparePage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/overlay',
    beforeLoad: ({ search }) => redirect({ to: '/compare', search, replace: true, throw: true }),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/embed/$kind/$id/$plot',
    component: lazyRouteComponent(() => import('./embed/EmbedPage'), 'EmbedPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/s',
    component: lazyRouteComponent(() => import('./shares/SharesPage'), 'SharesPage'),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/s/$slug',
    component: lazyRouteComponent(() => import('./shares/SharePage'), 'SharePage'),
  }),
]);

export const router = createRouter({
  routeTree: routes,
  basepath: BASE,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultErrorComponent: CrashPage,
  // Where one was stays in sight until the next page is there, unless its code takes long to come.
  defaultPendingComponent: PagePending,
  defaultPendingMs: 200,
  defaultPendingMinMs: 300,
});

/** Fetches the code of all pages, one after another, so that going to one takes no longer than showing it. */
export async function fetchPages(): Promise<void> {
  for (const { options } of Object.values(router.routesById)) await options.component?.preload?.();
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
