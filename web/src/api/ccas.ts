// How algorithms work, in words, and short runs that show it.
import { queryOptions } from '@tanstack/react-query';
import { CcaAbouts, CcaNotes, CcaSample, type SampleAsked } from '#protocol/cca-about';
import { call } from './client';

export const aboutCcasQuery = queryOptions({
  queryKey: ['ccas', 'about'],
  queryFn: ({ signal }) => call('/ccas/about', CcaAbouts, { signal }),
  staleTime: Infinity,
});

/** `id`: of an algorithm that is listed. */
export const ccaNotesQuery = (id: string) =>
  queryOptions({
    queryKey: ['ccas', id, 'notes'],
    queryFn: ({ signal }) => call(`/ccas/${encodeURIComponent(id)}/notes`, CcaNotes, { signal }),
    staleTime: Infinity,
  });

/** Asked for again it is the same run, so that it may be asked for as if it were there. */
export const sampleQuery = (id: string, asked: SampleAsked) =>
  queryOptions({
    queryKey: ['ccas', id, 'sample', asked],
    queryFn: ({ signal }) =>
      call(`/ccas/${encodeURIComponent(id)}/sample`, CcaSample, { method: 'POST', body: asked, signal }),
    staleTime: Infinity,
    retry: false,
  });
