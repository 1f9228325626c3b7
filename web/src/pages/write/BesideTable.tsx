// What came of the run, of those beside it, and of the one before, in the same figures.
import type { CcaDescriptor } from '#protocol/cca';
import type { RunSummary } from '#protocol/summary';
import { METRICS } from '#analysis/metrics';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { formatDelay, formatPercent, formatRate } from '../../ui/format';
import { WideTable } from '../../ui/scroll';
import type { Made } from '../../what-if/make';
import page from '../../ui/page.module.css';
import css from './write.module.css';

const linkOf = ({ links }: RunSummary) => links.find(({ direction }) => direction === 'forward');

const COLUMNS = [
  {
    ...{ label: 'Utilisation', title: METRICS.utilisation.definition },
    of: (summary: RunSummary) => formatPercent(linkOf(summary)?.utilisation),
  },
  {
    ...{ label: 'Throughput', title: 'Of flow 1, at the receiver.' },
    of: ({ receivers }: RunSummary) => formatRate(receivers[0]?.throughput_mbps),
  },
  {
    ...{ label: 'Queueing delay', title: METRICS.queueing_mean.definition },
    of: (summary: RunSummary) => formatDelay(linkOf(summary)?.queueing_delay.mean_ms),
  },
  {
    ...{ label: 'p95', title: 'Of the queueing delay.' },
    of: (summary: RunSummary) => formatDelay(linkOf(summary)?.queueing_delay.p95_ms),
  },
  {
    ...{ label: 'Loss', title: METRICS.loss.definition },
    of: (summary: RunSummary) => formatPercent(METRICS.loss.of(summary)),
  },
];

interface BesideTableProps {
  readonly now: Made;
  readonly before: Made | null;
  readonly beside: readonly Made[];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

export function BesideTable({ now, before, beside, ccas }: BesideTableProps) {
  const row = (made: Made, key: string, suffix = '') => {
    const cca = ccas.get(made.spec.ccas[0]?.id ?? '');
    return { key, cca, label: `${cca?.label ?? ''}${suffix}`, summary: made.summary, past: suffix !== '' };
  };
  const rows = [
    row(now, 'now'),
    ...(before === null ? [] : [row(before, 'before', ' · before')]),
    ...beside.map((made) => row(made, made.spec.ccas[0]?.id ?? '')),
  ];
  return (
    <WideTable label="What came of it">
      <table className={cx(page['table'], css['came'])}>
        <thead>
          <tr>
            <th scope="col">Algorithm</th>
            {COLUMNS.map(({ label, title }) => (
              <th key={label} scope="col" className={page['num']} title={title}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cca, label, summary, past }) => (
            <tr key={key} className={cx(past && css['past'])}>
              <th scope="row">
                <span className={css['named']}>
                  <CcaMark cca={cca} size={12} />
                  {label}
                </span>
              </th>
              {COLUMNS.map((column) => (
                <td key={column.label} className={page['num']}>
                  {column.of(summary)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
