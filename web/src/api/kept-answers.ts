// A share's answers as a source: by path without query, since it keeps long lists whole.
import type { AnswerSource } from './answer-source';
import { ApiError } from './client';

export type Kept = Readonly<Record<string, unknown>>;

/** `read`: makes of an answer what the query asks of it. */
export const keptAnswers =
  (kept: Kept, read = (answer: unknown, _path: string, _query: URLSearchParams): unknown => answer): AnswerSource =>
  (address) => {
    const { pathname, searchParams } = new URL(address, 'http://paceline');
    const answer = kept[pathname];
    if (answer !== undefined) return read(answer, pathname, searchParams);
    throw new ApiError({
      type: 'about:blank',
      title: 'This share does not hold that',
      status: 404,
      code: 'NOT_IN_SHARE',
      detail: `${pathname} was not on the page when it was frozen.`,
      hint: 'Look at the live view.',
    });
  };
