// One cell at a glance: its algorithm and limit, the rate over the capacity, and the queue as a share of its limit.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useMemo, type ReactNode } from 'react';
import { bufferLabel } from '#analysis/limits';
import { ccaLabel } from '#analysis/results';
import type { RunSpark } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { sparkQuery } from '../../api/sparks';
import { identity, UNKNOWN_IDENTITY } from '../../charts/identity';
import { sparkArea, sparkLine, sparkTop } from '../../charts/spark-paths';
import { useTheme } from '../../theme/theme';
import { CcaMark } from '../../ui/cca-mark';
import { formatPercent } from '../../ui/format';
import type { CellTile } from './cell-rows';
import css from './cell-sparks.module.css';

const WIDTH = 120;
const RATE = 30;
const QUEUE = 14;

interface CellSparkProps {
  readonly tile: CellTile;
  readonly cca: CcaDescriptor | undefined;
}

export const CellSpark = memo(
  function CellSpark({ tile: { cell, run, running }, cca }: CellSparkProps) {
    const { data: spark } = useQuery({
      ...sparkQuery(run ?? { id: '', state: 'queued' }),
      enabled: run !== null,
      placeholderData: keepPreviousData,
    });
    const name = `${ccaLabel(cell, cca ?? null)} · ${bufferLabel(cell.buffer)}`;
    const content = (
      <>
        <span className={css['name']}>
          <CcaMark cca={cca} size={12} />
          <b>{ccaLabel(cell, cca ?? null)}</b>
          <span>{bufferLabel(cell.buffer)}</span>
          {running ? <i title="running" /> : null}
        </span>
        {spark === undefined || spark === null ? (
          <span className={css['none']}>{run?.state === 'failed' ? 'failed' : running ? 'running' : 'waiting'}</span>
        ) : (
          <Picture spark={spark} limit={cell.limit_bytes} cca={cca} />
        )}
      </>
    );
    return (
      <li>
        {run === null ? (
          <div className={css['tile']}>{content}</div>
        ) : (
          <Link
            to="/r/$id"
            params={{ id: run.id }}
            className={css['tile']}
            aria-label={name}
            title={`${name}${shareText(spark)}`}
          >
            {content}
          </Link>
        )}
      </li>
    );
  },
  (a, b) =>
    a.cca === b.cca &&
    a.tile.cell.key === b.tile.cell.key &&
    a.tile.run?.id === b.tile.run?.id &&
    a.tile.run?.state === b.tile.run?.state &&
    a.tile.running === b.tile.running,
);

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);

function shareText(spark: RunSpark | null | undefined): string {
  const capacity = sum(spark?.capacity_mbps ?? []);
  return capacity > 0 ? `: about ${formatPercent(sum(spark?.delivered_mbps ?? []) / capacity)} of the capacity` : '';
}

interface PictureProps {
  readonly spark: RunSpark;
  readonly limit: number | null;
  readonly cca: CcaDescriptor | undefined;
}

function Picture({ spark, limit, cca }: PictureProps): ReactNode {
  const { colour } = identity(cca ?? UNKNOWN_IDENTITY, useTheme());
  const paths = useMemo(() => {
    const { capacity_mbps: capacity, delivered_mbps: delivered, queue_bytes: queue } = spark;
    // A little air above: a line at the top would be cut in half.
    const rate = { width: WIDTH, height: RATE, top: 1.05 * Math.max(sparkTop(capacity), sparkTop(delivered)) };
    return {
      capacity: sparkArea(capacity, rate),
      delivered: sparkLine(delivered, rate),
      // A queue without a limit is as high as it became.
      queue: sparkArea(queue, { width: WIDTH, height: QUEUE, top: limit ?? sparkTop(queue) }),
    };
  }, [spark, limit]);
  return (
    <svg
      className={css['picture']}
      viewBox={`0 0 ${WIDTH} ${RATE + QUEUE + 4}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={paths.capacity} fill="var(--capacity)" />
      <path d={paths.delivered} fill="none" stroke={colour} strokeWidth={1.3} vectorEffect="non-scaling-stroke" />
      <g transform={`translate(0,${RATE + 4})`}>
        <path d={paths.queue} fill="var(--ink-3)" opacity={0.45} />
        <path d={`M0,${QUEUE}H${WIDTH}`} stroke="var(--hairline-strong)" vectorEffect="non-scaling-stroke" />
      </g>
    </svg>
  );
}
