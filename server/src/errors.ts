import type { Problem } from '#protocol/api';
import type { TraceProblem } from '#protocol/trace';

/** Every way in which the server refuses or fails, with its stable code: HTTP status and the sentence that names the kind. */
export const ERRORS = {
  REQUEST_INVALID: { status: 400, title: 'The request is not what this address expects' },
  QUERY_INVALID: { status: 400, title: 'The query for runs is not understood' },
  JSON_INVALID: { status: 400, title: 'The body is not JSON' },
  TOKEN_REQUIRED: { status: 401, title: 'This server asks for its token' },
  ROLE_REFUSED: { status: 403, title: 'This token may not do that' },
  NOT_YOURS: { status: 403, title: 'Somebody else has made this' },
  NOBODY_TOLD_APART: { status: 422, title: 'Nobody is told apart here' },
  STILL_PRIVATE: { status: 409, title: 'What it needs is private' },
  USER_REFUSED: { status: 403, title: 'This person has no role here' },
  USER_HEADER_INVALID: { status: 400, title: 'What the proxy says of who comes is not understood' },
  HOST_REFUSED: { status: 403, title: 'This host name is not served here' },
  ORIGIN_REFUSED: { status: 403, title: 'Pages of other sites may not use this server' },
  ROUTE_UNKNOWN: { status: 404, title: 'There is nothing at this address' },
  METHOD_REFUSED: { status: 405, title: 'This cannot be done at this address' },
  TRACE_UNKNOWN: { status: 404, title: 'There is no such trace' },
  SOURCE_UNKNOWN: { status: 404, title: 'There is no such uploaded file' },
  WEIGHTS_UNKNOWN: { status: 404, title: 'There is no such weights file' },
  ALGORITHM_UNKNOWN: { status: 404, title: 'There is no such own algorithm' },
  RUN_UNKNOWN: { status: 404, title: 'There is no such run' },
  MEASUREMENT_UNKNOWN: { status: 404, title: 'There is no such measurement' },
  EXPERIMENT_UNKNOWN: { status: 404, title: 'There is no such experiment' },
  SHARE_UNKNOWN: { status: 404, title: 'There is no such share' },
  CCA_UNKNOWN: { status: 404, title: 'There is no such algorithm' },
  TOKEN_UNKNOWN: { status: 404, title: 'There is no such token' },
  USER_UNKNOWN: { status: 404, title: 'There is nothing said of this person' },
  TEMPLATE_UNKNOWN: { status: 404, title: 'There is no such template' },
  STUDY_UNKNOWN: { status: 404, title: 'There is no such study' },
  IN_USE: { status: 409, title: 'Something else needs it' },
  DELETED: { status: 410, title: 'It was deleted' },
  NOT_RESTORABLE: { status: 409, title: 'It cannot be restored any more' },
  TRACE_SHIPPED: { status: 409, title: 'Shipped traces keep their names' },
  RUN_EMPTY: { status: 409, title: 'The run has no samples' },
  SAMPLES_NOT_MADE: { status: 409, title: 'The samples of this run cannot be made again' },
  RUN_LINK_FIXED: { status: 409, title: 'The link of this run cannot be changed' },
  RUN_NOT_WATCHABLE: { status: 409, title: 'The packets of this run cannot be watched' },
  ORACLE_UNAVAILABLE: { status: 409, title: 'There is no oracle of this run' },
  RUN_NOT_RETRYABLE: { status: 409, title: 'This run cannot be retried' },
  SHARE_NOT_OVER: { status: 409, title: 'What still goes on cannot be frozen' },
  FILE_DAMAGED: { status: 410, title: 'A stored file is missing or damaged' },
  BODY_TOO_SLOW: { status: 408, title: 'The body did not arrive' },
  UPLOAD_TOO_LARGE: { status: 413, title: 'The file is too large' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large' },
  MEDIA_UNSUPPORTED: { status: 415, title: 'The body is of a kind that is not read here' },
  UPLOAD_EMPTY: { status: 422, title: 'There was no file in the upload' },
  TRACE_REFUSED: { status: 422, title: 'The file is not a trace' },
  RECIPE_REFUSED: { status: 422, title: 'Nothing can be made from this recipe' },
  EDIT_REFUSED: { status: 422, title: 'This edit cannot be made' },
  TRACE_FORM_REFUSED: { status: 422, title: 'The trace cannot be written in this form' },
  TRACE_WITHOUT_RECIPE: { status: 404, title: 'This trace was not made from a recipe' },
  TOKEN_REFUSED: { status: 422, title: 'The token cannot be made so' },
  TOO_MANY_USERS: { status: 422, title: 'There is no room for the roles of more persons' },
  TEMPLATE_REFUSED: { status: 422, title: 'The template cannot be kept so' },
  WEBHOOK_REFUSED: { status: 422, title: 'The webhook cannot go there' },
  SHARE_REFUSED: { status: 422, title: 'This view cannot be frozen' },
  RECORDING_REFUSED: { status: 422, title: 'The recording cannot be read' },
  WEIGHTS_REFUSED: { status: 422, title: 'The file is not a network that can be used' },
  ALGORITHM_REFUSED: { status: 422, title: 'The text is not an algorithm that can be used' },
  BUNDLE_REFUSED: { status: 422, title: 'The file is not a bundle that can be used' },
  RUN_WITHOUT_LOG: { status: 404, title: 'There is no such log of this run' },
  RUN_WITHOUT_QLOG: { status: 404, title: 'There is no qlog of this flow' },
  MEASUREMENT_REFUSED: { status: 422, title: 'The file is not a measurement' },
  SPEC_INVALID: { status: 422, title: 'The experiment cannot be run as described' },
  TOOK_TOO_LONG: { status: 422, title: 'This takes longer than is allowed here' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  INTERNAL: { status: 500, title: 'Something went wrong in the server' },
  ENGINE_MISSING: { status: 503, title: 'The native programs cannot be used' },
  BEING_BUILT: { status: 503, title: 'The server is being built' },
  NOT_READY: { status: 503, title: 'No runs are made now' },
  MACHINE_TROUBLE: { status: 503, title: 'This machine is in no state to do that' },
  TOO_BUSY: { status: 503, title: 'Too much is being done already' },
  QUOTA_EXCEEDED: { status: 507, title: 'The data folder may not become larger' },
  HOLDINGS_EXCEEDED: { status: 507, title: 'You hold as much as each may' },
  DISK_FULL: { status: 507, title: 'The disk is full' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** A refusal or failure with a code, a sentence, and the place and remedy where there are any. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Partial<Problem>;
  /** When asking again may help. */
  readonly retryAfterS: number | null;

  constructor(
    code: ErrorCode,
    detail: string,
    details: Partial<Problem> = {},
    { retryAfterS, ...options }: ErrorOptions & { readonly retryAfterS?: number } = {},
  ) {
    super(detail, options);
    this.code = code;
    this.details = details;
    this.retryAfterS = retryAfterS ?? null;
  }
}

/** A data folder that another process works on. */
export class DataDirBusy extends Error {
  override readonly name = 'DataDirBusy';
}

/** A data folder with which nothing can be done, and what mends it. */
export class DataDirUnusable extends Error {
  override readonly name = 'DataDirUnusable';
}

export function problemOf(error: AppError): Problem {
  const { status, title } = ERRORS[error.code];
  const type = `urn:paceline:problem:${error.code.toLowerCase().replaceAll('_', '-')}`;
  return { type, title, status, code: error.code, detail: error.message, ...error.details };
}

/** A file that is not a trace, with the line and the reason. */
export function refusedTrace(name: string, problem: TraceProblem): AppError {
  const where = problem.line === null ? name : `${name}, line ${problem.line}`;
  const details = { where, trace: problem, ...(problem.hint === null ? {} : { hint: problem.hint }) };
  return new AppError('TRACE_REFUSED', problem.message, details);
}
