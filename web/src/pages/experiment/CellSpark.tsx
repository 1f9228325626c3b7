// One cell at a glance: its algorithm and limit, the rate over the capacity, and the queue as a share of its limit.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, Suspense } from 'react';
import { bufferLabel } from '#analysis/limits';
import { ccaLabel } from '#analysis/cca-label';
import type { RunSpark } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { sparkQuery } from '../../api/sparks';
import { CcaMark } from '../../ui/cca-mark';
import { formatPercent } from '../../ui/format';
import { lazyPart } from '../../ui/lazy-part';
import type { CellTile } from './cell-rows';
import css from './cell-sparks.module.css';

/** It comes beside what it shows. */
const CellPicture = lazyPart(async () => ({ default: (await import('./CellPicture')).CellPicture }));

interface CellSparkProps {
  readonly tile: CellTile;
  readonly cca: CcaDescriptor | undefined;
}

/** `spark`: null, it has no samples; undefined, they are not known yet. */
function withoutPicture(run: CellTile['run'], running: boolean, spark: null | undefined): string {
  if (run?.state === 'failed') return 'failed';
  if (running) return 'running';
  return run?.state === 'done' && spark === null ? 'no samples' : 'waiting';
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
        <CcaMark cca={cca} size={12} />
        <b>{ccaLabel(cell, cca ?? null)}</b>
        <span>{bufferLabel(cell.buffer)}</span>
        {running ? <i title="running" /> : null}
        {spark === undefined || spark === null ? (
          <span className={css['none']}>{withoutPicture(run, running, spark)}</span>
        ) : (
          <Suspense fallback={<span className={css['picture']} />}>
            <CellPicture spark={spark} limit={cell.limit_bytes} cca={cca} />
          </Suspense>
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
