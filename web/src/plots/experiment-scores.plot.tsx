// Scenario scores: for each scenario a bar per CCA with its interval and rank. What was not measured is hatched, never guessed.
import { useMemo } from 'react';
import { z } from 'zod';
import { rankMeasured, type RankedCca } from '#analysis/ranking';
import { ccaKey } from '#analysis/results';
import { orderOf, type ScenarioRanking } from '#analysis/score-order';
import { FEWEST_FOR_INTERVAL } from '#analysis/statistics';
import { SCENARIOS, TERM_INFO, TERMS, type Term } from '#analysis/scores';
import { Figure } from '../charts/Figure';
import type { ExperimentPlotData } from './data';
import { ccaSeries, groupOf, markerLegend, scoreTerms } from './experiment-series';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps, type Shown } from './registry';
import { ScoreBars } from './ScoreBars';
import styles from './frontier.module.css';

const options = z.object({
  order: z
    .enum(['mean', ...SCENARIOS.filter((scenario) => scenario.main).map((scenario) => scenario.id)])
    .default('mean')
    .meta({
      title: 'Order by',
      labels: { mean: 'mean of the scores', ...Object.fromEntries(SCENARIOS.map(({ id, label }) => [id, label])) },
    }),
});
type Options = z.output<typeof options>;

function rankingsOf(data: ExperimentPlotData): ScenarioRanking[] {
  const terms = scoreTerms(data);
  return SCENARIOS.filter((scenario) => scenario.main).map((scenario) => ({
    scenario,
    ...rankMeasured(terms, data.weights?.get(scenario.id) ?? scenario.weights),
  }));
}

const namesOf = (terms: readonly Term[]): string => terms.map((term) => TERM_INFO[term].label.toLowerCase()).join(', ');
const missingTerms = ({ score }: RankedCca, left_out: readonly Term[]): string =>
  namesOf([...left_out, ...score.missing]);

function table(data: ExperimentPlotData, _: Options, { hidden }: Pick<Shown, 'hidden'>) {
  const groups = new Map(data.record.cells.map((cell) => [ccaKey(cell), groupOf(cell)]));
  const rankings = rankingsOf(data);
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const { scenario, weights, ranking, left_out } of rankings)
      for (const entry of ranking.ccas) {
        if (hidden.has(groups.get(entry.key) ?? '')) continue;
        const { score, interval, rank: place, tied_with, p_next } = entry;
        const across = entry.interval_traces;
        yield [
          scenario.id,
          entry.label,
          score.value,
          interval?.low ?? null,
          interval?.high ?? null,
          place,
          tied_with.length,
          missingTerms(entry, left_out),
          weights.throughput,
          weights.delay,
          weights.intra,
          weights.inter,
          p_next,
          ranking.comparisons,
          ranking.over.repetitions,
          across?.low ?? null,
          across?.high ?? null,
          ranking.over.traces,
        ];
      }
  }
  return {
    columns: [
      'scenario',
      'cca',
      'score',
      'score_low95',
      'score_high95',
      'rank',
      'tied_with',
      'not_measured',
      'weight_throughput',
      'weight_delay',
      'weight_intra',
      'weight_inter',
      'p_next_holm',
      'comparisons',
      'repetitions',
      'score_low95_traces',
      'score_high95_traces',
      'traces',
    ],
    rows: rows(),
  };
}

function Scores({ data, options: chosen, setOptions, size, theme }: PlotProps<'experiment', Options>) {
  const rankings = useMemo(() => rankingsOf(data), [data]);
  const series = useMemo(() => ccaSeries(data, theme), [data, theme]);
  const keys = useMemo(() => orderOf(rankings, chosen.order), [rankings, chosen.order]);
  const { repetitions } = scoreTerms(data);
  const leftOut = TERMS.filter((term) => rankings.some(({ left_out }) => left_out.includes(term)));
  const comparisons = Math.max(0, ...rankings.map(({ ranking }) => ranking.comparisons));
  const missing = rankings.some(({ ranking }) => ranking.ccas.some((entry) => entry.score.missing.length > 0));
  return (
    <Figure
      name={`${data.record.id}-scores`}
      title="Scores by scenario"
      subtitle={`${
        repetitions >= FEWEST_FOR_INTERVAL
          ? `from 0 to 1 with 95 % intervals over ${repetitions} repetitions; at the right the rank, = marks a tie${comparisons > 1 ? ` (Holm, ${comparisons} comparisons)` : ''}`
          : `from 0 to 1; at the right the rank by value. Intervals and ties need ${FEWEST_FOR_INTERVAL} repetitions`
      }${leftOut.length === 0 ? '' : `. Without ${namesOf(leftOut)}: not measured`}`}
      legend={[
        ...markerLegend([...series.values()].filter(({ key }) => keys.includes(key))),
        ...(missing
          ? [{ key: 'missing', label: 'not measured', colour: theme.ink3, glyph: 'hatch', fixed: true } as const]
          : []),
      ]}
      visibility={data.visibility}
      spoken
      table={() => table(data, chosen, data.visibility.state)}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      {keys.length === 0 ? (
        <p className={styles['empty']} style={{ height: 120 }}>
          Scores appear with the first finished runs.
        </p>
      ) : (
        <ScoreBars
          rankings={rankings}
          keys={keys}
          series={series}
          visibility={data.visibility}
          width={size.width}
          theme={theme}
        />
      )}
    </Figure>
  );
}

export const plot = definePlot({
  id: 'scores',
  title: 'Scores by scenario',
  needs: 'experiment',
  order: 20,
  height: 300,
  options,
  table,
  Component: Scores,
});
