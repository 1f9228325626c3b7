// Makes a frozen view again that a link brought along: its experiments are run, and then it is kept as if it had been frozen here.
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { startExperiment } from '../../api/actions';
import { keepAlgorithm } from '../../api/algorithms';
import { experimentQuery } from '../../api/queries';
import { freeze, shareQuery } from '../../api/shares';
import type { Carried, CarriedShare } from '../../share/carried';
import { agree } from '../../write/agreed';

const LOOK_MS = 300;

export interface Made {
  readonly done: number;
  readonly total: number;
}

interface CarriedView {
  /** Null: nobody has said that it shall be made. */
  readonly made: Made | null;
  readonly fault: unknown;
  readonly make: () => void;
}

const isOver = (state: string): boolean => state !== 'queued' && state !== 'running';

/** Resolves when all of them are over. */
async function over(queries: QueryClient, ids: readonly string[], tell: (made: Made) => void): Promise<void> {
  for (;;) {
    const records = await Promise.all(ids.map((id) => queries.query({ ...experimentQuery(id), staleTime: 0 })));
    tell({
      done: records.reduce((sum, { runs_done, runs_failed }) => sum + runs_done + runs_failed, 0),
      total: records.reduce((sum, { runs_total }) => sum + runs_total, 0),
    });
    if (records.every(({ state }) => isOver(state))) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

export function useCarriedShare(
  slug: string,
  { title, note, address, created_at, engine_version, experiments }: CarriedShare,
  algorithms: Carried['algorithms'],
): CarriedView {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [made, setMade] = useState<Made | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const make = async (): Promise<void> => {
    setMade({ done: 0, total: 0 });
    setFault(null);
    try {
      for (const { text } of algorithms) agree((await keepAlgorithm(queries, text)).program);
      const ids: string[] = [];
      for (const spec of experiments) ids.push((await startExperiment(queries, spec)).id);
      await over(queries, ids, setMade);
      const share = await freeze(queries, { address, title, note, slug }, { created_at, engine_version });
      // A server has names of its own.
      if (share.slug !== slug) await navigate({ to: '/s/$slug', params: { slug: share.slug }, search: true });
      await queries.resetQueries({ queryKey: shareQuery(share.slug).queryKey });
    } catch (error) {
      setMade(null);
      setFault(error);
    }
  };
  return { made, fault, make: () => void make() };
}
