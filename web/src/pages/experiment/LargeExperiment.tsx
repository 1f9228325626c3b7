// An experiment of more runs than a page can hold: the figures that the server made of them, and its runs page by page.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { bufferLabel } from '#analysis/limits';
import { ccaLabel } from '#analysis/cca-label';
import type { ExperimentRecord, RunRef, RunState } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { exportUrl } from '../../api/actions';
import { drawnOf, figuresQuery } from '../../api/figures';
import { runsQuery } from '../../api/queries';
import { Button, buttonClass } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Segmented } from '../../ui/choice';
import { plural } from '../../ui/format';
import { Loading, Notice, ProblemNotice, Skeleton } from '../../ui/notice';
import { Section } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import { RowGap, useVirtualRows } from '../../ui/virtual-rows';
import { goesOn } from './goes-on';
import { Results } from './Results';
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

interface LargeExperimentProps {
  readonly record: ExperimentRecord;
  readonly listing: readonly CcaDescriptor[];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  readonly watched: boolean;
}

export function LargeExperiment(props: LargeExperimentProps) {
  const { record } = props;
  return (
    <div className={page['stack']}>
      {record.cells_next === undefined ? (
        <Figures {...props} />
      ) : (
        <Notice
          title={`More than ${plural(record.cells.length, 'cell')} are more than this page draws`}
          actions={
            <a
              className={buttonClass({ size: 'small' })}
              href={exportUrl('experiments', record.id, 'parquet')}
              download
            >
              Results as Parquet
            </a>
          }
        >
          All results are in the files.
        </Notice>
      )}
      <Section title="Runs" note="In the order of the matrix.">
        <Runs record={record} ccas={props.ccas} />
      </Section>
    </div>
  );
}

function Figures({ record, listing, ccas, watched }: LargeExperimentProps) {
  const { data, error } = useQuery(figuresQuery(record.id, goesOn(record.state)));
  const drawn = useMemo(() => (data === undefined ? null : drawnOf(data, listing)), [data, listing]);
  if (drawn !== null) return <Results record={record} figures={drawn} ccas={ccas} watched={watched} />;
  return error === null ? (
    <Loading label="Loading the figures" rows={2} height={400} />
  ) : (
    <ProblemNotice error={error} />
  );
}

function Runs({ record, ccas }: Pick<LargeExperimentProps, 'record' | 'ccas'>) {
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
      {data === undefined ? <Skeleton height={400} /> : <RunTable runs={data.runs} record={record} ccas={ccas} />}
    </>
  );
}

interface RunTableProps extends Pick<LargeExperimentProps, 'record' | 'ccas'> {
  readonly runs: readonly RunRef[];
}

function RunTable({ runs, record, ccas }: RunTableProps) {
  const cells = useMemo(() => new Map(record.cells.map((cell) => [cell.key, cell])), [record.cells]);
  const box = useRef<HTMLDivElement>(null);
  const { from, to, above, below, measure } = useVirtualRows({ count: runs.length, box, height: ROW_HEIGHT });
  return (
    <WideTable ref={box} label="Runs" className={page['tall']}>
      <table className={cx(page['table'], page['pinned'], css['results'])} aria-rowcount={runs.length + 1}>
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
                <td>{cell === undefined ? null : ccaLabel(cell, ccas.get(cell.cca.id) ?? null)}</td>
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
