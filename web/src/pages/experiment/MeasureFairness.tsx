// What the scores lack: the pairs that measure fairness. One click adds the runs that are missing, and their progress is told here.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { MAX_RUNS } from '#analysis/limits';
import type { ExperimentRecord, Plan } from '#protocol/api';
import { startExperiment } from '../../api/actions';
import { asApiError } from '../../api/client';
import { planQuery } from '../../api/queries';
import { useFrozen } from '../../share/frozen';
import { Button } from '../../ui/button';
import { formatCount, formatEstimate, plural } from '../../ui/format';
import { Notice, ProblemNotice } from '../../ui/notice';
import { ProgressBar } from '../../ui/progress';
import type { RawSearch } from '../../ui/search';
import { SCORES_ID } from './scores-id';

interface MeasureFairnessProps {
  readonly record: ExperimentRecord;
  readonly running: boolean;
  /** Whether fairness is measured already, of everyone. */
  readonly measured: boolean;
}

export function MeasureFairness({ record, running, measured }: MeasureFairnessProps) {
  const frozen = useFrozen();
  if (measured || frozen !== null) return null;
  if (!record.spec.full_scores) return <Missing record={record} running={running} />;
  if (!running) return null;
  return (
    <Notice title="Fairness is being measured">
      <div role="status">
        {formatCount(record.runs_done)} of {plural(record.runs_total, 'run')} done
      </div>
      <ProgressBar label="Runs done" value={record.runs_done / Math.max(1, record.runs_total)} />
    </Notice>
  );
}

/** The experiment that holds this one and the pairs: what is measured already is a part of both. */
function Missing({ record, running }: Pick<MeasureFairnessProps, 'record' | 'running'>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [starting, setStarting] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const spec = { ...record.spec, full_scores: true };
  // With two pairs for each of them.
  const tooMany = 3 * record.runs_total > MAX_RUNS;
  const plan = useQuery(planQuery(running || tooMany ? null : spec, record.id));
  const missing = plan.data === undefined ? null : plan.data.runs - plan.data.cached;
  const measure = async (): Promise<void> => {
    setStarting(true);
    setFault(null);
    try {
      const { id } = await startExperiment(queries, spec, {
        measuredWith: record.id,
        isPrivate: record.private === true,
      });
      // The same page with the same view, at the scores.
      await navigate({ to: '/e/$id', params: { id }, search: (view: RawSearch) => view, hash: SCORES_ID });
    } catch (error) {
      setFault(error);
      setStarting(false);
    }
  };
  // Nothing competes here, or it cannot be paired.
  if (plan.data !== undefined && plan.data.runs <= record.runs_total) return null;
  return (
    <>
      {fault === null ? null : <ProblemNotice error={fault} />}
      <Notice
        title="Fairness is not measured"
        actions={
          missing === null || running ? null : (
            <Button size="small" isPending={starting} isDisabled={starting} onPress={() => void measure()}>
              {missing === 0 ? 'Take in (measured already)' : `Measure (adds ${plural(missing, 'run')})`}
            </Button>
          )
        }
      >
        <div>
          It takes pairs: each algorithm against itself and against the baseline. Until then the ranking is by
          throughput and delay alone. {tooMany ? TOO_MANY : whenText(running, plan.data, plan.error)}
        </div>
      </Notice>
    </>
  );
}

const TOO_MANY = `That would be more than the ${formatCount(MAX_RUNS)} runs that an experiment may have.`;

function whenText(running: boolean, plan: Plan | undefined, error: Error | null): string {
  if (running) return 'They can be added when these runs are over.';
  if (error !== null) return `They cannot be added: ${asApiError(error).problem.detail}`;
  if (plan === undefined || plan.runs === plan.cached) return '';
  const { low, high } = plan.estimate_s;
  return `They take ${formatEstimate(low, high)}.`;
}
