// The cells that were pressed in any figure or in the table, with their runs. It stays in sight while the page scrolls.
import { Link } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type { RunRef } from '#protocol/api';
import { groupBy } from '#analysis/results';
import type { TableRow } from '#analysis/table';
import { Button, buttonClass } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { plural } from '../../ui/format';
import { useVirtualRows } from '../../ui/virtual-rows';
import { CcaLink } from '../ccas/CcaLink';
import { RunList } from './RunList';
import { selectionParts } from './selection-parts';
import css from './experiment.module.css';

const PART_HEIGHT = 40;

interface SelectionProps {
  readonly rows: readonly TableRow[];
  readonly runs: readonly RunRef[];
  readonly durationS: number;
  readonly selected: ReadonlySet<string>;
  readonly onClear: () => void;
}

export function Selection({ rows, runs, durationS, selected, onClear }: SelectionProps) {
  const byCell = useMemo(() => groupBy(runs, (run) => run.cell), [runs]);
  const chosen = useMemo(() => rows.filter((row) => selected.has(row.key)), [rows, selected]);
  const parts = useMemo(() => selectionParts(chosen, byCell), [chosen, byCell]);
  const box = useRef<HTMLElement>(null);
  const { from, to, above, below, measure } = useVirtualRows({
    count: parts.length,
    box,
    height: PART_HEIGHT,
    overscan: 4,
  });
  if (chosen.length === 0) return null;
  const first = chosen.flatMap(
    ({ key }) => byCell.get(key)?.find(({ role, state }) => role === 'solo' && state !== 'queued') ?? [],
  );
  return (
    <section ref={box} className={css['selection']} aria-label="Selected cells">
      <div className={css['selectionHead']}>
        <h2>{plural(chosen.length, 'cell')} selected</h2>
        {first.length < 2 ? null : (
          <Link
            to="/compare"
            search={{ runs: first.map(({ id }) => id).join(',') }}
            className={buttonClass({ size: 'small' })}
          >
            Compare
          </Link>
        )}
        <Button size="small" kind="quiet" icon="close" onPress={onClear}>
          Clear
        </Button>
      </div>
      <ul style={{ paddingTop: above, paddingBottom: below }}>
        {parts.slice(from, to).map(({ row, first: start, runs: some }, i) => (
          <li
            key={`${row.key} ${start}`}
            ref={measure}
            data-index={from + i}
            {...(measure === null ? {} : { 'aria-setsize': parts.length, 'aria-posinset': from + i + 1 })}
          >
            <span className={css['name']}>
              <CcaMark cca={row.cca ?? undefined} />
              <span>
                <CcaLink cca={row.cca ?? undefined} params={row.cell.cca.params}>
                  {row.label}
                </CcaLink>{' '}
                · {row.limit} · {row.cell.trace_name}
                {start === 0 ? null : <small>, further runs</small>}
              </span>
            </span>
            <RunList runs={some} durationS={durationS} />
          </li>
        ))}
      </ul>
    </section>
  );
}
