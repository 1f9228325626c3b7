// Harm: what each algorithm takes from the baseline beside it, held against what the baseline takes from itself (Zeus, figure 8).
import { useMemo } from 'react';
import { z } from 'zod';
import type { HarmResult, HarmTable } from '#analysis/harm';
import { bufferLabel } from '#analysis/limits';
import { ccaKey, conditionKey, groupBy } from '#analysis/results';
import { Figure } from '../charts/Figure';
import type { CcaListing, ExperimentPlotData } from './data';
import { ccaSeries, groupOf, harmOf, markerLegend, type CcaSeries } from './experiment-series';
import { facetTitle } from '#analysis/facet-title';
import { HarmRows, type HarmGroup, type HarmRow } from './HarmRows';
import { definePlot, type PlotProps, type Shown } from './registry';
import styles from './frontier.module.css';

const options = z.object({});
type Options = z.output<typeof options>;

const told = ({ throughput, delay }: HarmResult): boolean => throughput !== null || delay !== null;

function* rowsOf(
  data: ExperimentPlotData,
  hidden: ReadonlySet<string>,
): Generator<readonly (string | number | null)[]> {
  for (const result of harmOf(data).results) {
    const { cell, label, throughput, delay, throughput_test, delay_test } = result;
    if (!told(result) || hidden.has(groupOf(cell))) continue;
    yield [
      cell.trace_name,
      label,
      bufferLabel(cell.buffer),
      cell.base_rtt_ms,
      throughput?.mean ?? null,
      throughput?.low ?? null,
      throughput?.high ?? null,
      throughput_test?.outcome ?? null,
      delay?.mean ?? null,
      delay?.low ?? null,
      delay?.high ?? null,
      delay_test?.outcome ?? null,
      throughput?.n ?? delay?.n ?? null,
    ];
  }
}

const table = (data: ExperimentPlotData, _: Options, { hidden }: Pick<Shown, 'hidden'>) => ({
  columns: [
    'trace',
    'cca',
    'queue_limit',
    'base_rtt_ms',
    'throughput_harm_percent',
    'throughput_harm_low95',
    'throughput_harm_high95',
    'throughput_verdict',
    'delay_harm_percent',
    'delay_harm_low95',
    'delay_harm_high95',
    'delay_verdict',
    'n',
  ],
  rows: rowsOf(data, hidden),
});

/** Groups per link, limit and stack: each stack has a baseline of its own. */
function groupsOf({ results, bars }: HarmTable, series: ReadonlyMap<string, CcaSeries>, ccas: CcaListing): HarmGroup[] {
  const shown = results.filter(told);
  const links = shown.map(({ cell }) => cell);
  const stackOf = ({ cell }: HarmResult): string => `${conditionKey(cell)} ${ccas.get(cell.cca.id)?.kind ?? ''}`;
  return [...groupBy(shown, stackOf)].flatMap(([key, members]): HarmGroup[] => {
    const bar = bars.get(key);
    const [first] = members;
    if (bar === undefined || first === undefined) return [];
    const rows = members.flatMap((result): HarmRow[] => {
      const one = series.get(ccaKey(result.cell));
      if (one === undefined) return [];
      const { throughput, delay, throughput_test, delay_test } = result;
      return [{ key: result.cell.key, one, harm: [throughput, delay], test: [throughput_test, delay_test] }];
    });
    const title = `${facetTitle(first.cell, links)} · ${bufferLabel(first.cell.buffer)}`;
    return [{ key, title, rows, bar: [bar.throughput, bar.delay] }];
  });
}

/** More than a person compares at once; the CSV has all. */
const MOST_GROUPS = 6;

function Harm({ data, size, theme }: PlotProps<'experiment', Options>) {
  const { record, ccas } = data;
  const harm = harmOf(data);
  const series = useMemo(() => ccaSeries({ record, ccas }, theme), [record, ccas, theme]);
  const groups = useMemo(() => groupsOf(harm, series, ccas), [harm, series, ccas]);
  const shown = new Map(groups.flatMap(({ rows }) => rows.map(({ one }) => [one.key, one])));
  return (
    <Figure
      name={`${data.record.id}-harm`}
      title="Harm to the baseline"
      subtitle="what a flow of the baseline loses beside each algorithm, % of what it has alone; dashed: beside itself. Safe and harmful are tests of harm beyond that by 5 points; whiskers: 95 % interval over repetitions"
      legend={markerLegend(shown.values())}
      visibility={data.visibility}
      spoken
      table={() => table(data, {}, data.visibility.state)}
    >
      <HarmRows groups={groups.slice(0, MOST_GROUPS)} visibility={data.visibility} width={size.width} theme={theme} />
      {groups.length > MOST_GROUPS ? (
        <p className={styles['facts']}>
          The first {MOST_GROUPS} of {groups.length} links and limits; the CSV has all.
        </p>
      ) : null}
    </Figure>
  );
}

export const plot = definePlot({
  id: 'harm',
  title: 'Harm to the baseline',
  needs: 'experiment',
  order: 25,
  height: 300,
  options,
  table,
  applies: (data) => data.record.spec.full_scores && harmOf(data).results.some(told),
  Component: Harm,
});
