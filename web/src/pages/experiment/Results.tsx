// What an experiment has given so far: its figures, its scores, the table behind them, and the cells that were pressed.
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useCallback, useDeferredValue, useMemo, type ReactNode } from 'react';
import { OF_RTTS } from '#analysis/packet-delay';
import { SCENARIOS } from '#analysis/scores';
import type { TableRow } from '#analysis/table';
import type { ExperimentRecord, RunRef } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { cellRunsQuery } from '../../api/cells';
import type { ExperimentPlotData } from '../../plots/data';
import { scoreTerms, tableRows } from '../../plots/experiment-series';
import { PlotView } from '../../plots/plot-view';
import { EXPERIMENT_PLOTS } from '../../plots/experiment-plots';
import { plotOptions } from '../plot-options';
import { SpecOwners } from '../TraceOwners';
import { useFrozen } from '../../share/frozen';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/notice';
import { SearchNotice, Section } from '../../ui/page';
import { FigureSkeleton } from '../../ui/page-skeleton';
import { listText, oneOf, text, useSearchState, type SearchState } from '../../ui/search';
import { Answers } from './Answers';
import { CellSparks } from './CellSparks';
import { SamplesGone } from './SamplesGone';
import { goesOn } from './goes-on';
import { GROUPINGS, type Grouping } from './grouping';
import { ResultTable } from './ResultTable';
import { SCORES_ID } from './scores-id';
import { DATA_SEARCH, useExperimentData } from './use-experiment-data';
import type { WeightMap } from './weights';
import page from '../../ui/page.module.css';
import css from './experiment.module.css';

/** Below the first screen: nobody waits for them. The table is not among these, because what suspends shows up a third of a second later. */
export const fetchWeights = () => import('./ScoreWeights');
const MeasureFairness = lazyPart(async () => ({ default: (await import('./MeasureFairness')).MeasureFairness }));
const OverTime = lazyPart(async () => ({ default: (await import('./OverTime')).OverTime }));
/** Nothing is selected until somebody does. */
const Selection = lazyPart(async () => ({ default: (await import('./Selection')).Selection }));
const ScoreWeights = lazyPart(async () => ({ default: (await fetchWeights()).ScoreWeights }));

const SEARCH = {
  ...DATA_SEARCH,
  sort: { codec: text, initial: '' },
  /** Words that rows of the table must have, and columns that it does not show. */
  find: { codec: text, initial: '' },
  without: { codec: listText, initial: [] as string[] },
  /** What rows of the table are grouped by. */
  group: { codec: oneOf(GROUPINGS), initial: 'none' as Grouping },
  /** Whether the samples are read for the figures over time. */
  over: { codec: oneOf(['no', 'yes']), initial: 'no' },
  scenario: { codec: oneOf(SCENARIOS.map((s) => s.id) as [string, ...string[]]), initial: SCENARIOS[0]?.id ?? '' },
};

/** Stand with the weights that change them. */
const SCORE_PLOTS: readonly string[] = ['scores', 'triangle'];
/** Tells how far a running experiment is: comes first until it is over. */
const STATE_PLOT = 'cells';

/** Stands where the first figures will, while there is nothing to draw or no time for it. */
export const FiguresToCome = () => (
  <>
    <FigureSkeleton height={441} rows={3} />
    <FigureSkeleton height={236} />
  </>
);

interface ResultsProps {
  readonly record: ExperimentRecord;
  /** What the server made of runs that are too many for the page; absent: the record has them all. */
  readonly figures?: ExperimentPlotData['figures'];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  /** It goes on, or did when the page was opened. */
  readonly watched: boolean;
  /** It had to be waited for: its table is shown as soon as there is one, and the figures, which take longer to draw, right after. */
  readonly awaited?: boolean;
}

export const Results = (props: ResultsProps) => (
  <SpecOwners spec={props.record.spec}>
    <Shown {...props} />
  </SpecOwners>
);

function Shown({ record, figures: drawn, ccas, watched, awaited = false }: ResultsProps) {
  const searched = useSearchState(SEARCH);
  const { search, misread, raw, setSearch, setRaw } = searched;
  const { data: base, onSelect } = useExperimentData({ record, figures: drawn, ccas }, searched);
  const { record: shown, selected } = base;
  const weights = search.w;
  const { scenario } = search;
  const onWeights = useCallback(
    (w: WeightMap, dragging: boolean) => setSearch({ w }, { replace: dragging }),
    [setSearch],
  );
  const navigate = useNavigate();
  const onRun = useCallback((id: string) => void navigate({ to: '/r/$id', params: { id } }), [navigate]);
  const data = useMemo<ExperimentPlotData>(
    () => ({ ...base, onRun, scenario, onWeights }),
    [base, onRun, scenario, onWeights],
  );
  const rows = tableRows(data);
  const terms = scoreTerms(data);
  const measured = drawn?.results.some(({ figures: { n } }) => n > 0) ?? shown.runs.some((run) => run.summary !== null);
  const runs = useRunsOf(shown, drawn === undefined ? null : search.cells);
  const first = watched ? STATE_PLOT : null;
  const figures = EXPERIMENT_PLOTS.filter(
    ({ id, applies }) => !SCORE_PLOTS.includes(id) && (measured || id === STATE_PLOT) && (applies?.(data) ?? true),
  ).sort((a, b) => Number(b.id === first) - Number(a.id === first));
  const figured = useDeferredValue(true, !(awaited && measured));
  const full = record.spec.full_scores;
  const plot = (candidate: (typeof EXPERIMENT_PLOTS)[number]) => (
    <PlotView key={candidate.id} plot={candidate} data={data} {...plotOptions(candidate.id, raw, setRaw)} />
  );
  return (
    <div className={page['stack']}>
      <SearchNotice misread={misread} />
      <h2 className="visually-hidden">Results</h2>
      <Answers record={shown} ccas={ccas} />
      {figured ? figures.map(plot) : <FiguresToCome />}
      {!figured || watched || drawn !== undefined ? null : (
        <Section title="Every cell" note="One run of each: rate over capacity; below, how full the queue was.">
          {measured && !goesOn(record.state) ? <SamplesGone experiment={record.id} /> : null}
          <CellSparks record={shown} ccas={ccas} />
        </Section>
      )}
      {measured && !goesOn(record.state) ? (
        <OverTimeSection record={record} data={data} {...{ search, setSearch, raw, setRaw }} />
      ) : null}
      {measured ? (
        <>
          <ScenarioScores
            record={record}
            terms={terms}
            ofRtts={rows.some(({ delay_basis }) => delay_basis === 'rtt' || delay_basis === 'mixed')}
            scenario={scenario}
            onScenario={(next) => setSearch({ scenario: next })}
            weights={weights}
            onWeights={onWeights}
          >
            {figured
              ? EXPERIMENT_PLOTS.filter(({ id, applies }) => SCORE_PLOTS.includes(id) && (applies?.(data) ?? true)).map(
                  plot,
                )
              : null}
          </ScenarioScores>
          <TableSection
            rows={rows}
            full={full}
            selected={selected}
            onSelect={onSelect}
            search={search}
            setSearch={setSearch}
          />
        </>
      ) : null}
      {selected.size === 0 ? null : (
        <Suspense>
          <Selection
            rows={rows}
            runs={runs}
            durationS={record.spec.duration_s}
            selected={selected}
            onClear={() => onSelect([])}
          />
        </Suspense>
      )}
    </div>
  );
}

interface OverTimeSectionProps extends Pick<SearchNow, 'search' | 'setSearch' | 'raw' | 'setRaw'> {
  readonly record: ExperimentRecord;
  readonly data: ExperimentPlotData;
}

function OverTimeSection({ record, data, search, setSearch, raw, setRaw }: OverTimeSectionProps) {
  const frozen = useFrozen();
  if (frozen !== null && !frozen.holds(`/experiments/${record.id}/sampled`)) return null;
  return (
    <Section
      title="Over time"
      note="Throughput, delay, bytes in flight and timeouts as they were from moment to moment, of all runs of a cell together."
    >
      <Suspense fallback={<Skeleton height={40} />}>
        <OverTime
          record={record}
          data={data}
          wanted={search.over === 'yes'}
          onWanted={() => setSearch({ over: 'yes' })}
          raw={raw}
          setRaw={setRaw}
        />
      </Suspense>
    </Section>
  );
}

type SearchNow = SearchState<typeof SEARCH>;

interface TableSectionProps extends Pick<SearchNow, 'search' | 'setSearch'> {
  readonly rows: readonly TableRow[];
  readonly full: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (cells: readonly string[]) => void;
}

function TableSection({ rows, full, selected, onSelect, search, setSearch }: TableSectionProps) {
  return (
    <Section
      title="Table"
      note={`Means over repetitions with 95 % intervals${search.group === 'none' ? '' : '; of groups over traces, from three on'}. A row lights its points and lists its runs.`}
    >
      <ResultTable
        rows={rows}
        sort={search.sort}
        onSort={(sort) => setSearch({ sort })}
        full={full}
        find={search.find}
        onFind={(find) => setSearch({ find }, { replace: true })}
        group={search.group}
        onGroup={(group) => setSearch({ group })}
        without={search.without}
        onWithout={(without) => setSearch({ without: [...without] })}
        selected={selected}
        onSelect={onSelect}
      />
    </Section>
  );
}

interface ScenarioScoresProps {
  readonly record: ExperimentRecord;
  readonly terms: ReturnType<typeof scoreTerms>;
  /** Delays are not, or not all, those of packets. */
  readonly ofRtts: boolean;
  readonly scenario: string;
  readonly onScenario: (scenario: string) => void;
  readonly weights: WeightMap;
  readonly onWeights: (weights: WeightMap, dragging: boolean) => void;
  /** Their figure. */
  readonly children: ReactNode;
}

function ScenarioScores(props: ScenarioScoresProps) {
  const { record, terms, ofRtts, scenario, onScenario, weights, onWeights, children } = props;
  const fair = terms.ccas.every((cca) => cca.terms.intra !== null && cca.terms.inter !== null);
  return (
    <Section
      title="Scenario scores"
      note="How good each algorithm is for a use, as a weighted sum of four terms. Drag the weights."
    >
      <div id={SCORES_ID} className={page['stack']}>
        <Suspense fallback={null}>
          <MeasureFairness record={record} running={goesOn(record.state)} measured={fair} />
        </Suspense>
        <Suspense fallback={<Skeleton height={260} />}>
          <ScoreWeights
            table={terms}
            scenario={scenario}
            onScenario={onScenario}
            changed={weights}
            onWeights={onWeights}
          />
        </Suspense>
        {ofRtts ? <p className={css['groupNote']}>{OF_RTTS}</p> : null}
        {children}
      </div>
    </Section>
  );
}

/** The runs of some cells, where the page does not hold all. */
function useRunsOf({ id, runs }: ExperimentRecord, cells: readonly string[] | null): readonly RunRef[] {
  return useQueries({
    queries: (cells ?? []).map((cell) => cellRunsQuery(id, cell)),
    combine: (found) => (cells === null ? runs : found.flatMap(({ data }) => data ?? [])),
  });
}
