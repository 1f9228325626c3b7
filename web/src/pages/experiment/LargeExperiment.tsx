// An experiment of more runs than a page can hold: how it stands, its runs page by page, and its results as files.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { bufferLabel } from '#analysis/limits';
import type { ExperimentRecord, RunRef, RunState } from '#protocol/api';
import { exportUrl } from '../../api/actions';
import { MOST_RUNS_READ, runsQuery } from '../../api/queries';
import { Button, buttonClass } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Segmented } from '../../ui/fields';
import { formatCount, plural } from '../../ui/format';
import { Notice, ProblemNotice, Skeleton } from '../../ui/notice';
import { Section } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import { RowGap, useVirtualRows } from '../../ui/virtual-rows';
import { RunStanding } from './RunList';
import page from '../../ui/page.module.css';
import css from './experiment.module.css';

const ROW_HEIGHT = 31;

const STATES: readonly { readonly id: RunState | 'all'; readonly label: string }[] = [
  { id: 'all', label: 'all' },
  { id: 'running', label: 'running' },
  { id: 'done', label: 'done' },
  { id: 'failed', label: 'failed' },
  { id: 'cancelled', label: 'stopped' },
  { id: 'invalid', label: 'do not count' },
];

export function LargeExperiment({ record }: { readonly record: ExperimentRecord }) {
  return (
    <div className={page['stack']}>
      <Notice
        title={`${plural(record.runs_total, 'run')} are more than this page draws`}
        actions={
          <a className={buttonClass({ size: 'small' })} href={exportUrl('experiments', record.id, 'parquet')} download>
            Results as Parquet
          </a>
        }
      >
        Figures and the table are drawn of up to {formatCount(MOST_RUNS_READ)} runs. All of them are in the files.
      </Notice>
      <Section title="Runs" note="In the order of the matrix.">
        <Runs record={record} />
      </Section>
    </div>
  );
}

function Runs({ record }: { readonly record: ExperimentRecord }) {
  const [state, setState] = useState<RunState | 'all'>('all');
  /** Where each page that was seen began; the last one is shown. */
  const [places, setPlaces] = useState<readonly number[]>([0]);
  const after = places.at(-1) ?? 0;
  const { data, error } = useQuery(runsQuery(record.id, { after, state: state === 'all' ? null : state }));
  const next = data?.next ?? null;
  return (
    <>
      <div className={css['tableTools']}>
        <Segmented
          label="Show"
          value={state}
          options={STATES}
          onChange={(chosen) => {
            setState(chosen);
            setPlaces([0]);
          }}
        />
        <Button size="small" isDisabled={places.length < 2} onPress={() => setPlaces(places.slice(0, -1))}>
          Before
        </Button>
        <Button
          size="small"
          isDisabled={next === null}
          onPress={() => {
            if (next !== null) setPlaces([...places, next]);
          }}
        >
          Next
        </Button>
      </div>
      {error === null ? null : <ProblemNotice error={error} />}
      {data === undefined ? <Skeleton height={400} /> : <RunTable runs={data.runs} record={record} />}
    </>
  );
}

function RunTable({ runs, record }: { readonly runs: readonly RunRef[]; readonly record: ExperimentRecord }) {
  const cells = useMemo(() => new Map(record.cells.map((cell) => [cell.key, cell])), [record.cells]);
  const box = useRef<HTMLDivElement>(null);
  const { from, to, above, below, measure } = useVirtualRows({ count: runs.length, box, height: ROW_HEIGHT });
  return (
    <WideTable ref={box} label="Runs" className={page['tall']}>
      <table className={cx(page['table'], css['results'])} aria-rowcount={runs.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Run</th>
            <th scope="col">Algorithm</th>
            <th scope="col">Limit</th>
            <th scope="col">Trace</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          <RowGap height={above} width={5} />
          {runs.slice(from, to).map((run, i) => {
            const cell = cells.get(run.cell);
            return (
              <tr
                key={run.cell + run.role + String(run.repetition)}
                ref={measure}
                data-index={from + i}
                aria-rowindex={from + i + 2}
              >
                <th scope="row">
                  <Link to="/r/$id" params={{ id: run.id }}>
                    Repetition {run.repetition + 1}
                  </Link>
                </th>
                <td>{cell?.cca.id}</td>
                <td>{cell === undefined ? null : bufferLabel(cell.buffer)}</td>
                <td>{cell?.trace_name}</td>
                <td>
                  {run.state} <RunStanding run={run} durationS={record.spec.duration_s} />
                </td>
              </tr>
            );
          })}
          <RowGap height={below} width={5} />
        </tbody>
      </table>
    </WideTable>
  );
}
