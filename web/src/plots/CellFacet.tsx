// One grid of cells: a metric as colour with the value printed, and the state of cells that have no value yet.
import { useState } from 'react';
import { METRICS, type MetricId } from '#analysis/metrics';
import { bufferLabel } from '#analysis/limits';
import type { Cell } from '#protocol/api';
import { readableOn } from '../charts/contrast';
import { shortened, textWidth } from '../charts/measure';
import { moveAmongMarks, onPress } from '../charts/roving';
import { Tip, type TipContent } from '../charts/Tip';
import { useVisibility } from '../charts/visibility';
import type { Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import { cellColour } from './cell-colour';
import type { CcaSeries } from './experiment-series';
import { METRIC_SCALES, placeOn } from './metric-scales';
import { formatMetric, shortMetric } from './metric-text';
import styles from './cells.module.css';

export type CellState = 'queued' | 'running' | 'done' | 'failed';

export interface GridCell {
  readonly cell: Cell;
  readonly state: CellState;
  /** null: nothing measured. */
  readonly value: number | null;
  /** Mean over the part of the trace that ran; null: not known. */
  readonly capacity_mbps: number | null;
  /** Runs that count, and how many were planned. */
  readonly done: number;
  readonly planned: number;
  readonly excluded: number;
  readonly reason: string | null;
}

interface CellFacetProps {
  readonly title: string;
  readonly rows: readonly { readonly series: CcaSeries; readonly cells: readonly GridCell[] }[];
  readonly metric: MetricId;
  readonly data: ExperimentPlotData;
  readonly width: number;
  /** Of it for the names. */
  readonly labelWidth: number;
  readonly theme: Theme;
}

const ROW = 30;
const TOP = 46;
const GAP = 2;
/** The marker before a name, and a little air behind it. */
const LABEL_MARGIN = 26;

const fontOf = (theme: Theme): string => `400 12px ${theme.sans}`;

/** What the names of these algorithms need, in pixels. */
export const labelWidth = (series: readonly CcaSeries[], theme: Theme): number =>
  Math.max(40, ...series.map(({ label }) => textWidth(label, fontOf(theme)))) + LABEL_MARGIN;

export function CellFacet({ title, rows, metric, data, width, labelWidth: room, theme }: CellFacetProps) {
  const { selected, onSelect, visibility } = data;
  const { hidden, highlighted } = useVisibility(visibility);
  const [tip, setTip] = useState<TipContent | null>(null);
  const shown = rows.filter(({ series }) => !hidden.has(series.group));
  const limits = [
    ...new Map(rows.flatMap(({ cells }) => cells.map(({ cell }) => [bufferLabel(cell.buffer), cell] as const))).keys(),
  ];
  const cellWidth = (width - room) / Math.max(1, limits.length);
  const height = TOP + shown.length * ROW;
  const choose = (key: string): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect([...next]);
  };
  const leave = (): void => {
    visibility.highlight(null);
    setTip(null);
  };
  return (
    <div className={styles['facet']}>
      <svg
        width={width}
        height={height}
        data-figure-part=""
        role="group"
        aria-label={`${title}: ${METRICS[metric].label} per algorithm and queue limit`}
      >
        <text x={0} y={14} className={styles['title']}>
          {title}
        </text>
        {limits.map((limit, column) => (
          <text key={limit} x={room + (column + 0.5) * cellWidth} y={TOP - 8} className={styles['limit']}>
            {limit}
          </text>
        ))}
        <g onKeyDown={moveAmongMarks}>
          {shown.map(({ series, cells }, row) => (
            <g key={series.key} opacity={highlighted === null || highlighted === series.group ? 1 : 0.35}>
              <path
                d={series.look.path(4.8)}
                transform={`translate(8,${TOP + row * ROW + ROW / 2})`}
                fill={series.look.hollow ? 'none' : series.look.colour}
                stroke={series.look.colour}
                strokeWidth={series.look.hollow ? 1.6 : 0}
              />
              <text x={20} y={TOP + row * ROW + ROW / 2} dy="0.35em" className={styles['name']}>
                <title>{series.label}</title>
                {shortened(series.label, room - LABEL_MARGIN, fontOf(theme))}
              </text>
              {cells.map((cell) => {
                const column = limits.indexOf(bufferLabel(cell.cell.buffer));
                const x = room + column * cellWidth;
                const y = TOP + row * ROW;
                const { key } = cell.cell;
                const point = (): void => {
                  visibility.highlight(series.group);
                  setTip(tipOf(series, cell, metric, x + cellWidth, y + ROW / 2));
                };
                return (
                  <g
                    key={key}
                    data-mark=""
                    role="button"
                    tabIndex={row === 0 && column === 0 ? 0 : -1}
                    aria-pressed={selected.has(key)}
                    aria-label={spoken(series, cell, metric)}
                    className={styles['cell']}
                    data-selected={selected.has(key)}
                    transform={`translate(${x + GAP / 2},${y + GAP / 2})`}
                    onClick={() => choose(key)}
                    onKeyDown={onPress(() => choose(key))}
                    onPointerEnter={point}
                    onPointerLeave={leave}
                    onFocus={point}
                    onBlur={leave}
                  >
                    <Content cell={cell} metric={metric} width={cellWidth - GAP} theme={theme} />
                  </g>
                );
              })}
            </g>
          ))}
        </g>
      </svg>
      <Tip content={tip} width={width} />
    </div>
  );
}

function Content({
  cell,
  metric,
  width,
  theme,
}: {
  readonly cell: GridCell;
  readonly metric: MetricId;
  readonly width: number;
  readonly theme: Theme;
}) {
  const height = ROW - GAP;
  const { value, state, done, planned } = cell;
  if (value === null)
    return (
      <>
        <rect width={width} height={height} rx={3} className={styles['empty']} data-state={state} />
        <text x={width / 2} y={height / 2} dy="0.35em" className={styles['state']} data-state={state}>
          {state === 'running' ? 'running' : state === 'failed' ? 'failed' : '·'}
        </text>
      </>
    );
  const place = placeOn(METRIC_SCALES[metric], value, {
    base_rtt_ms: cell.cell.base_rtt_ms,
    capacity_mbps: cell.capacity_mbps,
  });
  const fill = place === null ? theme.surface : cellColour(metric, place, theme);
  return (
    <>
      <rect width={width} height={height} rx={3} fill={fill} />
      <text
        x={width / 2}
        y={height / 2}
        dy="0.35em"
        className={styles['value']}
        fill={readableOn(fill, theme.ink, theme.surface)}
      >
        {shortMetric(metric, value)}
      </text>
      {done < planned && (
        <rect y={height - 3} width={(width * done) / planned} height={3} rx={1.5} className={styles['progress']} />
      )}
    </>
  );
}

const STATES: Readonly<Record<CellState, string>> = {
  queued: 'queued',
  running: 'running',
  done: 'done',
  failed: 'failed',
};

function tipOf(
  series: CcaSeries,
  { cell, state, value, done, planned, excluded, reason }: GridCell,
  metric: MetricId,
  x: number,
  y: number,
): TipContent {
  return {
    x,
    y,
    title: `${series.label}, ${bufferLabel(cell.buffer)}`,
    facts: [
      ['state', STATES[state]],
      ...(value === null ? [] : [[METRICS[metric].label, formatMetric(metric, value)] as const]),
      ['repetitions', `${done} of ${planned}`],
      ...(excluded === 0 ? [] : [['left out', `${excluded}${reason === null ? '' : `: ${reason}`}`] as const]),
    ],
  };
}

const spoken = (series: CcaSeries, { cell, state, value, done, planned }: GridCell, metric: MetricId): string =>
  `${series.label}, ${bufferLabel(cell.buffer)}: ${value === null ? STATES[state] : `${METRICS[metric].label} ${formatMetric(metric, value)}`}, ${done} of ${planned} repetitions`;
