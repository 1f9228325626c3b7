// Figures of several traces beside one another: what is written, and which trace has the best and the worst of each.
import type { TraceRecord } from '#protocol/api';
import type { TraceDynamics } from '#protocol/trace';
import type { WrittenTable } from '../../charts/save-table';
import { columnFormat, NO_VALUE, UNIT_SPACE } from '../../ui/format';

export interface ComparedFigures {
  readonly trace: TraceRecord;
  readonly dynamics: TraceDynamics | null;
}

export interface ComparisonColumn {
  readonly title: string;
  readonly unit: string;
  readonly value: (of: ComparedFigures) => number | null;
  /** What a sender would rather have; absent: neither. */
  readonly better?: 'more' | 'less';
}

export const COMPARISON: readonly ComparisonColumn[] = [
  { title: 'Mean', unit: 'Mbps', better: 'more', value: ({ trace }) => trace.info.mean_mbps },
  { title: `± over 1${UNIT_SPACE}s`, unit: 'Mbps', better: 'less', value: ({ trace }) => trace.info.std_1s_mbps },
  { title: `± over 10${UNIT_SPACE}ms`, unit: 'Mbps', better: 'less', value: ({ trace }) => trace.info.std_10ms_mbps },
  { title: `5${UNIT_SPACE}% of seconds`, unit: 'Mbps', better: 'more', value: ({ trace }) => trace.info.p5_1s_mbps },
  { title: `Peak 1${UNIT_SPACE}s`, unit: 'Mbps', better: 'more', value: ({ trace }) => trace.info.peak_1s_mbps },
  { title: 'Coherence time', unit: 's', better: 'more', value: ({ dynamics }) => dynamics?.coherence_s ?? null },
  {
    title: 'Memory',
    unit: 's',
    better: 'more',
    value: ({ dynamics }) => dynamics?.memory[1]?.below_1e_s ?? null,
  },
  {
    title: `Under 5${UNIT_SPACE}Mbps`,
    unit: '% of time',
    better: 'less',
    value: ({ dynamics }) => (dynamics === null ? null : 100 * (dynamics.outages[1]?.share ?? 0)),
  },
  {
    title: 'Longest outage',
    unit: 's',
    better: 'less',
    value: ({ dynamics }) => (dynamics === null ? null : (dynamics.outages[1]?.longest_ms ?? 0) / 1000),
  },
  { title: 'Longest gap', unit: 'ms', better: 'less', value: ({ trace }) => trace.info.longest_gap_ms },
  {
    title: 'Median fall',
    unit: 'Mbps/s',
    better: 'less',
    value: ({ dynamics }) => (dynamics === null ? null : (dynamics.falls.median_mbps_per_s ?? 0)),
  },
  {
    title: `Largest fall in 3${UNIT_SPACE}s`,
    unit: 'Mbps',
    better: 'less',
    value: ({ dynamics }) => dynamics?.falls.largest_3s_mbps ?? null,
  },
  { title: 'Length', unit: 's', value: ({ trace }) => trace.info.period_ms / 1000 },
];

export interface ComparedCell {
  readonly text: string;
  readonly rank: 'best' | 'worst' | null;
}

/** A column's cells. Best and worst are by what is written: what reads the same is the same; when all are, nobody is either. */
export function comparedCells(column: ComparisonColumn, rows: readonly ComparedFigures[]): ComparedCell[] {
  const values = rows.map(column.value);
  const known = values.filter((value) => value !== null);
  const { write } = columnFormat(known, 'number');
  const texts = values.map((value) => (value === null ? NO_VALUE : write(value)));
  const sign = column.better === 'less' ? -1 : 1;
  const extreme = (direction: number): string =>
    write(direction * Math.max(...known.map((value) => direction * value)));
  const [best, worst] = known.length < 2 ? [] : [extreme(sign), extreme(-sign)];
  return texts.map((text, i) => ({
    text,
    rank:
      column.better === undefined || values[i] === null || best === worst
        ? null
        : text === best
          ? 'best'
          : text === worst
            ? 'worst'
            : null,
  }));
}

/** All of it, for LaTeX; best and worst are left to who writes about it. */
export function comparisonTable(rows: readonly ComparedFigures[]): WrittenTable {
  const cells = COMPARISON.map((column) => comparedCells(column, rows));
  return {
    columns: ['Trace', ...COMPARISON.map(({ title, unit }) => `${title}, ${unit}`)],
    rows: rows.map(({ trace }, i) => [trace.name, ...cells.map((column) => column[i]?.text ?? NO_VALUE)]),
  };
}
