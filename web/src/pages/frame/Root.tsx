// Around every page: the frame; around a figure that stands in another page: nothing.
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useLayoutEffect } from 'react';
import { RouterProvider as AriaRouter } from 'react-aria-components';
import { enginesQuery } from '../../api/queries';
import { EngineContext } from '../../charts/provenance';
import { liveClient } from '../../live/live-client';
import { listenToKeys } from '../../ui/commands';
import { pathOf } from '../../ui/place';
import { Frame } from './Frame';

export function Root() {
  const alone = useRouterState({ select: ({ location }) => location.pathname.startsWith('/embed/') });
  return alone ? <Bare /> : <Frame />;
}

function Bare() {
  const router = useRouter();
  const engines = useQuery(enginesQuery);
  useLayoutEffect(() => document.getElementById('shell')?.remove(), []);
  useEffect(() => listenToKeys(), []);
  useEffect(() => liveClient.connect(), []);
  return (
    <AriaRouter navigate={(href) => void router.navigate({ href: pathOf(href) })}>
      <EngineContext value={engines.data?.engine_version ?? null}>
        <Outlet />
      </EngineContext>
    </AriaRouter>
  );
}
