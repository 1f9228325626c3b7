// What papers say, held against our own runs: a card a study.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StudyListItem } from '#protocol/study';
import { runStudy } from '../../api/actions';
import { studiesQuery } from '../../api/queries';
import { Button } from '../../ui/button';
import { formatCount, formatEstimate, plural } from '../../ui/format';
import { Loading, ProblemNotice } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import { ProgressBar } from '../../ui/progress';
import { useCrumbs } from '../frame/crumbs';
import { VerdictCounts } from './VerdictCounts';
import css from './studies.module.css';

export function StudiesPage() {
  useCrumbs('Studies');
  const studies = useQuery(studiesQuery);
  return (
    <>
      <PageHead title="Studies">
        What papers say, each number beside our own, with a verdict by a tolerance that was written down before anything
        ran. What fails is shown like what holds.
      </PageHead>
      {studies.isPending ? (
        <Loading label="Loading studies" rows={4} height={120} />
      ) : studies.isError ? (
        <ProblemNotice error={studies.error} onRetry={() => void studies.refetch()} />
      ) : (
        <ul className={css['cards']}>
          {studies.data.map((study) => (
            <StudyCard key={study.id} study={study} />
          ))}
        </ul>
      )}
    </>
  );
}

function StudyCard({ study }: { readonly study: StudyListItem }) {
  const queries = useQueryClient();
  const run = useMutation({ mutationFn: () => runStudy(queries, study.id) });
  const { id, title, question, paper, runs_total, runs_done, running, estimate_s, verdicts } = study;
  const over = runs_total > 0 && runs_done >= runs_total;
  return (
    <li className={css['card']}>
      <h2>
        <Link to="/studies/$id" params={{ id }}>
          {title}
        </Link>
      </h2>
      <p>{question}</p>
      {paper === null ? null : (
        <p className={css['paper']}>
          {paper.authors}: {paper.title}
          {paper.venue === '' ? '' : `, ${paper.venue}`}
        </p>
      )}
      <VerdictCounts verdicts={verdicts} />
      {running ? <ProgressBar label={`${title}: runs`} value={runs_done / Math.max(runs_total, 1)} /> : null}
      <div className={css['foot']}>
        <span data-estimate="">
          {running || (runs_done > 0 && !over)
            ? `${formatCount(runs_done)} of ${plural(runs_total, 'run')}`
            : plural(runs_total, 'run')}
          {over ? ', done' : ` · ${formatEstimate(estimate_s.low, estimate_s.high)}`}
        </span>
        {over || running ? null : (
          <Button
            size="small"
            icon="play"
            isPending={run.isPending}
            onPress={() => run.mutate()}
            aria-label={`Run ${title}`}
          >
            Run
          </Button>
        )}
      </div>
      {run.isError ? <ProblemNotice error={run.error} /> : null}
    </li>
  );
}
