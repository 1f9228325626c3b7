// Why a file cannot be read as it was: the line, what stands there, the reason, what to do.
import type { ReactNode } from 'react';
import type { TraceProblem } from '#protocol/trace';
import { Notice } from '../../ui/notice';
import css from './upload.module.css';

interface SourceProblemProps {
  readonly name: string;
  readonly problem: TraceProblem;
  readonly actions?: ReactNode;
}

export function SourceProblem({ name, problem, actions }: SourceProblemProps) {
  const { line, text, message, hint } = problem;
  return (
    <Notice
      kind="problem"
      title={line === null ? `${name} was refused` : `${name}, line ${String(line)}`}
      {...(actions === undefined ? {} : { actions })}
    >
      <div>{message}</div>
      {text === null || text === '' ? null : (
        <div className={css['line']}>
          <b>{line}</b>
          {text}
        </div>
      )}
      {hint === null ? null : <div>{hint}</div>}
    </Notice>
  );
}
