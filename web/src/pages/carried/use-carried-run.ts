// Runs what a link brought along, as if it had been put together here.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExperimentSpec } from '#protocol/spec';
import { startExperiment } from '../../api/actions';
import { keepAlgorithm } from '../../api/algorithms';
import type { Thing } from '../../api/labels';
import { showToast } from '../../ui/toasts';
import { agree } from '../../write/agreed';

interface CarriedRun {
  readonly running: boolean;
  readonly fault: unknown;
  readonly run: () => void;
}

/** `thing`: what the link leads to, which is gone to once it is there. */
export function useCarriedRun(
  thing: Thing,
  spec: ExperimentSpec,
  texts: readonly { readonly text: string }[],
): CarriedRun {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [running, setRunning] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const run = async (): Promise<void> => {
    setRunning(true);
    setFault(null);
    try {
      for (const { text } of texts) agree((await keepAlgorithm(queries, text)).program);
      const record = await startExperiment(queries, spec);
      const found = record.id === thing.id || record.runs.some(({ id }) => id === thing.id);
      if (!found)
        showToast({
          text: 'The link was made with another version of Paceline: what it leads to has another address here.',
        });
      await queries.resetQueries({ queryKey: [thing.kind === 'run' ? 'runs' : 'experiments', thing.id] });
      if (found && thing.kind === 'run') await navigate({ to: '/r/$id', params: { id: thing.id } });
      else await navigate({ to: '/e/$id', params: { id: record.id } });
    } catch (error) {
      setFault(error);
    } finally {
      setRunning(false);
    }
  };
  return { running, fault, run: () => void run() };
}
