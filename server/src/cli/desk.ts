// Who is asked from a terminal about what is kept: a data folder of this process's own, or a server that has it.
import type { z } from 'zod';
import { Problem } from '#protocol/api';
import { UsageError } from '../config.ts';
import { DataDirBusy } from '../errors.ts';
import { openLab, type Lab } from '../lab.ts';
import { createLog } from '../log.ts';

export function openFolder(dataDir: string): Lab {
  try {
    return openLab({ dataDir, workers: 1, log: createLog('warn') });
  } catch (error) {
    if (!(error instanceof DataDirBusy)) throw error;
    throw new DataDirBusy(`${error.message}; or ask the server that has it: --server http://127.0.0.1:8080`);
  }
}

/** What a server has refused, in its words. */
export class ServerRefused extends UsageError {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.hint === undefined ? problem.detail : `${problem.detail}\n${problem.hint}`);
    this.problem = problem;
  }
}

export interface Question {
  readonly method?: string;
  readonly body?: string;
  /** Of the body. */
  readonly type?: string;
}

/** `path`: below the API. Its answer; without a schema nobody looks at it. */
export async function askServer<T>(
  server: string,
  path: string,
  schema: z.ZodType<T> | null,
  { method = 'GET', body, type = 'application/json' }: Question = {},
): Promise<T> {
  const token = process.env['PACELINE_TOKEN'];
  const answer = await fetch(new URL(`/api/v1${path}`, server), {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  }).catch((error: unknown) => {
    throw new UsageError(`${server} does not answer`, { cause: error });
  });
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return schema === null ? (undefined as T) : schema.parse(said);
  const { data: problem } = Problem.safeParse(said);
  throw problem === undefined ? new UsageError(`${server} answers ${answer.status}`) : new ServerRefused(problem);
}
