// Runs at a glance. Whoever shows one asks for it alone; what is asked for at about the same time goes to the server as one question.
import { queryOptions } from '@tanstack/react-query';
import { SparkList, type RunRef, type RunSpark } from '#protocol/api';
import { sourceOf } from './answer-source';
import { call } from './client';

/** As many as the server gives at once. */
const BATCH = 64;
const GATHER_MS = 30;

interface Waiting {
  readonly run: string;
  readonly resolve: (spark: RunSpark | null) => void;
  readonly reject: (error: unknown) => void;
}

let waiting: Waiting[] = [];

function ask(batch: readonly Waiting[]): void {
  call(`/sparks?runs=${batch.map(({ run }) => run).join()}`, SparkList).then(
    ({ sparks }) => {
      const found = new Map(sparks.map((spark) => [spark.run, spark]));
      for (const { run, resolve } of batch) resolve(found.get(run) ?? null);
    },
    (error: unknown) => {
      for (const { reject } of batch) reject(error);
    },
  );
}

function flush(): void {
  const all = waiting;
  waiting = [];
  for (let i = 0; i < all.length; i += BATCH) ask(all.slice(i, i + BATCH));
}

const gather = (run: string): Promise<RunSpark | null> =>
  new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(flush, GATHER_MS);
    waiting.push({ run, resolve, reject });
  });

/** A share answers at once. */
function find(run: string, signal: AbortSignal): Promise<RunSpark | null> {
  const source = sourceOf(signal);
  if (source === null) return gather(run);
  const { sparks } = SparkList.parse(source('/sparks'));
  return Promise.resolve(sparks.find((spark) => spark.run === run) ?? null);
}

/** Null: it has no samples. A run that is over no longer changes; run again it has another state on the way. */
export const sparkQuery = ({ id, state }: Pick<RunRef, 'id' | 'state'>) =>
  queryOptions({
    queryKey: ['sparks', id, state],
    queryFn: ({ signal }) => find(id, signal),
    staleTime: Infinity,
  });
