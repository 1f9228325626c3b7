// Which metric of which cell moved between two engines, the largest first.
import { ccaLabel } from '#analysis/cca-label';
import { bufferLabel } from '#analysis/limits';
import { metricUnit, shortMetric } from '#analysis/metric-text';
import { METRICS } from '#analysis/metrics';
import { regressionSentence, type Movement, type Regression } from '#analysis/regression';
import type { CcaDescriptor } from '#protocol/cca';
import { CsvButton } from '../../charts/CsvButton';
import { LatexButton } from '../../charts/LatexButton';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { formatMeasured, NO_VALUE, plural, UNIT_SPACE } from '../../ui/format';
import { Section } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import { cellText, movementsCsv, movementsLatex, signedMetric } from './movements-table';
import page from '../../ui/page.module.css';
import css from './compare.module.css';

/** More rows nobody reads; the CSV has all. */
const MOST_ROWS = 200;

interface MovementsProps {
  readonly regression: Regression;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

export function Movements({ regression, ccas }: MovementsProps) {
  const { moved, within, unmoved } = regression;
  const all = [...moved, ...within];
  return (
    <Section
      title="What moved"
      note={regressionSentence(regression)}
      aside={
        all.length === 0 ? null : (
          <span className={css['saves']}>
            <LatexButton
              name="regression"
              caption={`What moved from engine ${regression.engines[0] ?? '?'} to ${regression.engines[1] ?? '?'}.`}
              table={() => movementsLatex(moved, ccas)}
            />
            <CsvButton name="regression" table={() => movementsCsv(all)} />
          </span>
        )
      }
    >
      {moved.length === 0 ? null : <MovementTable label="What moved" of={moved} ccas={ccas} />}
      {within.length === 0 ? null : (
        <details className={css['equal']}>
          <summary>{plural(within.length, 'change')} within the spread of repetitions</summary>
          <MovementTable label="Changes within the spread" of={within} ccas={ccas} />
        </details>
      )}
      {all.length === 0 || unmoved === 0 ? null : (
        <p className={cx(page['quiet'], css['equal'])}>{plural(unmoved, 'further metric')} of these cells the same.</p>
      )}
    </Section>
  );
}

interface MovementTableProps {
  readonly label: string;
  readonly of: readonly Movement[];
  readonly ccas: MovementsProps['ccas'];
}

const MovementTable = ({ label, of, ccas }: MovementTableProps) => (
  <>
    <WideTable label={label} className={page['tall']}>
      <table className={cx(page['table'], page['pinned'], css['fields'])}>
        <thead>
          <tr>
            <th scope="col">Cell</th>
            <th scope="col">Metric</th>
            {['Before', 'After', 'Difference', '%', 'In spreads', 'n'].map((head) => (
              <th key={head} scope="col" className={page['num']}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.slice(0, MOST_ROWS).map((one) => (
            <Row key={`${one.role} ${one.cell.key} ${one.metric}`} of={one} cca={ccas.get(one.cell.cca.id)} />
          ))}
        </tbody>
      </table>
    </WideTable>
    {of.length > MOST_ROWS ? (
      <p className={page['quiet']}>{plural(of.length - MOST_ROWS, 'further row')}: the CSV has all.</p>
    ) : null}
  </>
);

function Row({ of, cca }: { readonly of: Movement; readonly cca: CcaDescriptor | undefined }) {
  const { cell, role, metric, before, after, difference, percent, spreads, n } = of;
  return (
    <tr>
      <th scope="row">
        <CcaMark cca={cca} size={14} />{' '}
        {cellText(cell, role, { cca: ccaLabel(cell, cca ?? null), limit: bufferLabel(cell.buffer) })}
      </th>
      <td title={METRICS[metric].definition}>
        {METRICS[metric].label}, {metricUnit(metric)}
      </td>
      <td className={page['num']}>{shortMetric(metric, before)}</td>
      <td className={page['num']}>{shortMetric(metric, after)}</td>
      <td className={page['num']}>{signedMetric(metric, difference)}</td>
      <td className={page['num']}>
        {percent === null ? NO_VALUE : `${percent > 0 ? '+' : ''}${formatMeasured(percent)}`}
      </td>
      <td className={page['num']}>
        {spreads === null ? 'one run' : spreads === Infinity ? 'no spread' : `${formatMeasured(spreads)}${UNIT_SPACE}×`}
      </td>
      <td className={page['num']}>{n[0] === n[1] ? n[0] : n.join(', ')}</td>
    </tr>
  );
}
