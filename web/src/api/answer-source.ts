// Answers that do not come from the server: those a share has kept. Which questions they are for is told by the question's signal, so that
// the frame around a share goes on asking the server.
import { ApiError } from './client-error';

/** By path below /api/v1, without its query; undefined: it has none. */
export type AnswerSource = (path: string, query: URLSearchParams) => unknown;

const bySignal = new WeakMap<AbortSignal, AnswerSource>();
let everywhere: AnswerSource | null = null;

export const answerFrom = (source: AnswerSource, signal: AbortSignal): void => void bySignal.set(signal, source);

/** There is no server at all. */
export const answerEverythingFrom = (source: AnswerSource): void => void (everywhere = source);

export const sourceOf = (signal: AbortSignal | undefined): AnswerSource | null =>
  (signal === undefined ? undefined : bySignal.get(signal)) ?? everywhere;

/** What a source gives for an address. */
export function answerOf(source: AnswerSource, address: string): unknown {
  const { pathname, searchParams } = new URL(address, 'http://paceline');
  const answer = source(pathname, searchParams);
  if (answer !== undefined) return answer;
  throw new ApiError({
    type: 'about:blank',
    title: 'This share does not hold that',
    status: 404,
    code: 'NOT_IN_SHARE',
    detail: `${pathname} was not on the page when it was frozen.`,
    hint: 'Look at the live view.',
  });
}
