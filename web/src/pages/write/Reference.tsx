// The language of own algorithms, as its declaration documents it.
import { Loading } from '../../ui/notice';
import { lazyPart } from '../../ui/lazy-part';
import { Suspense } from 'react';

const ReferenceText = lazyPart(async () => ({ default: (await import('./ReferenceText')).ReferenceText }));

export const Reference = () => (
  <Suspense fallback={<Loading label="Loading the reference" rows={6} />}>
    <ReferenceText />
  </Suspense>
);
