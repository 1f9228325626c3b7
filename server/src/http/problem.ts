import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { ProgramMissing, SETUP_COMMAND } from '#bridge/programs';
import { AppError, problemOf } from '../errors.ts';
import { troubleOf } from '../store/trouble.ts';

/** RFC 9457: every refusal and failure is a document with a stable code. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.

  return (error, req, res, _next) => {
    if (isGone(error) || res.closed) {
      log.debug({ err: error as unknown, url: req.originalUrl }, 'the other side has gone');
      res.destroy();
      return;
    }
    const known = knownError(error);
    const problem = problemOf(known);
    if (problem.status >= 500) log.error({ err: error as unknown, url: req.originalUrl }, 'a request failed');
    if (res.headersSent) {
      // The answer has begun: cutting it off is the only way to say that it is not whole.
      res.destroy();
      return;
    }
    if (problem.status === 401) res.set('WWW-Authenticate', 'Bearer');
    if (known.retryAfterS !== null) res.set('Retry-After', String(known.retryAfterS));
    res.status(problem.status).type('application/problem+json').json(problem);
  };
}

const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET' || error.code === 'ECONNABORTED');

/** What Express and its parsers refuse: the request is at fault. */
interface RefusedRequest {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  /** Bytes; only where there were too many. */
  readonly limit?: number;
}
const isRefusedRequest = (error: unknown): error is RefusedRequest =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500;

/** What any error means to whoever asked. */
export function knownError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ProgramMissing)
    return new AppError('ENGINE_MISSING', error.message, { hint: `Run \`${SETUP_COMMAND}\`, then try again.` });
  const trouble = troubleOf(error);
  if (trouble?.cause === 'disk_full')
    return new AppError('DISK_FULL', 'nothing more can be stored: free some space', {}, { cause: error });
  if (trouble !== null)
    return new AppError('MACHINE_TROUBLE', trouble.reason, { hint: trouble.hint }, { cause: error });
  if (isRefusedRequest(error)) {
    if (error.type === 'entity.too.large')
      return new AppError('BODY_TOO_LARGE', `at most ${(error.limit ?? 0) / 2 ** 20} MiB are taken here`);
    if (error.type === 'entity.parse.failed') return new AppError('JSON_INVALID', error.message);
    if (error.status === 415) return new AppError('MEDIA_UNSUPPORTED', error.message);
    // zlib says what is wrong in a packed body, not that it was packed.
    const packed = 'code' in error && String(error.code).startsWith('Z_');
    return new AppError('REQUEST_INVALID', packed ? `the packed body is damaged: ${error.message}` : error.message);
  }
  if (error instanceof URIError) return new AppError('REQUEST_INVALID', 'the address is not valid');
  return new AppError('INTERNAL', 'the server’s log says more', {}, { cause: error });
}

export const unknownRoute: RequestHandler = (req) => {
  throw new AppError('ROUTE_UNKNOWN', `${req.method} ${req.originalUrl}`);
};

/** For an address that is known, behind everything that can be done there. */
export function otherMethods(...known: readonly string[]): RequestHandler {
  const allow = [...new Set(['OPTIONS', ...known.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))])]
    .sort()
    .join(', ');
  return (req, res) => {
    res.set('Allow', allow);
    if (req.method !== 'OPTIONS')
      throw new AppError('METHOD_REFUSED', `${req.method} ${req.originalUrl}`, { hint: `There is: ${allow}.` });
    res.status(204).end();
  };
}
