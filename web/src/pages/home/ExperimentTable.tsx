// The experiments that were made here, the last first: starred, tagged, put away; several at once, too.
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { ExperimentListItem } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { formatCount } from '../../ui/format';
import { Badge } from '../../ui/page';
import { Checkbox } from '../../ui/fields';
import { ProgressRing } from '../../ui/progress';
import { WideTable } from '../../ui/scroll';
import { RowGap, useVirtualRows } from '../../ui/virtual-rows';
import { When } from '../../ui/when';
import { BulkBar, type LabelledThing } from '../organise/BulkBar';
import { RowMenu } from '../organise/RowMenu';
import { Star } from '../organise/Star';
import { Tags } from '../organise/Tags';
import page from '../../ui/page.module.css';
import css from './home.module.css';

const ROW_HEIGHT = 43;
const COLUMNS = 9;

const thingOf = ({ id, name, labels }: ExperimentListItem): LabelledThing => ({ kind: 'experiment', id, name, labels });

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
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  // Of those that are shown: what the filter hides is left alone.
  const chosen = experiments.filter(({ id }) => ticked.has(id));
  const tick = (ids: readonly string[], on: boolean): void =>
    setTicked((before) => {
      const next = new Set(before);
      for (const id of ids) {
        if (on) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  return (
    <>
      <WideTable ref={box} label="Experiments" className={measure === null ? undefined : page['tall']}>
        <table className={cx(page['table'], css['table'])} aria-rowcount={experiments.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" className={css['tools']}>
                <Checkbox
                  aria-label="Select all experiments shown"
                  isSelected={chosen.length > 0 && chosen.length === experiments.length}
                  isIndeterminate={chosen.length > 0 && chosen.length < experiments.length}
                  onChange={(on) =>
                    tick(
                      experiments.map(({ id }) => id),
                      on,
                    )
                  }
                />
              </th>
              <th scope="col" className={css['tools']}>
                <span className="visually-hidden">Star</span>
              </th>
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
              <th scope="col" className={css['tools']}>
                <span className="visually-hidden">More</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <RowGap height={above} width={COLUMNS} />
            {experiments.slice(from, to).map((e, i) => (
              <tr
                key={e.id}
                ref={measure}
                data-index={from + i}
                aria-rowindex={from + i + 2}
                className={e.labels?.archived === true ? css['archived'] : undefined}
                onDoubleClick={() => void navigate({ to: '/e/$id', params: { id: e.id } })}
              >
                <td className={css['tools']}>
                  <Checkbox
                    aria-label={`Select ${e.name}`}
                    isSelected={ticked.has(e.id)}
                    onChange={(on) => tick([e.id], on)}
                  />
                </td>
                <td className={css['tools']}>
                  <Star thing={thingOf(e)} on={e.labels?.starred === true} />
                </td>
                <th scope="row">
                  <span className={css['name']}>
                    <Link to="/e/$id" params={{ id: e.id }}>
                      {e.name}
                    </Link>
                    <Tags tags={e.labels?.tags} />
                    {e.labels?.archived === true ? <Badge>archived</Badge> : null}
                  </span>
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
                <td className={css['tools']}>
                  <RowMenu
                    thing={thingOf(e)}
                    entries={[
                      {
                        id: 'duplicate',
                        label: 'Duplicate',
                        icon: 'copy',
                        onAction: () => void navigate({ to: '/new', search: { from: e.id, copy: '1' } }),
                      },
                    ]}
                  />
                </td>
              </tr>
            ))}
            <RowGap height={below} width={COLUMNS} />
          </tbody>
        </table>
      </WideTable>
      <BulkBar things={chosen.map(thingOf)} onClear={() => setTicked(new Set())} />
    </>
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
