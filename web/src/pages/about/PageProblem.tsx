// A page that cannot show its thing: still a page, with a heading, a way back and what to do.
import { useLocation } from '@tanstack/react-router';
import type { Thing } from '../../api/labels';
import { asApiError } from '../../api/client';
import { lazyPart } from '../../ui/lazy-part';
import { Suspense } from 'react';
import { isCarrying } from '../../share/link';
import { Crumbs, type Crumb } from '../frame/crumbs';
import { ProblemNotice } from '../../ui/notice';
import { PageHead } from '../../ui/page';

interface PageProblemProps {
  /** What cannot be shown: `This run`. */
  readonly what: string;
  readonly parent: Required<Crumb>;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** What it is of: if it was deleted, it can be brought back from here. */
  readonly thing?: Thing;
}

/** Few stand here. */
const Deleted = lazyPart(async () => ({ default: (await import('../organise/Deleted')).Deleted }));

const Carried = lazyPart(async () => ({ default: (await import('../carried/CarriedExperiment')).CarriedExperiment }));

export function PageProblem(props: PageProblemProps) {
  const { what, parent, error, onRetry, thing } = props;
  const hash = useLocation({ select: (location) => location.hash });
  const { status, code } = asApiError(error).problem;
  if (thing !== undefined && status === 404 && isCarrying(hash))
    return (
      <Suspense fallback={null}>
        <Carried what={what} parent={parent} thing={thing} hash={hash} />
      </Suspense>
    );
  return (
    <>
      <Crumbs label={what} parent={parent} />
      <PageHead title={`${what} cannot be shown`} />
      {thing === undefined || !code.endsWith('_UNKNOWN') ? (
        <ProblemNotice error={error} onRetry={onRetry} />
      ) : (
        <Suspense fallback={null}>
          <Deleted thing={thing} onRestored={onRetry}>
            <ProblemNotice error={error} onRetry={onRetry} />
          </Deleted>
        </Suspense>
      )}
    </>
  );
}
