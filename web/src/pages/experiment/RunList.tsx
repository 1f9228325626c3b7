// The runs behind a cell: each a link to its page, with its state and, when it does not count, the reason.
import { Link } from '@tanstack/react-router';
import type { RunRef, RunRole } from '#protocol/api';
import { verdictOf } from '#analysis/validity';
import { formatPercent } from '../../ui/format';
import { Badge } from '../../ui/page';
import css from './experiment.module.css';

const ROLES: Record<RunRole, string> = {
  solo: 'alone',
  self_pair: 'against itself',
  baseline_pair: 'against the baseline',
};

export function RunList({ runs, durationS }: { readonly runs: readonly RunRef[]; readonly durationS: number }) {
  const roles = new Set(runs.map((run) => run.role)).size > 1;
  return (
    <ul className={css['runs']}>
      {runs.map((run) => (
        <li key={run.id + run.role}>
          <Link to="/r/$id" params={{ id: run.id }}>
            Repetition {run.repetition + 1}
            {roles ? `, ${ROLES[run.role]}` : ''}
          </Link>
          <RunStanding run={run} durationS={durationS} />
        </li>
      ))}
    </ul>
  );
}

export function RunStanding({ run, durationS }: { readonly run: RunRef; readonly durationS: number }) {
  switch (run.state) {
    case 'queued':
      return <>waiting{run.reason === null ? '' : `: ${run.reason.replace(/^waiting: /, '')}`}</>;
    case 'running':
      return <>running, {formatPercent(durationS === 0 ? 0 : run.time_s / durationS)}</>;
    case 'failed':
      return (
        <>
          <Badge kind="bad">failed</Badge> {run.reason}
        </>
      );
    case 'cancelled':
      return <Badge kind="warn">stopped</Badge>;
    case 'invalid':
    case 'done': {
      const reasons =
        run.state === 'invalid' && run.reason !== null
          ? [run.reason]
          : run.summary === null
            ? []
            : verdictOf(run.summary, { duration_s: durationS }).reasons;
      if (reasons.length === 0) return null;
      return (
        <>
          <Badge kind="warn">does not count</Badge> {reasons.join('; ')}
        </>
      );
    }
  }
}
