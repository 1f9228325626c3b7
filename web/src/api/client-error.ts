// A failure that can be shown: what, where, why and what next.
import type { Problem } from '#protocol/api';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}
