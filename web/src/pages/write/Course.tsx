// Beside a text: the run of it, once there is something to run and to run it with.
import { useMemo } from 'react';
import type { OwnProblem } from '#protocol/own-algorithm';
import { Loading } from '../../ui/notice';
import type { Program } from '../../write/program';
import { PageProblem } from '../about/PageProblem';
import { useKnown } from '../what-if/use-known';
import { WhatIfProblem } from '../what-if/WhatIfProblem';
import { OwnRun } from './OwnRun';
import { CCAS } from './crumbs';
import page from '../../ui/page.module.css';

interface CourseProps {
  /** The newest first; empty: no text was sound yet. */
  readonly programs: readonly Program[];
  /** The text is not what runs. */
  readonly late: boolean;
  /** The text is broken. */
  readonly broken: boolean;
  /** Why no text can be read here. */
  readonly error: unknown;
  readonly onProblem?: (problem: OwnProblem | null) => void;
}

const someOf = ([first, ...others]: readonly Program[]) => (first === undefined ? null : ([first, ...others] as const));

export function Course({ programs, late, broken, error, onProblem }: CourseProps) {
  const server = useKnown();
  const some = useMemo(() => someOf(programs), [programs]);
  if (error !== null) return <WhatIfProblem problem={{ kind: 'error', error }} />;
  if (server.error !== null)
    return <PageProblem what="The run" parent={CCAS} error={server.error} onRetry={server.retry} />;
  if (some === null && broken)
    return <p className={page['quiet']}>There is nothing to run yet: the text is not sound.</p>;
  if (some === null || server.known === null) return <Loading label="Fetching the engine" rows={8} />;
  return (
    <OwnRun known={server.known} programs={some} late={late} {...(onProblem === undefined ? {} : { onProblem })} />
  );
}
