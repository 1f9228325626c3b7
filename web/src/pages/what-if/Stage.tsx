// The controls beside the run that follows them: the same on every page where something is moved.
import type { ReactNode } from 'react';
import type { ExperimentSpec } from '#protocol/spec';
import { Loading } from '../../ui/notice';
import { SearchNotice } from '../../ui/page';
import type { Made } from '../../what-if/make';
import type { Known } from '../../what-if/plan';
import { Moving } from './Moving';
import { useStage } from './use-stage';
import { WhatIfProblem } from './WhatIfProblem';
import { WhatIfRun } from './WhatIfRun';
import page from '../../ui/page.module.css';
import css from './what-if.module.css';

interface StageProps {
  readonly known: Known;
  /** Where the address says nothing. */
  readonly first: ExperimentSpec;
  /** Ids of what can be moved; absent: all of it. */
  readonly offers?: readonly string[];
  /** Above both, with the run that is shown; null: none yet. */
  readonly head: (now: Made | null) => ReactNode;
}

export function Stage({ known, first, offers, head }: StageProps) {
  const { now, before, problem, busy, sweep, searchState, moving } = useStage({ known, first });
  return (
    <>
      {head(now)}
      <div className={page['notices']}>
        <SearchNotice misread={searchState.misread} />
        {problem === null ? null : <WhatIfProblem problem={problem} />}
      </div>
      <div className={css['layout']}>
        <div className={css['side']} role="group" aria-label="What can be moved">
          <Moving {...moving} offers={offers} />
        </div>
        <div className={css['main']}>
          {now === null ? (
            problem === null && <Loading label="Fetching the engine" rows={8} />
          ) : (
            <WhatIfRun
              band={sweep?.band ?? undefined}
              now={now}
              before={before}
              busy={busy}
              listing={known.listing}
              searchState={searchState}
            />
          )}
        </div>
      </div>
    </>
  );
}
