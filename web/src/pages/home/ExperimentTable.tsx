// The experiments that were made here, the last first: starred, tagged, put away; several at once, too.
import { useRef, useState } from 'react';
import type { ExperimentListItem } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { cx } from '../../ui/cx';
import { Checkbox } from '../../ui/toggle';
import { WideTable } from '../../ui/scroll';
import { RowGap, useVirtualRows } from '../../ui/virtual-rows';
import { BulkBar } from '../organise/BulkBar';
import { ExperimentRow, thingOf } from './ExperimentRow';
import page from '../../ui/page.module.css';
import css from './home.module.css';

const ROW_HEIGHT = 43;
const COLUMNS = 9;

export function ExperimentTable({
  experiments,
  ccas,
}: {
  readonly experiments: readonly ExperimentListItem[];
  readonly ccas: readonly CcaDescriptor[];
}) {
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
              <ExperimentRow
                key={e.id}
                ref={measure}
                place={from + i}
                experiment={e}
                known={known}
                ticked={ticked.has(e.id)}
                onTick={(on) => tick([e.id], on)}
              />
            ))}
            <RowGap height={below} width={COLUMNS} />
          </tbody>
        </table>
      </WideTable>
      <BulkBar things={chosen.map(thingOf)} onClear={() => setTicked(new Set())} />
    </>
  );
}
