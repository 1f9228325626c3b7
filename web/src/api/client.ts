// The one way the page talks HTTP. Every answer is checked against the schema that the server was built from; every failure becomes
// an ApiError that says what, where, why and what next.
import type { z } from 'zod';
import { Problem } from '#protocol/api';
import { ExperimentId, RunId, ShareSlug, StudyId, TraceId } from '#protocol/ids';
import { sourceOf } from './answer-source';
import { API, askApi } from './ask';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export const unreachable = (what: string): ApiError =>
  new ApiError({
    type: 'about:blank',
    title: 'The server does not answer',
    status: 0,
    code: 'UNREACHABLE',
    detail: `${what} got no answer.`,
    hint: 'Check that Paceline is still running in the terminal where it was started, then try again.',
  });

/** Reads the problem details of a refusal; anything else that came back is described as far as it can be. */
export function problemOf(status: number, body: string, what: string): ApiError {
  try {
    const parsed = Problem.safeParse(JSON.parse(body));
    if (parsed.success) return new ApiError(parsed.data);
  } catch {
    // Not JSON: described below.
  }
  return new ApiError({
    type: 'about:blank',
    title:
      status === 404 ? 'There is nothing at this address' : 'The server answered in a way the page does not understand',
    status,
    code: 'UNEXPECTED_ANSWER',
    detail: `${what}: status ${status}.`,
    hint: 'Reload the page; if it stays, look at the server’s log in the terminal.',
  });
}

/** The server has another token than when this page came: it asks for it, and leads back here. */
export function askForToken(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** A body that is sent as it is. */
  readonly file?: Blob;
  /** What the file is sent as: JSON is read by the server at once, and may not be large. */
  readonly fileType?: string;
  readonly signal?: AbortSignal;
}

export async function call<S extends z.ZodType>(path: string, schema: S, options: Call = {}): Promise<z.infer<S>> {
  const { method = 'GET', body, file, fileType = 'application/json', signal } = options;
  const what = `${method} ${API}${path}`;
  const source = method === 'GET' ? sourceOf(signal) : null;
  if (source !== null) return checked(source(path), schema, what, 200);
  const answer = await askApi(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(file === undefined ? {} : { body: file, headers: { 'content-type': fileType } }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw unreachable(what);
  });
  const text = await answer.text();
  if (answer.status === 401) askForToken();
  if (!answer.ok) throw problemOf(answer.status, text, what);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw problemOf(answer.status, text, what);
  }
  return checked(value, schema, what, answer.status);
}

/** What is no JSON. */
export async function callBytes(path: string, signal: AbortSignal): Promise<Uint8Array> {
  const what = `GET ${API}${path}`;
  const answer = await askApi(path, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw unreachable(what);
  });
  if (answer.status === 401) askForToken();
  if (!answer.ok) throw problemOf(answer.status, await answer.text(), what);
  return new Uint8Array(await answer.arrayBuffer());
}

function checked<S extends z.ZodType>(value: unknown, schema: S, what: string, status: number): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ApiError({
    type: 'about:blank',
    title: 'The server and the page are of different versions',
    status,
    code: 'SCHEMA_MISMATCH',
    detail: `${what}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'does not match the schema'}.`,
    hint: 'Reload the page. After an update, restart the server so that it builds the page again.',
  });
}

const IDS = { trace: TraceId, experiment: ExperimentId, run: RunId, study: StudyId, share: ShareSlug };
const COLLECTIONS = {
  trace: 'traces',
  experiment: 'experiments',
  run: 'runs',
  study: 'studies',
  share: 'shares',
} as const;

/** Whether anything could have such an id. */
export const isId = (kind: keyof typeof IDS, id: string): boolean => IDS[kind].safeParse(id).success;

/**
 * One thing by its id. The server answers null for one it does not know: the 404 that programs get would stand in the browser's console as an
 * error of the page. For the same reason it is not asked for what has the form of no id.
 */
export async function callFor<S extends z.ZodType>(
  kind: keyof typeof IDS,
  id: string,
  schema: S,
  { part = '', ...options }: Call & { readonly part?: string } = {},
): Promise<z.infer<S>> {
  const found = isId(kind, id)
    ? await call(`/${COLLECTIONS[kind]}/${id}${part}?unknown=null`, schema.nullable(), options)
    : null;
  if (found !== null) return found;
  throw new ApiError({
    type: `urn:paceline:problem:${kind}-unknown`,
    title: `There is no such ${kind}`,
    status: 404,
    code: `${kind.toUpperCase()}_UNKNOWN`,
    detail: `This server has no ${kind} ${id}.`,
    hint: 'If you were sent this link, ask whether it was copied whole, and which server it is of.',
  });
}

/** Wraps whatever was thrown, so that every failure can be shown the same way. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new ApiError({
    type: 'about:blank',
    title: 'The page ran into a fault',
    status: 0,
    code: 'PAGE_FAULT',
    detail,
  });
}
