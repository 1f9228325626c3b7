// Whether the networks and limits of an experiment put its algorithms in the same order: Kendall's tau of every two conditions.
import { Suspense, useMemo } from 'react';
import { z } from 'zod';
import { ccaLabel } from '#analysis/cca-label';
import { bufferLabel } from '#analysis/limits';
import { METRICS, METRIC_IDS } from '#analysis/metrics';
import { FEWEST_RANKED, orderAgreements, type OrderAgreements } from '#analysis/order-agreement';
import { conditionKey, ccaKey, isReference } from '#analysis/results';
import type { Cell } from '#protocol/api';
import { Figure } from '../charts/Figure';
import type { Table } from '../charts/types';
import { useVisibility } from '../charts/visibility';
import { lazyPart } from '../ui/lazy-part';
import { Skeleton } from '../ui/notice';
import type { ExperimentPlotData } from './data';
import { cellResults, groupOf } from './experiment-series';
import { facetTitle } from '#analysis/facet-title';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps, type Shown } from './registry';

/** More are no longer read across. */
const MOST = 12;

const options = z.object({
  by: z
    .enum(METRIC_IDS as [(typeof METRIC_IDS)[number], ...typeof METRIC_IDS])
    .default('utilisation')
    .meta({ title: 'Order by', labels: Object.fromEntries(METRIC_IDS.map((id) => [id, METRICS[id].label])) }),
});
type Options = z.output<typeof options>;

const namesOf = (conditions: readonly Cell[]): string[] => {
  const several = new Set(conditions.map(({ buffer }) => bufferLabel(buffer))).size > 1;
  return conditions.map((cell) => `${facetTitle(cell, conditions)}${several ? ` · ${bufferLabel(cell.buffer)}` : ''}`);
};

/** Fetched once its title is pressed. */
const OrderMatrix = lazyPart(async () => ({ default: (await import('./OrderMatrix')).OrderMatrix }));

/** Of the algorithms that are shown. */
const agreementsOf = (data: ExperimentPlotData, { by }: Options, hidden: ReadonlySet<string>): OrderAgreements =>
  orderAgreements(
    cellResults(data).filter(({ cell }) => !hidden.has(groupOf(cell))),
    by,
    MOST,
  );

function Orders({ data, options: chosen, setOptions, size, theme }: PlotProps<'experiment', Options>) {
  const { hidden } = useVisibility(data.visibility);
  const found = useMemo(() => agreementsOf(data, chosen, hidden), [data, chosen, hidden]);
  const all = new Set(cellResults(data).map(({ cell }) => conditionKey(cell))).size;
  if (found.pairs.every(({ agreement }) => agreement === null)) return null;
  return (
    <Figure
      name={`${data.record.id}-orders`}
      title="Do conditions agree on the order?"
      subtitle={`Kendall’s τ of the algorithms by ${METRICS[chosen.by].label}: 1 the same order, 0 none, −1 reversed; pale: the 95 % interval over repetitions holds 0, or there is none${all > MOST ? `; the first ${MOST} of ${all} conditions` : ''}`}
      visibility={data.visibility}
      table={() => tableOf(found, comparedIn(data, hidden))}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      <Suspense fallback={<Skeleton height={size.height} />}>
        <OrderMatrix conditions={namesOf(found.conditions)} pairs={found.pairs} width={size.width} theme={theme} />
      </Suspense>
    </Figure>
  );
}

/** The names of those that are put in order. */
const comparedIn = (data: ExperimentPlotData, hidden: ReadonlySet<string>): string =>
  [
    ...new Set(
      cellResults(data)
        .filter((result) => !isReference(result) && !hidden.has(groupOf(result.cell)))
        .map(({ cell, cca }) => ccaLabel(cell, cca)),
    ),
  ].join('; ');

function tableOf({ conditions, pairs }: OrderAgreements, compared: string): Table {
  const names = namesOf(conditions);
  return {
    columns: ['condition', 'other_condition', 'kendall_tau', 'tau_low95', 'tau_high95', 'n', 'algorithms'],
    rows: pairs.flatMap(({ a, b, agreement }) =>
      agreement === null
        ? []
        : [
            [
              names[a] ?? '',
              names[b] ?? '',
              agreement.tau,
              agreement.interval_repetitions?.low ?? null,
              agreement.interval_repetitions?.high ?? null,
              agreement.n,
              compared,
            ],
          ],
    ),
  };
}

export const plot = definePlot({
  id: 'orders',
  title: 'Do conditions agree on the order?',
  needs: 'experiment',
  order: 45,
  height: 240,
  whenAsked: true,
  options,
  applies: (data: ExperimentPlotData) => {
    const competing = cellResults(data).filter((result) => !isReference(result));
    const count = (key: (cell: Cell) => string): number => new Set(competing.map(({ cell }) => key(cell))).size;
    return count(conditionKey) > 1 && count(ccaKey) >= FEWEST_RANKED;
  },
  table: (data, chosen, { hidden }: Shown) => tableOf(agreementsOf(data, chosen, hidden), comparedIn(data, hidden)),
  Component: Orders,
});
