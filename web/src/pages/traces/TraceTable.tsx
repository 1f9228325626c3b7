// The traces with their shapes and figures: sortable, and as many as there are.
import { Link } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { type TraceKey, type TraceOrder } from '#analysis/trace-library';
import { isShippedRecording } from '#analysis/shipped-recording';
import type { TraceRecord } from '#protocol/api';
import { Checkbox } from '../../ui/toggle';
import { alignDecimals, formatDelay, formatDuration, formatMeasured, plural, rateUnit } from '../../ui/format';
import { Badge } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import { SortHead } from '../../ui/sort-head';
import { Spark } from '../../ui/spark';
import { RowGap, useVirtualRows } from '../../ui/virtual-rows';
import { When } from '../../ui/when';
import { PrivateBadge } from '../Private';
import type { LabelledThing } from '../organise/BulkBar';
import { RowMenu } from '../organise/RowMenu';
import { Star } from '../organise/Star';
import { Tags } from '../organise/Tags';
import page from '../../ui/page.module.css';
import css from './traces.module.css';

/** Origins that are called otherwise in the list. */
const ORIGINS: Partial<Record<TraceRecord['origin'], string>> = { recipe: 'made here', edit: 'edited' };
const ROW_HEIGHT = 55;
const COLUMNS = 13;

export const thingOf = ({ id, name, labels }: TraceRecord): LabelledThing => ({ kind: 'trace', id, name, labels });

interface TraceTableProps {
  readonly traces: readonly TraceRecord[];
  readonly sort: TraceOrder;
  readonly onSort: (sort: TraceOrder) => void;
  /** Ids in the order in which they were ticked. */
  readonly ticked: readonly string[];
  readonly setTicked: (ids: readonly string[]) => void;
}

export function TraceTable({ traces, sort, onSort, ticked, setTicked }: TraceTableProps) {
  const texts = useMemo(() => textsOf(traces), [traces]);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualRows({ count: traces.length, box, height: ROW_HEIGHT });
  const head = (
    id: TraceKey,
    label: string,
    more: { greatestFirst?: boolean; className?: string | undefined } = {},
  ) => (
    <SortHead id={id} sort={sort} onSort={onSort} {...more}>
      {label}
    </SortHead>
  );
  const number = { greatestFirst: true, className: page['num'] };
  return (
    <WideTable ref={box} label="Traces" className={rows.measure === null ? undefined : page['tall']}>
      <table className={page['table']} aria-rowcount={traces.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th>
              <span className="visually-hidden">Select</span>
            </th>
            <th className={css['tick']}>
              <span className="visually-hidden">Star</span>
            </th>
            {head('name', 'Trace')}
            <th className={css['shape']}>Shape</th>
            {head('technology', 'Technology')}
            {head('mean', `Mean, ${rateUnit().unit}`, number)}
            <th className={page['num']}>± over 1 s</th>
            <th className={page['num']}>Peak 1 s</th>
            <th className={page['num']}>Under 5 Mbps, %</th>
            <th className={page['num']}>Longest gap</th>
            {head('duration', 'Length', number)}
            {head('uploaded', 'Added', { greatestFirst: true })}
            <th className={css['tick']}>
              <span className="visually-hidden">More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <RowGap height={rows.above} width={COLUMNS} />
          {traces.slice(rows.from, rows.to).map((trace, i) => (
            <tr key={trace.id} ref={rows.measure} data-index={rows.from + i} aria-rowindex={rows.from + i + 2}>
              <td className={css['tick']}>
                <Checkbox
                  aria-label={`Select ${trace.name}`}
                  isSelected={ticked.includes(trace.id)}
                  onChange={(on) =>
                    setTicked(on ? [...ticked, trace.id] : ticked.filter((other) => other !== trace.id))
                  }
                />
              </td>
              <td className={css['tick']}>
                <Star thing={thingOf(trace)} on={trace.labels?.starred === true} />
              </td>
              <td className={css['name']}>
                <Link to="/traces/$id" params={{ id: trace.id }}>
                  {trace.name}
                </Link>{' '}
                {trace.origin === 'library' ? null : <Badge>{ORIGINS[trace.origin] ?? trace.origin}</Badge>}
                <PrivateBadge of={trace} />
                {isShippedRecording(trace) ? <Badge>by others</Badge> : null}
                {trace.info.warnings.length === 0 ? null : (
                  <Badge kind="warn">{plural(trace.info.warnings.length, 'remark')}</Badge>
                )}
                {trace.labels?.archived === true ? <Badge>archived</Badge> : null} <Tags tags={trace.labels?.tags} />
                {trace.description === '' ? null : <div className={css['description']}>{trace.description}</div>}
              </td>
              <td className={css['shape']}>
                <Spark values={trace.spark} />
              </td>
              <td className={css['link']}>
                {trace.technology}
                {trace.place === '' ? null : <div className={css['place']}>{trace.place}</div>}
              </td>
              {texts.map((column, j) => (
                <td key={String(j)} className={page['num']}>
                  {column[rows.from + i]}
                </td>
              ))}
              <td className={page['num']}>{formatDelay(trace.info.longest_gap_ms)}</td>
              <td className={page['num']}>{formatDuration(trace.info.period_ms / 1000)}</td>
              <td className={css['added']}>
                {trace.origin === 'library' ? 'shipped' : <When iso={trace.created_at} />}
              </td>
              <td className={css['tick']}>
                <RowMenu thing={thingOf(trace)} deletable={trace.origin !== 'library'} />
              </td>
            </tr>
          ))}
          <RowGap height={rows.below} width={COLUMNS} />
        </tbody>
      </table>
    </WideTable>
  );
}

/** Mean, deviation, peak and share of outage of every row, with their decimal points under one another. */
function textsOf(traces: readonly TraceRecord[]): string[][] {
  const column = (read: (info: TraceRecord['info']) => number): string[] =>
    alignDecimals(traces.map(({ info }) => formatMeasured(read(info))));
  return [
    column((info) => info.mean_mbps / rateUnit().factor),
    column((info) => info.std_1s_mbps / rateUnit().factor),
    column((info) => info.peak_1s_mbps / rateUnit().factor),
    column((info) => info.share_below_5mbps_1s * 100),
  ];
}
