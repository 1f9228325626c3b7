// Queries of a page that never changes: the page's own, answered by what a share has kept.
import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import { answerFrom, type AnswerSource } from './answer-source';

export class FrozenQueries extends QueryClient {
  readonly #source: AnswerSource;

  constructor(source: AnswerSource) {
    // What is at hand needs no network.
    super({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
    this.#source = source;
  }

  override defaultQueryOptions: QueryClient['defaultQueryOptions'] = (options) => {
    const defaulted = super.defaultQueryOptions(options);
    const { queryFn } = defaulted;
    if (options._defaulted === true || typeof queryFn !== 'function') return defaulted;
    const ask: QueryFunction<never> = (context) => {
      answerFrom(this.#source, context.signal);
      return (queryFn as QueryFunction<never>)(context);
    };
    return Object.assign(defaulted, { queryFn: ask, staleTime: Infinity, refetchInterval: false });
  };
}
