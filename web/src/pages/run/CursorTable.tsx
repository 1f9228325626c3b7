// Every value under the cross-hair, panel by panel; without a cross-hair those at the head.
import { groupBy } from '#analysis/results';
import { formatReading } from '#analysis/reading-text';
import type { TimeView } from '../../charts/time-view';
import type { CursorReading } from '../../charts/types';
import type { RunSamples } from '../../plots/data';
import { formatChosen, UNIT_SPACE } from '../../ui/format';
import { TallColumn } from '../../ui/scroll';
import { useReadings } from './use-readings';
import css from './run.module.css';

/** Panels by the first part of their id. */
const TITLES: Readonly<Record<string, string>> = {
  throughput: 'Throughput',
  queue: 'Queue',
  path: 'Along the path',
  cwnd: 'Window',
  rtt: 'Delay',
  internals: 'Inside the algorithms',
  sequence: 'Bytes so far',
  'queue-by-flow': 'Queue, by flow',
  'live-throughput': 'Throughput, live',
  'live-cwnd': 'Window, live',
  'live-rtt': 'RTT, live',
  'diff-throughput': 'Throughput, difference',
  'diff-rtt': 'RTT, difference',
  'diff-owd': 'One-way delay, difference',
  'diff-queue': 'Queue, difference',
};
const titleOf = ({ panel }: CursorReading): string => {
  const [first = panel] = panel.split('/');
  return TITLES[first] ?? first;
};

interface CursorTableProps {
  readonly view: TimeView;
  readonly samples: RunSamples;
  /** The only flow: its name is not said before each of its values. Null: there are several. */
  readonly alone: string | null;
}

export function CursorTable({ view, samples, alone }: CursorTableProps) {
  const { cursor, head, values } = useReadings(view, samples);
  const panels = groupBy(values ?? [], titleOf);
  return (
    <aside
      className={css['sideColumn']}
      aria-label="Values at the cross-hair"
      data-empty={isEmpty(values, samples) ? '' : undefined}
    >
      <TallColumn label="Values" className={css['side']}>
        <h2>
          Values{' '}
          <span>
            {cursor === null ? 'at the head, ' : 'at '}
            {formatChosen(Number((cursor ?? head).toFixed(cursor === null ? 1 : 3)))}
            {UNIT_SPACE}s
          </span>
        </h2>
        <table className={css['readings']}>
          {[...panels].map(([panel, rows]) => (
            <tbody key={panel}>
              <tr>
                <th colSpan={2} scope="rowgroup">
                  {panel}
                </th>
              </tr>
              {/* Side by side, panels of several runs have the same series. */}
              {rows.map((row, place) => (
                <Row key={`${place} ${row.panel} ${row.series} ${row.label}`} row={row} alone={alone} />
              ))}
            </tbody>
          ))}
        </table>
        {/* Not before them: they would push it down. */}
        {panels.size === 0 ? null : (
          <p className={css['hint']}>
            Drag to zoom, double-click to go back. Click or press m to pin the cross-hair: it goes into the link.
          </p>
        )}
      </TallColumn>
    </aside>
  );
}

/**
 * Nothing is shown, or nothing was sampled and nothing will be. Before the first sample of a run that goes on, and before the first panel
 * of one that is over, there will be values: a column that went and came back would push the figures about.
 */
const isEmpty = (values: readonly CursorReading[] | null, { complete, streams }: RunSamples): boolean =>
  complete && (values?.length === 0 || [...streams.values()].every(({ rows }) => rows === 0));

const Row = ({ row, alone }: { readonly row: CursorReading; readonly alone: string | null }) => (
  <tr>
    <td>
      <i style={{ background: row.colour }} />
      {alone !== null && row.label.startsWith(`${alone} `) ? row.label.slice(alone.length + 1) : row.label}
    </td>
    <td>{row.text ?? formatReading(row.value, row.unit)}</td>
  </tr>
);
