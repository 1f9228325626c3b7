// The scenario scores under weights that can be dragged: who is first, who is tied, and how much the choice matters.
import { useDeferredValue, useMemo, useRef } from 'react';
import { rankMeasured, stability, type MeasuredRanking, type RankedCca } from '#analysis/ranking';
import { normaliseWeights, SCENARIOS, TERM_INFO, TERMS, type Term, type Weights } from '#analysis/scores';
import type { TermTable } from '#analysis/terms';
import type { CcaDescriptor } from '#protocol/cca';
import { Button } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { Segmented } from '../../ui/choice';
import { formatCount, formatMeasured, formatPercent, plural } from '../../ui/format';
import { LabelledSlider } from '../../ui/slider';
import { useWentElsewhere } from '../../ui/use-went-elsewhere';
import { setWeight, weightsOf, type WeightMap } from './weights';
import css from './experiment.module.css';

interface ScoreWeightsProps {
  readonly table: TermTable;
  readonly scenario: string;
  readonly onScenario: (id: string) => void;
  readonly changed: WeightMap;
  /** `dragging`: one more step of a drag, which is one entry in the browser's history. */
  readonly onWeights: (changed: WeightMap, dragging: boolean) => void;
}

export function ScoreWeights(props: ScoreWeightsProps) {
  const { table, scenario: id, onScenario, changed, onWeights } = props;
  const scenario = SCENARIOS.find((candidate) => candidate.id === id) ?? SCENARIOS[0];
  const weights = weightsOf(scenario?.id ?? '', changed);
  const deferred = useDeferredValue(weights);
  const ranking = useMemo(() => (deferred === null ? null : rankMeasured(table, deferred)), [table, deferred]);
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
        <RankingList measured={ranking} table={table} stability={steady} />
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

/** No key for so long: the next one is another move. */
const REST_MS = 2000;

function WeightSlider({ term, weights, measured, onChange }: WeightSliderProps) {
  const normal = normaliseWeights(weights) ?? weights;
  // A move scales the weights that it found, so that going through 100 % and back leaves the others' proportions. Keys that follow
  // each other closely are one move, as the steps of a drag are, unless another slider or another page was gone to between them.
  const found = useRef<Weights | null>(null);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const end = (): void => {
    clearTimeout(rest.current);
    found.current = null;
  };
  useWentElsewhere(end);
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
        clearTimeout(rest.current);
        const goesOn = found.current !== null;
        found.current ??= normal;
        onChange(setWeight(found.current, term, value), goesOn);
      }}
      onBlur={end}
      onChangeEnd={() => {
        if (document.activeElement?.matches(':focus-visible') === true) rest.current = setTimeout(end, REST_MS);
        else end();
      }}
    />
  );
}

interface RankingListProps {
  readonly measured: MeasuredRanking;
  readonly table: TermTable;
  readonly stability: ReturnType<typeof stability>;
}

function RankingList({ measured, table, stability: steady }: RankingListProps) {
  const { ranking, left_out } = measured;
  const cca = (key: string): CcaDescriptor | undefined =>
    table.ccas.find((entry) => entry.key === key)?.cca ?? undefined;
  const complete = steady.terms.length === TERMS.length - left_out.length;
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
                measured,
                complete ? steady.shares.find((share) => share.key === entry.key)?.share : undefined,
              )}
            </small>
          </li>
        ))}
      </ol>
      {left_out.length === 0 ? null : (
        <p className={css['note']}>
          <b>By {namesOf(TERMS.filter((term) => !left_out.includes(term)))} alone</b>, their weights scaled to 100 %:{' '}
          {namesOf(left_out)} {left_out.length === 1 ? 'is' : 'are'} not measured.
        </p>
      )}
      <p className={css['note']}>
        Averages over {plural(table.conditions, 'condition')}
        {table.repetitions > 1
          ? `, ${formatCount(table.repetitions)} repetitions each; intervals are 95 %`
          : '; with one repetition there are no intervals, so ties cannot be told'}
        .{' '}
        {measured.ranking.comparisons > 1
          ? `Tied is who cannot be told apart in view of all ${formatCount(measured.ranking.comparisons)} comparisons (Holm). `
          : ''}
        References do not compete and have no score.
      </p>
    </div>
  );
}

const namesOf = (terms: readonly Term[]): string =>
  terms.map((term) => TERM_INFO[term].label.toLowerCase()).join(' and ');

function remark(entry: RankedCca, { ranking, left_out }: MeasuredRanking, share: number | undefined): string {
  if (entry.score.value === null) {
    const { partial, missing } = entry.score;
    if (missing.length === TERMS.length) return 'no results yet';
    const without = namesOf(missing);
    return partial === null
      ? `not measured: ${without}`
      : `${formatMeasured(partial.value)} from the measured ${formatPercent(partial.covered)} of the weight; not measured: ${without}`;
  }
  const parts: string[] = [];
  if (entry.interval !== null)
    parts.push(
      `${formatMeasured(entry.interval.low)} … ${formatMeasured(entry.interval.high)} over ${ranking.over.repetitions} repetitions`,
    );
  if (entry.interval_traces !== null)
    parts.push(
      `${formatMeasured(entry.interval_traces.low)} … ${formatMeasured(entry.interval_traces.high)} over ${ranking.over.traces} traces`,
    );
  const ties = entry.tied_with.flatMap((key) => ranking.ccas.find((other) => other.key === key)?.label ?? []);
  if (ties.length > 0) parts.push(`tied with ${ties.join(', ')}`);
  if (share !== undefined && share >= 0.005)
    parts.push(`first in ${formatPercent(share)} of all weightings${left_out.length === 0 ? '' : ' of these'}`);
  return parts.join(' · ');
}
