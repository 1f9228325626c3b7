// A page that cannot show its thing: still a page, with a heading, a way back and what to do.
import { Crumbs, type Crumb } from '../frame/crumbs';
import { ProblemNotice } from '../../ui/notice';
import { PageHead } from '../../ui/page';

interface PageProblemProps {
  /** What cannot be shown: `This run`. */
  readonly what: string;
  readonly parent: Required<Crumb>;
  readonly error: unknown;
  readonly onRetry: () => void;
}

export const PageProblem = ({ what, parent, error, onRetry }: PageProblemProps) => (
  <>
    <Crumbs label={what} parent={parent} />
    <PageHead title={`${what} cannot be shown`} />
    <ProblemNotice error={error} onRetry={onRetry} />
  </>
);
