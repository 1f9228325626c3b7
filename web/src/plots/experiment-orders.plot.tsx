// Whether the networks and limits of an experiment put its algorithms in the same order: Kendall's tau of every two conditions.
import { interpolateLab } from 'd3';
import { useMemo } from 'react';
import { z } from 'zod';
import { ccaLabel } from '#analysis/cca-label';
import { bufferLabel } from '#analysis/limits';
import { METRICS, METRIC_IDS } from '#analysis/metrics';
import { FEWEST_RANKED, orderAgreements, type OrderAgreements, type OrderPair } from '#analysis/order-agreement';
import { conditionKey, ccaKey, isReference } from '#analysis/results';
import type { Cell } from '#protocol/api';
import { Figure } from '../charts/Figure';
import { shortened, textWidth } from '../charts/measure';
import type { Table } from '../charts/types';
import { useVisibility } from '../charts/visibility';
import type { Theme } from '../theme/theme';
import { formatMeasured } from '../ui/format';
import type { ExperimentPlotData } from './data';
import { cellResults, groupOf } from './experiment-series';
import { facetTitle } from '#analysis/facet-title';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps, type Shown } from './registry';
import styles from './plane.module.css';

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

/** Of the algorithms that are shown. */
const agreementsOf = (data: ExperimentPlotData, { by }: Options, hidden: ReadonlySet<string>): OrderAgreements =>
  orderAgreements(
    cellResults(data).filter(({ cell }) => !hidden.has(groupOf(cell))),
    by,
    MOST,
  );

const saidOf = ({ agreement }: OrderPair): string => {
  if (agreement === null) return 'not known';
  const { tau, n, interval_repetitions: interval } = agreement;
  const span = interval === null ? '' : ` (${formatMeasured(interval.low)} … ${formatMeasured(interval.high)})`;
  return `τ ${formatMeasured(tau)}${span}, ${n} algorithms`;
};

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
      <Matrix found={found} width={size.width} theme={theme} />
    </Figure>
  );
}

const [ROW, TOP, WIDEST] = [28, 20, 56];
/** In narrower columns numbers would lie over one another: colours are left, and the CSV. */
const NUMBERED = 32;

/** Rows by name, columns by the number of the row: each pair once. */
function Matrix({
  found: { conditions, pairs },
  width,
  theme,
}: {
  found: OrderAgreements;
  width: number;
  theme: Theme;
}) {
  const font = `400 12px ${theme.sans}`;
  const names = namesOf(conditions).map((name, i) => `${i + 1}  ${name}`);
  const room = Math.min(Math.max(...names.map((name) => textWidth(name, font))) + 12, width * 0.45);
  const column = Math.min((width - room) / Math.max(1, conditions.length - 1), WIDEST);
  const height = TOP + conditions.length * ROW;
  return (
    <svg
      width={width}
      height={height}
      data-figure-part=""
      className={styles['svg']}
      role="img"
      aria-label={pairs.map((pair) => `${names[pair.a]} and ${names[pair.b]}: ${saidOf(pair)}`).join('; ')}
    >
      {names.map((name, i) => (
        <g key={name}>
          <text x={0} y={TOP + (i + 0.5) * ROW} dy="0.35em" className={styles['name']}>
            <title>{name}</title>
            {shortened(name, room - 8, font)}
          </text>
          {i === names.length - 1 ? null : (
            <text x={room + (i + 0.5) * column} y={TOP - 6} textAnchor="middle" className={styles['label']}>
              {i + 1}
            </text>
          )}
        </g>
      ))}
      {pairs.map((pair) => (
        <g key={`${pair.a} ${pair.b}`} transform={`translate(${room + pair.a * column},${TOP + pair.b * ROW})`}>
          <title>{`${names[pair.a]} and ${names[pair.b]}: ${saidOf(pair)}`}</title>
          <rect x={1} y={1} width={column - 2} height={ROW - 2} rx={3} fill={fillOf(pair, theme)} />
          {column < NUMBERED ? null : (
            <text x={column / 2} y={ROW / 2} dy="0.35em" textAnchor="middle" className={styles['name']}>
              {pair.agreement === null ? '–' : formatMeasured(pair.agreement.tau, 2)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function fillOf({ agreement }: OrderPair, theme: Theme): string {
  if (agreement === null) return theme.surface;
  const { tau, interval_repetitions: interval } = agreement;
  const sure = interval !== null && (interval.low > 0 || interval.high < 0);
  const hue = tau > 0 ? theme.divergeLow : theme.divergeHigh;
  return interpolateLab(theme.surface, hue)(sure ? 0.2 + 0.5 * Math.abs(tau) : 0.1);
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
