// The scenario scores under weights that can be dragged: who is first, who is tied, and how much the choice matters.
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useRef } from 'react';
import { rank, stability, type RankedCca, type Ranking } from '#analysis/ranking';
import { normaliseWeights, SCENARIOS, TERM_INFO, TERMS, type Term, type Weights } from '#analysis/scores';
import type { TermTable } from '#analysis/terms';
import type { CcaDescriptor } from '#protocol/cca';
import { Button, buttonClass } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { Segmented } from '../../ui/fields';
import { formatCount, formatMeasured, formatPercent, plural } from '../../ui/format';
import { Notice } from '../../ui/notice';
import { LabelledSlider } from '../../ui/slider';
import { setWeight, weightsOf, type WeightMap } from './weights';
import css from './experiment.module.css';

interface ScoreWeightsProps {
  readonly table: TermTable;
  readonly scenario: string;
  readonly onScenario: (id: string) => void;
  readonly changed: WeightMap;
  /** `dragging`: one more step of a drag, which is one entry in the browser's history. */
  readonly onWeights: (changed: WeightMap, dragging: boolean) => void;
  readonly experiment: string;
  /** Runs that measuring the missing terms would add; null: they are measured, or are being measured. */
  readonly missingRuns: number | null;
}

export function ScoreWeights(props: ScoreWeightsProps) {
  const { table, scenario: id, onScenario, changed, onWeights, experiment, missingRuns } = props;
  const scenario = SCENARIOS.find((candidate) => candidate.id === id) ?? SCENARIOS[0];
  const weights = weightsOf(scenario?.id ?? '', changed);
  const deferred = useDeferredValue(weights);
  const ranking = useMemo(() => (deferred === null ? null : rank(table, deferred)), [table, deferred]);
  const steady = useMemo(() => stability(table), [table]);
  if (scenario === undefined || weights === null || ranking === null) return null;
  const set = (next: Weights | null, dragging: boolean): void => {
    const map = new Map(changed);
    if (next === null) map.delete(scenario.id);
    else map.set(scenario.id, next);
    onWeights(map, dragging);
  };
  return (
    <>
      {missingRuns === null ? null : (
        <Notice
          title="Fairness is not measured"
          actions={
            <Link to="/new" search={{ from: experiment, full: '1' }} className={buttonClass({ size: 'small' })}>
              Measure (adds {plural(missingRuns, 'run')})
            </Link>
          }
        >
          <div>
            The scores need two fairness terms: each algorithm against itself and against the baseline. Without them a
            score is not a number; what the measured terms alone give is shown in grey.
          </div>
        </Notice>
      )}
      <Segmented
        label="Scenario"
        hideLabel
        value={scenario.id}
        options={SCENARIOS.map(({ id: key, label }) => ({ id: key, label }))}
        onChange={onScenario}
      />
      <p className={css['note']}>
        {scenario.summary}. {scenario.note}
      </p>
      <div className={css['weights']}>
        <div className={css['sliders']}>
          {TERMS.map((term) => (
            <WeightSlider key={term} term={term} weights={weights} measured={table.matched[term] > 0} onChange={set} />
          ))}
          <div>
            <Button
              size="small"
              kind="quiet"
              icon="retry"
              isDisabled={!changed.has(scenario.id)}
              onPress={() => set(null, false)}
            >
              Back to the paper’s weights
            </Button>
          </div>
        </div>
        <RankingList ranking={ranking} table={table} stability={steady} />
      </div>
    </>
  );
}

interface WeightSliderProps {
  readonly term: Term;
  readonly weights: Weights;
  readonly measured: boolean;
  readonly onChange: (weights: Weights, dragging: boolean) => void;
}

function WeightSlider({ term, weights, measured, onChange }: WeightSliderProps) {
  const normal = normaliseWeights(weights) ?? weights;
  // A drag scales the weights that it found, so that going through 100 % and back leaves the others' proportions.
  const found = useRef<Weights | null>(null);
  return (
    <LabelledSlider
      label={
        <>
          {TERM_INFO[term].label}
          {measured ? null : <span className={css['unmeasured']}> · not measured</span>}
        </>
      }
      output={formatPercent(normal[term])}
      minValue={0}
      maxValue={1}
      step={0.01}
      value={normal[term]}
      formatOptions={{ style: 'percent' }}
      onChange={(value) => {
        const goesOn = found.current !== null;
        found.current ??= normal;
        onChange(setWeight(found.current, term, value), goesOn);
      }}
      onChangeEnd={() => {
        found.current = null;
      }}
    />
  );
}

interface RankingListProps {
  readonly ranking: Ranking;
  readonly table: TermTable;
  readonly stability: ReturnType<typeof stability>;
}

function RankingList({ ranking, table, stability: steady }: RankingListProps) {
  const cca = (key: string): CcaDescriptor | undefined =>
    table.ccas.find((entry) => entry.key === key)?.cca ?? undefined;
  const complete = steady.terms.length === TERMS.length;
  if (ranking.ccas.length === 0) return <p className={css['note']}>Scores appear with the first results.</p>;
  return (
    <div>
      <ol className={css['ranking']} aria-label="Ranking">
        {ranking.ccas.map((entry) => (
          <li key={entry.key}>
            <span className={css['rank']}>{entry.rank === null ? '–' : `${entry.rank}.`}</span>
            <span className={css['name']}>
              <CcaMark cca={cca(entry.key)} />
              {entry.label}
            </span>
            <span className={css['value']}>{formatMeasured(entry.score.value)}</span>
            <small>
              {remark(
                entry,
                ranking,
                complete ? steady.shares.find((share) => share.key === entry.key)?.share : undefined,
              )}
            </small>
          </li>
        ))}
      </ol>
      <p className={css['note']}>
        Averages over {plural(table.conditions, 'condition')}
        {table.repetitions > 1
          ? `, ${formatCount(table.repetitions)} repetitions each; intervals are 95 %`
          : '; with one repetition there are no intervals, so ties cannot be told'}
        . References do not compete and have no score.
      </p>
    </div>
  );
}

function remark(entry: RankedCca, ranking: Ranking, share: number | undefined): string {
  if (entry.score.value === null) {
    const { partial, missing } = entry.score;
    if (missing.length === TERMS.length) return 'no results yet';
    const without = missing.map((term) => TERM_INFO[term].label.toLowerCase()).join(' and ');
    return partial === null
      ? `not measured: ${without}`
      : `${formatMeasured(partial.value)} from the measured ${formatPercent(partial.covered)} of the weight; not measured: ${without}`;
  }
  const parts: string[] = [];
  if (entry.interval !== null)
    parts.push(`${formatMeasured(entry.interval.low)} … ${formatMeasured(entry.interval.high)}`);
  const ties = entry.tied_with.flatMap((key) => ranking.ccas.find((other) => other.key === key)?.label ?? []);
  if (ties.length > 0) parts.push(`tied with ${ties.join(', ')}`);
  if (share !== undefined && share >= 0.005) parts.push(`first in ${formatPercent(share)} of all weightings`);
  return parts.join(' · ');
}
