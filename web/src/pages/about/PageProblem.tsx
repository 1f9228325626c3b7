// A page that cannot show its thing: still a page, with a heading, a way back and what to do.
import type { Thing } from '../../api/labels';
import { asApiError } from '../../api/client';
import { lazyPart } from '../../ui/lazy-part';
import { Suspense } from 'react';
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

export const PageProblem = ({ what, parent, error, onRetry, thing }: PageProblemProps) => (
  <>
    <Crumbs label={what} parent={parent} />
    <PageHead title={`${what} cannot be shown`} />
    {thing === undefined || !asApiError(error).problem.code.endsWith('_UNKNOWN') ? (
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
