// Why there is no run of what is asked.
import type { Answer, Made } from '../../what-if/make';
import { EngineMissing } from '../../what-if/simulate';
import { pathText } from '../new/draft';
import { Notice, ProblemNotice } from '../../ui/notice';

export function WhatIfProblem({ problem }: { readonly problem: Exclude<Answer, Made> }) {
  switch (problem.kind) {
    case 'refused':
      return (
        <Notice kind="warning" title="There is no such run">
          {problem.problems.map(({ path, message }) => (
            <div key={`${path.join('.')} ${message}`}>
              {path.length === 0 ? '' : `${pathText(path)}: `}
              {message}
            </div>
          ))}
        </Notice>
      );
    case 'failed':
      return (
        <Notice kind="problem" title="This run failed">
          {problem.reason}
        </Notice>
      );
    case 'error':
      return problem.error instanceof EngineMissing ? (
        <Notice kind="problem" title="The engine cannot be had in this page">
          <div>{problem.error.message}</div>
          <div>
            Either the server has none, because the tools that build it are not installed there (docs/wasm.md names
            them), or this browser does not run WebAssembly. Experiments run on the server as ever.
          </div>
        </Notice>
      ) : (
        <ProblemNotice error={problem.error} />
      );
  }
}
