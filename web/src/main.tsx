import './theme/theme.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/client';
import { fetchPages, router } from './pages/router';
import { startPreferences } from './settings/preferences';
import { applyScheme, schemeChoice } from './theme/theme';

/** A figure in another page: its theme is in its address, it looks the same for all, and nobody goes from it to other pages. */
const alone = document.documentElement.dataset['at'] === 'embed';
if (!alone) {
  applyScheme(schemeChoice());
  startPreferences();
}

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal will not change by asking again; only an unreachable server may come back.
      retry: (count, error) => count < 2 && error instanceof ApiError && error.problem.status === 0,
      refetchOnWindowFocus: false,
    },
  },
});

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no element with the id root');
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

/** Who saves data, or pays for it, fetches what they go to (https://wicg.github.io/savedata/). */
const sparing = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

window.addEventListener('load', () => {
  if (alone || sparing) return;
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(() => void fetchPages());
  else setTimeout(() => void fetchPages(), 1000);
});
