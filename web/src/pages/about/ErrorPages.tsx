// An address that leads nowhere, and a fault of the page itself.
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useCrumbs } from '../frame/crumbs';
import { buttonClass } from '../../ui/button';
import { Empty, ProblemNotice } from '../../ui/notice';

export function NotFoundPage() {
  useCrumbs('Not found');
  return (
    <Empty
      page
      title="There is no page at this address"
      action={
        <Link to="/" className={buttonClass({ kind: 'primary' })}>
          Go to experiments
        </Link>
      }
    >
      Links to runs start with /r/, links to experiments with /e/. If you were sent this link, ask whether it was copied
      whole.
    </Empty>
  );
}

export const CrashPage = ({ error, reset }: ErrorComponentProps) => <ProblemNotice error={error} onRetry={reset} />;
