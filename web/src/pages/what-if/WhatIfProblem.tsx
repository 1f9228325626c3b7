// Why there is no run of what is asked.
import { Link } from '@tanstack/react-router';
import { ownCcaId } from '#protocol/own-id';
import type { Answer, Made } from '../../what-if/make';
import { EngineMissing } from '../../engine/engines';
import { pathText } from '../new/draft';
import { Notice, ProblemNotice } from '../../ui/notice';

/** So much of an id tells it from others on one screen. */
const OWN_SHOWN = 12;

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
    case 'unread':
      return (
        <Notice kind="warning" title="Somebody wrote an algorithm of this run">
          <div>It runs here when you have read it and agree: open it, and choose “Run it here”.</div>
          {problem.programs.map((program) => (
            <div key={program}>
              <Link to="/write/$id" params={{ id: ownCcaId(program) }}>
                Read {ownCcaId(program).slice(0, OWN_SHOWN)}…
              </Link>
            </div>
          ))}
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
