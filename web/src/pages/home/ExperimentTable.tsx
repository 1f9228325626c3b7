// The experiments that were made here, the last first.
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { ExperimentListItem } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { formatCount } from '../../ui/format';
import { Badge } from '../../ui/page';
import { ProgressRing } from '../../ui/progress';
import { WideTable } from '../../ui/scroll';
import { RowGap, useVirtualRows } from '../../ui/virtual-rows';
import { When } from '../../ui/when';
import page from '../../ui/page.module.css';
import css from './home.module.css';

const ROW_HEIGHT = 37;

export function ExperimentTable({
  experiments,
  ccas,
}: {
  readonly experiments: readonly ExperimentListItem[];
  readonly ccas: readonly CcaDescriptor[];
}) {
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const { from, to, above, below, measure } = useVirtualRows({ count: experiments.length, box, height: ROW_HEIGHT });
  const known = new Map(ccas.map((cca) => [cca.id, cca]));
  return (
    <WideTable ref={box} label="Experiments" className={measure === null ? undefined : page['tall']}>
      <table className={page['table']} aria-rowcount={experiments.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Name</th>
            <th scope="col" className={css['roomy']}>
              Traces
            </th>
            <th scope="col" className={css['roomy']}>
              Algorithms
            </th>
            <th scope="col" className={page['num']}>
              Runs
            </th>
            <th scope="col">State</th>
            <th scope="col" className={cx(page['num'], css['roomy'])}>
              When
            </th>
          </tr>
        </thead>
        <tbody>
          <RowGap height={above} width={6} />
          {experiments.slice(from, to).map((e, i) => (
            <tr
              key={e.id}
              ref={measure}
              data-index={from + i}
              aria-rowindex={from + i + 2}
              onDoubleClick={() => void navigate({ to: '/e/$id', params: { id: e.id } })}
            >
              <th scope="row">
                <Link to="/e/$id" params={{ id: e.id }}>
                  {e.name}
                </Link>
                <span className={css['tight']}>
                  {e.ccas.map((id) => (
                    <CcaMark key={id} cca={known.get(id)} size={12} />
                  ))}
                  <When iso={e.created_at} />
                </span>
              </th>
              <td className={css['roomy']}>
                {e.traces.length > 2
                  ? `${e.traces.slice(0, 2).join(', ')} and ${e.traces.length - 2} more`
                  : e.traces.join(', ')}
              </td>
              <td className={css['roomy']}>
                <span className={css['legend']}>
                  {e.ccas.map((id) => (
                    <span key={id}>
                      <CcaMark cca={known.get(id)} size={12} /> {known.get(id)?.label ?? id}
                    </span>
                  ))}
                </span>
              </td>
              <td className={page['num']}>
                {e.runs_done === e.runs_total
                  ? formatCount(e.runs_total)
                  : `${formatCount(e.runs_done)} / ${formatCount(e.runs_total)}`}
              </td>
              <td>
                <State experiment={e} />
              </td>
              <td className={cx(page['num'], css['roomy'])}>
                <When iso={e.created_at} />
              </td>
            </tr>
          ))}
          <RowGap height={below} width={6} />
        </tbody>
      </table>
    </WideTable>
  );
}

function State({ experiment: e }: { readonly experiment: ExperimentListItem }) {
  const failed = e.runs_failed === 0 ? null : <Badge kind="bad">{formatCount(e.runs_failed)} failed</Badge>;
  switch (e.state) {
    case 'queued':
    case 'running':
      return (
        <span className={css['state']}>
          <ProgressRing label={`Progress of ${e.name}`} value={e.runs_total === 0 ? 0 : e.runs_done / e.runs_total} />
          {e.state === 'queued' ? 'waiting' : 'running'} {failed}
        </span>
      );
    case 'done':
      return failed ?? <>done</>;
    case 'failed':
      return failed ?? <Badge kind="bad">failed</Badge>;
    case 'cancelled':
      return <Badge kind="warn">stopped</Badge>;
  }
}
