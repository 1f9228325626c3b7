// The cells that were pressed in any figure or in the table, with their runs. It stays in sight while the page scrolls.
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { RunRef } from '#protocol/api';
import { groupBy } from '#analysis/results';
import type { TableRow } from '#analysis/table';
import { Button, buttonClass } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { plural } from '../../ui/format';
import { RunList } from './RunList';
import css from './experiment.module.css';

interface SelectionProps {
  readonly rows: readonly TableRow[];
  readonly runs: readonly RunRef[];
  readonly durationS: number;
  readonly selected: ReadonlySet<string>;
  readonly onClear: () => void;
}

export function Selection({ rows, runs, durationS, selected, onClear }: SelectionProps) {
  const byCell = useMemo(() => groupBy(runs, (run) => run.cell), [runs]);
  const chosen = rows.filter((row) => selected.has(row.key));
  if (chosen.length === 0) return null;
  const first = chosen.flatMap(
    ({ key }) => byCell.get(key)?.find(({ role, state }) => role === 'solo' && state !== 'queued') ?? [],
  );
  return (
    <section className={css['selection']} aria-label="Selected cells">
      <div className={css['selectionHead']}>
        <h2>{plural(chosen.length, 'cell')} selected</h2>
        {first.length < 2 ? null : (
          <Link
            to="/overlay"
            search={{ runs: first.map(({ id }) => id).join(',') }}
            className={buttonClass({ size: 'small' })}
          >
            Lay over one another
          </Link>
        )}
        <Button size="small" kind="quiet" icon="close" onPress={onClear}>
          Clear
        </Button>
      </div>
      <ul>
        {chosen.map((row) => (
          <li key={row.key}>
            <span className={css['name']}>
              <CcaMark cca={row.cca ?? undefined} />
              <span>
                {row.label} · {row.limit} · {row.cell.trace_name}
              </span>
            </span>
            <RunList runs={byCell.get(row.key) ?? []} durationS={durationS} />
          </li>
        ))}
      </ul>
    </section>
  );
}
