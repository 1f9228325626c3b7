// One figure alone, to stand in another page: no rail, no bar, and below it where it is from.
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { NotFoundPage } from '../about/ErrorPages';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/notice';

/** Each comes with the figures of its kind. */
const KINDS = {
  e: lazyPart(async () => ({ default: (await import('./EmbedExperiment')).EmbedExperiment })),
  r: lazyPart(async () => ({ default: (await import('./EmbedRun')).EmbedRun })),
  t: lazyPart(async () => ({ default: (await import('./EmbedTrace')).EmbedTrace })),
} as const;

export function EmbedPage() {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  const { kind = '', id = '', plot = '' } = params;
  if (!Object.hasOwn(KINDS, kind)) return <NotFoundPage />;
  const Kind = KINDS[kind as keyof typeof KINDS];
  return (
    <Suspense fallback={<Skeleton height={280} />}>
      <Kind key={`${kind}/${id}`} id={id} plot={plot} />
    </Suspense>
  );
}
