// One experiment of the list.
import { Link, useNavigate } from '@tanstack/react-router';
import type { Ref } from 'react';
import type { ExperimentListItem } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { Checkbox } from '../../ui/toggle';
import { formatCount } from '../../ui/format';
import { Badge } from '../../ui/page';
import { ProgressRing } from '../../ui/progress';
import { When } from '../../ui/when';
import type { LabelledThing } from '../organise/BulkBar';
import { RowMenu } from '../organise/RowMenu';
import { MadeBy } from '../MadeBy';
import { PrivateBadge } from '../Private';
import { Star } from '../organise/Star';
import { Tags } from '../organise/Tags';
import page from '../../ui/page.module.css';
import css from './home.module.css';

export const thingOf = ({ id, name, labels }: ExperimentListItem): LabelledThing => ({
  kind: 'experiment',
  id,
  name,
  labels,
});

interface ExperimentRowProps {
  readonly ref: Ref<HTMLTableRowElement> | null;
  /** Among all rows, from 0. */
  readonly place: number;
  readonly experiment: ExperimentListItem;
  readonly known: ReadonlyMap<string, CcaDescriptor>;
  readonly ticked: boolean;
  readonly onTick: (on: boolean) => void;
}

export function ExperimentRow({ ref, place, experiment: e, known, ticked, onTick }: ExperimentRowProps) {
  const navigate = useNavigate();
  return (
    <tr
      ref={ref}
      data-index={place}
      aria-rowindex={place + 2}
      className={e.labels?.archived === true ? css['archived'] : undefined}
      onDoubleClick={({ target }) => {
        // What is pressed twice in a hurry is not left.
        if (!(target instanceof Element && target.closest('button, label, a') !== null))
          void navigate({ to: '/e/$id', params: { id: e.id } });
      }}
    >
      <td className={css['tools']}>
        <Checkbox aria-label={`Select ${e.name}`} isSelected={ticked} onChange={onTick} />
      </td>
      <td className={css['tools']}>
        <Star thing={thingOf(e)} on={e.labels?.starred === true} />
      </td>
      <th scope="row">
        <span className={css['name']}>
          <Link to="/e/$id" params={{ id: e.id }}>
            {e.name}
          </Link>
          <PrivateBadge of={e} />
          <Tags tags={e.labels?.tags} />
          {e.labels?.archived === true ? <Badge>archived</Badge> : null}
        </span>
        <span className={css['tight']}>
          {e.ccas.map((id) => (
            <CcaMark key={id} cca={known.get(id)} size={12} />
          ))}
          <When iso={e.created_at} />
          <MadeBy maker={e.made_by} />
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
        <MadeBy maker={e.made_by} />
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
