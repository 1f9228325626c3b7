// Figures of the whole runs, and what they differ by from those of one of them.
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { RunRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { CsvButton } from '../../charts/CsvButton';
import { LatexButton } from '../../charts/LatexButton';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { Section } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import { summaryCsv, summaryLatex, summaryRows } from './summary-table';
import page from '../../ui/page.module.css';
import css from './compare.module.css';

interface SummaryTableProps {
  readonly records: readonly RunRecord[];
  readonly labels: readonly string[];
  /** Place of the run that the others are held against. */
  readonly reference: number;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

export function SummaryTable({ records, labels, reference, ccas }: SummaryTableProps) {
  const summaries = useMemo(() => records.map(({ summary }) => summary), [records]);
  const rows = useMemo(() => summaryRows(summaries, reference), [summaries, reference]);
  const held = labels[reference] ?? '';
  const runs = records.map(({ id }, i) => ({ id, label: labels[i] ?? '' }));
  return (
    <Section
      title="Figures"
      note={
        records.length === 1
          ? 'Of the whole run, from every packet.'
          : `Of the whole runs, from every packet; below each what it is less ${held}, and in per cent of that.`
      }
      aside={
        <span className={css['saves']}>
          <LatexButton
            name="compared"
            caption={`Figures of whole runs, from every packet, and their differences from ${held}.`}
            table={() => summaryLatex(summaries, labels, reference)}
          />
          <CsvButton name="compared" table={() => summaryCsv(summaries, runs, reference)} />
        </span>
      }
    >
      {rows.length === 0 ? (
        <p className={page['quiet']}>None of these runs is over: figures come with their ends.</p>
      ) : (
        <WideTable label="Figures of the runs" className={page['tall']}>
          <table className={cx(page['table'], page['pinned'], css['fields'])}>
            <thead>
              <tr>
                <th scope="col">Metric</th>
                {records.map(({ id, manifest }, i) => (
                  <th key={id} scope="col" className={page['num']}>
                    <CcaMark cca={ccas.get(manifest.flows[0]?.cca.id ?? '')} size={14} />{' '}
                    <Link to="/r/$id" params={{ id }}>
                      {labels[i]}
                    </Link>
                    {i === reference && records.length > 1 ? <small className={css['held']}>reference</small> : null}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, title, definition, figures }) => (
                <tr key={id}>
                  <th scope="row" title={definition}>
                    {title}
                  </th>
                  {figures.map(({ value, difference }, i) => (
                    <td key={i} className={page['num']}>
                      {value}
                      {difference === '' ? null : <small className={css['difference']}>{difference}</small>}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </Section>
  );
}
