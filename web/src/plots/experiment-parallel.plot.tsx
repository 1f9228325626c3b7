// Parallel coordinates: every cell as a line through what it came to on all counts, to see which are good at several.
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { bufferLabel } from '#analysis/limits';
import { ccaKey } from '#analysis/results';
import { Figure } from '../charts/Figure';
import { useVisibility } from '../charts/visibility';
import { Button } from '../ui/button';
import { formatPercent, plural } from '../ui/format';
import type { ExperimentPlotData } from './data';
import { ccaSeries, groupOf, markerLegend, tableRows } from './experiment-series';
import { OptionControls } from './OptionControls';
import { isKept, ORDERS, parallelOf, readKept, withKept, writeKept, type Kept, type Parallel } from './parallel-layout';
import { ParallelPicture } from './ParallelPicture';
import controls from './plots.module.css';
import { definePlot, type PlotProps, type Shown } from './registry';
import styles from './parallel.module.css';

const options = z.object({
  order: z
    .enum(ORDERS)
    .default('measured')
    .meta({
      title: 'Axes',
      labels: { measured: 'measured, then scores', scores: 'scores first', alike: 'like beside like' },
    }),
  /** `utilisation:80-100;loss:50-100`, % of the axes from their worse ends. */
  keep: z.string().max(600).default(''),
});
type Options = z.output<typeof options>;

const shownOf = (data: ExperimentPlotData, { order }: Options, hidden: ReadonlySet<string>): Parallel => {
  const all = parallelOf(tableRows(data), order);
  return { axes: all.axes, lines: all.lines.filter(({ row }) => !hidden.has(groupOf(row.cell))) };
};

function table(data: ExperimentPlotData, chosen: Options, { hidden }: Pick<Shown, 'hidden'>) {
  const parallel = shownOf(data, chosen, hidden);
  const kept = readKept(chosen.keep);
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const line of parallel.lines)
      if (isKept(parallel, line, kept))
        yield [
          line.row.cell.trace_name,
          line.row.label,
          bufferLabel(line.row.cell.buffer),
          ...parallel.axes.map((axis) => axis.of(line.row)),
        ];
  }
  return {
    columns: ['trace', 'cca', 'queue_limit', ...parallel.axes.map(({ id }) => id.replaceAll('-', '_'))],
    rows: rows(),
  };
}

/** More lines are a blot, and slow to draw; the CSV has all. */
const MOST_LINES = 240;

function ParallelCells({ data, options: chosen, setOptions, size, theme }: PlotProps<'experiment', Options>) {
  const { visibility, selected, onSelect } = data;
  const { hidden } = useVisibility(visibility);
  const parallel = useMemo(() => shownOf(data, chosen, hidden), [data, chosen, hidden]);
  const series = useMemo(() => ccaSeries(data, theme), [data, theme]);
  const kept = useMemo(() => readKept(chosen.keep), [chosen.keep]);
  const within = parallel.lines.filter((line) => isKept(parallel, line, kept)).length;
  const drawn = { axes: parallel.axes, lines: parallel.lines.slice(0, MOST_LINES) };
  const onKept = (next: Kept): void => setOptions({ keep: writeKept(next) });
  const choose = (key: string): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect([...next]);
  };
  const left = parallel.lines.length - drawn.lines.length;
  return (
    <Figure
      name={`${data.record.id}-parallel`}
      title="Cells on all counts"
      subtitle={`a line per cell, means over repetitions; ${size.width < 640 ? 'right' : 'up'} is better on every axis. ${kept.size === 0 ? 'Drag along an axis to keep a part of it' : `${within} of ${plural(parallel.lines.length, 'cell')} within what is kept`}${left > 0 ? `; ${left} more are in the CSV only` : ''}`}
      legend={markerLegend(series.values())}
      visibility={visibility}
      spoken
      table={() => table(data, chosen, visibility.state)}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      <ParallelPicture
        parallel={drawn}
        seriesOf={({ row }) => series.get(ccaKey(row.cell))}
        kept={kept}
        onKept={onKept}
        selected={selected}
        onChoose={choose}
        highlight={(group) => visibility.highlight(group)}
        emphasis={(group) => visibility.emphasis({ group })}
        width={size.width}
        theme={theme}
      />
      <KeepControls parallel={parallel} kept={kept} onKept={onKept} />
    </Figure>
  );
}

interface KeepControlsProps {
  readonly parallel: Parallel;
  readonly kept: Kept;
  readonly onKept: (kept: Kept) => void;
}

/** The same as a drag along an axis, for the keyboard and for fingers. */
function KeepControls({ parallel: { axes }, kept, onKept }: KeepControlsProps) {
  const [wanted, setWanted] = useState('');
  const axis = axes.find(({ id }) => id === wanted) ?? axes.find(({ id }) => kept.has(id)) ?? axes[0];
  if (axis === undefined) return null;
  const [from, to] = kept.get(axis.id) ?? [0, 100];
  const set = (part: readonly [number, number]): void => onKept(withKept(kept, axis.id, part));
  return (
    <div className={styles['keep']} role="group" aria-label="What of an axis is kept">
      <label className={controls['choice']}>
        <span>Keep of</span>
        <select value={axis.id} onChange={(event) => setWanted(event.target.value)}>
          {axes.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        from
        <input
          type="range"
          min={0}
          max={99}
          value={from}
          aria-valuetext={formatPercent(from / 100)}
          onChange={(event) => set([Math.min(Number(event.target.value), to - 1), to])}
        />
      </label>
      <label>
        to
        <input
          type="range"
          min={1}
          max={100}
          value={to}
          aria-valuetext={formatPercent(to / 100)}
          onChange={(event) => set([from, Math.max(Number(event.target.value), from + 1)])}
        />
      </label>
      <Button size="small" kind="quiet" isDisabled={kept.size === 0} onPress={() => onKept(new Map())}>
        Keep all
      </Button>
    </div>
  );
}

export const plot = definePlot({
  id: 'parallel',
  title: 'Cells on all counts',
  needs: 'experiment',
  order: 31,
  height: 360,
  whenSeen: true,
  options,
  table,
  applies: (data) => parallelOf(tableRows(data), 'measured').lines.length > 1,
  Component: ParallelCells,
});
