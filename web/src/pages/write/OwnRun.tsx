// The run of a program, beside others over the same link: what can be moved, what came of it, and its course.
import { useCallback, useEffect, useMemo } from 'react';
import type { OwnProblem } from '#protocol/own-algorithm';
import type { ExperimentSpec } from '#protocol/spec';
import { isOwnCca, ownCcaId } from '#protocol/own-id';
import { cx } from '../../ui/cx';
import { Loading } from '../../ui/notice';
import { SearchNotice } from '../../ui/page';
import { useSearchState } from '../../ui/search';
import type { Known } from '../../what-if/plan';
import { keptParams } from '../../write/kept-params';
import { failureOf } from '../../write/place';
import { knownWith, type Program } from '../../write/program';
import { useBeside } from '../../write/use-beside';
import { firstSpec } from '../what-if/first-spec';
import { Moving } from '../what-if/Moving';
import { useStage } from '../what-if/use-stage';
import { WhatIfProblem } from '../what-if/WhatIfProblem';
import { WhatIfRun } from '../what-if/WhatIfRun';
import { BesideField } from './BesideField';
import { BesideTable } from './BesideTable';
import { OwnControls } from './OwnControls';
import { BESIDE_SEARCH } from './write-search';
import page from '../../ui/page.module.css';
import css from './write.module.css';

interface OwnRunProps {
  readonly known: Known;
  /** The first is run. */
  readonly programs: readonly [Program, ...Program[]];
  /** The text is not what runs: it is broken, or nobody has read it yet. */
  readonly late: boolean;
  /** Hears what the run of the first program failed of; null: it has not. */
  readonly onProblem?: (problem: OwnProblem | null) => void;
}

/** Of a spec only its link and the like is taken: the algorithm is the page's. */
const settledOn =
  ({ program, declaration }: Program) =>
  (spec: ExperimentSpec): ExperimentSpec => {
    const [chosen] = spec.ccas;
    const params = chosen !== undefined && isOwnCca(chosen.id) ? keptParams(chosen.params, declaration.params) : {};
    return { ...spec, ccas: [{ id: ownCcaId(program), params }] };
  };

export function OwnRun({ known: server, programs, late, onProblem }: OwnRunProps) {
  const [program] = programs;
  const first = useMemo(() => firstSpec(server.traces), [server.traces]);
  const known = useMemo(() => knownWith(server, programs), [server, programs]);
  const settled = useMemo(() => settledOn(program), [program]);
  const { now, before, problem, busy, sweep, searchState, moving } = useStage({ known, first, settled });
  const { search, setSearch } = useSearchState(BESIDE_SEARCH);
  const beside = useBeside(server, now, search.beside);
  const ccas = useMemo(() => new Map(known.listing.ccas.map((cca) => [cca.id, cca])), [known]);
  const setBeside = useCallback((ids: string[]) => setSearch({ beside: ids }), [setSearch]);

  const own = problem?.kind === 'failed' && problem.question.spec.ccas[0]?.id === ownCcaId(program.program);
  const failed = useMemo(() => (own ? failureOf(problem.reason, problem.at) : null), [own, problem]);
  useEffect(() => onProblem?.(failed), [failed, onProblem]);

  return (
    <div className={css['run']}>
      <SearchNotice misread={searchState.misread} />
      {problem === null || (own && onProblem !== undefined) ? null : <WhatIfProblem problem={problem} />}
      <Moving {...moving} as={OwnControls} />
      <BesideField value={search.beside} onChange={setBeside} ccas={server.listing.ccas} />
      {now === null ? (
        problem === null && <Loading label="Fetching the engine" rows={8} />
      ) : (
        <div className={cx(css['course'], (late || own) && css['late'])} data-late={late || own || undefined}>
          <WhatIfRun
            band={sweep?.band ?? undefined}
            now={now}
            before={before}
            busy={busy}
            listing={known.listing}
            searchState={searchState}
            beside={beside}
            figures={<BesideTable now={now} before={before} beside={beside} ccas={ccas} />}
          />
        </div>
      )}
      <p className={page['quiet']}>Every run is made here, in this page, of the same manifest as on the server.</p>
    </div>
  );
}
