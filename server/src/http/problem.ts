import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { AppError, problemOf } from '../errors.ts';
import { isDiskFull } from '../store/database.ts';

/** RFC 9457: every refusal and failure is a document with a stable code. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.

  return (error, req, res, _next) => {
    if (isGone(error)) {
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
    res.status(problem.status).type('application/problem+json').json(problem);
  };
}

const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET' || error.code === 'ECONNABORTED');

interface BodyParserError {
  readonly type: string;
  readonly message: string;
  /** Bytes; only where there were too many. */
  readonly limit?: number;
}
const isBodyParserError = (error: unknown): error is BodyParserError =>
  error instanceof Error && 'type' in error && typeof error.type === 'string';

/** What any error means to whoever asked. */
export function knownError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDiskFull(error)) return new AppError('DISK_FULL', 'nothing more can be stored: free some space');
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    return new AppError('DISK_FULL', 'nothing more can be stored: free some space');
  if (isBodyParserError(error)) {
    if (error.type === 'entity.too.large')
      return new AppError('BODY_TOO_LARGE', `at most ${(error.limit ?? 0) / 2 ** 20} MiB are taken here`);
    if (error.type === 'entity.parse.failed') return new AppError('JSON_INVALID', error.message);
    return new AppError('REQUEST_INVALID', error.message);
  }
  if (error instanceof URIError) return new AppError('REQUEST_INVALID', 'the address is not valid');
  return new AppError('INTERNAL', 'the server’s log says more', {}, { cause: error });
}

export const unknownRoute: RequestHandler = (req) => {
  throw new AppError('ROUTE_UNKNOWN', `${req.method} ${req.originalUrl}`);
};
