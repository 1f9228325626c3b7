// One grid of cells: a metric as colour with the value printed, and the state of cells that have no value yet.
import { useState } from 'react';
import { METRICS, type MetricId } from '#analysis/metrics';
import type { CellState, GridCell } from '#analysis/grid-cell';
import { bufferLabel } from '#analysis/limits';
import { shortened, textWidth } from '../charts/measure';
import { usePainted } from '../charts/painted';
import { moveAmongMarks, onPress } from '../charts/roving';
import { Tip, type TipContent } from '../charts/Tip';
import { useVisibility } from '../charts/visibility';
import type { Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import { cellColour } from '#analysis/cell-colour';
import { drawCells, FAINT, type CellGrid, type DrawnCell } from './draw-cells';
import type { CcaSeries } from './experiment-series';
import { METRIC_SCALES, placeOn } from '#analysis/metric-scales';
import { formatMetric, shortMetric } from '#analysis/metric-text';
import styles from './cells.module.css';

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
/** Between one limit and the next. */
const LABEL_AIR = 6;
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
  const font = fontOf(theme);
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => textWidth(text, font)));
  /** Of narrow columns some say their limit, and the values are told by those that are pointed at. */
  const every = Math.ceil((widest(limits) + LABEL_AIR) / cellWidth);
  const written =
    cellWidth - GAP >=
    widest(
      rows.flatMap(({ cells }) => cells.flatMap(({ value }) => (value === null ? [] : shortMetric(metric, value)))),
    );
  const boxWidth = Math.max(1, cellWidth - GAP);
  const isFaint = ({ group }: CcaSeries): boolean => highlighted !== null && highlighted !== group;
  const place = (cell: GridCell, row: number): { x: number; y: number } => ({
    x: room + limits.indexOf(bufferLabel(cell.cell.buffer)) * cellWidth + GAP / 2,
    y: TOP + row * ROW + GAP / 2,
  });
  const grid: CellGrid = {
    cells: shown.flatMap(({ series, cells }, row) =>
      cells.map((cell) => ({
        ...place(cell, row),
        state: cell.state,
        value: paintedValue(cell, metric, theme),
        done: cell.planned === 0 ? 1 : cell.done / cell.planned,
        faint: isFaint(series),
      })),
    ),
    cellWidth: boxWidth,
    cellHeight: ROW - GAP,
    written,
    theme,
  };
  const { canvas, svg } = usePainted((on) => drawCells(on, grid), { width, height });
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
    <div
      className={styles['facet']}
      role="group"
      aria-label={`${title}: ${METRICS[metric].label} per algorithm and queue limit`}
    >
      <canvas ref={canvas} className={styles['painted']} style={{ width, height }} />
      <svg ref={svg} width={width} height={height} data-figure-part="">
        <text x={0} y={14} className={styles['title']}>
          {title}
        </text>
        {limits.map((limit, column) =>
          column % every === 0 ? (
            <text key={limit} x={room + (column + 0.5) * cellWidth} y={TOP - 8} className={styles['limit']}>
              {limit}
            </text>
          ) : null,
        )}
        <g data-marks="" onKeyDown={moveAmongMarks}>
          {shown.map(({ series, cells }, row) => (
            <CellRow
              key={series.key}
              series={series}
              cells={cells}
              row={row}
              metric={metric}
              faint={isFaint(series)}
              selected={selected}
              nameWidth={room - LABEL_MARGIN}
              cellWidth={boxWidth}
              font={font}
              place={place}
              onChoose={choose}
              onPoint={(tip) => {
                visibility.highlight(series.group);
                setTip(tip);
              }}
              onLeave={leave}
            />
          ))}
        </g>
      </svg>
      <Tip content={tip} width={width} />
    </div>
  );
}

interface CellRowProps {
  readonly series: CcaSeries;
  readonly cells: readonly GridCell[];
  readonly row: number;
  readonly metric: MetricId;
  readonly faint: boolean;
  readonly selected: ReadonlySet<string>;
  readonly nameWidth: number;
  readonly cellWidth: number;
  readonly font: string;
  readonly place: (cell: GridCell, row: number) => { x: number; y: number };
  readonly onChoose: (key: string) => void;
  readonly onPoint: (tip: TipContent) => void;
  readonly onLeave: () => void;
}

/** An algorithm's name, and what is pressed over its painted cells. */
function CellRow(props: CellRowProps) {
  const { series, cells, row, metric, faint, selected, nameWidth, cellWidth, font, place } = props;
  const { onChoose, onPoint, onLeave } = props;
  return (
    <g opacity={faint ? FAINT : 1}>
      <path
        d={series.look.path(4.8)}
        transform={`translate(8,${TOP + row * ROW + ROW / 2})`}
        fill={series.look.hollow ? 'none' : series.look.colour}
        stroke={series.look.colour}
        strokeWidth={series.look.hollow ? 1.6 : 0}
      />
      <text x={20} y={TOP + row * ROW + ROW / 2} dy="0.35em" className={styles['name']}>
        <title>{series.label}</title>
        {shortened(series.label, nameWidth, font)}
      </text>
      {cells.map((cell, column) => {
        const at = place(cell, row);
        const { key } = cell.cell;
        const point = (): void =>
          onPoint(tipOf(series, cell, metric, at.x + cellWidth + GAP / 2, at.y + (ROW - GAP) / 2));
        return (
          <rect
            key={key}
            {...at}
            width={cellWidth}
            height={ROW - GAP}
            rx={3}
            className={styles['cell']}
            data-mark=""
            data-export={selected.has(key) ? undefined : 'none'}
            role="button"
            tabIndex={row === 0 && column === 0 ? 0 : -1}
            aria-pressed={selected.has(key)}
            aria-label={spoken(series, cell, metric)}
            onClick={() => onChoose(key)}
            onKeyDown={onPress(() => onChoose(key))}
            onPointerEnter={point}
            onPointerLeave={onLeave}
            onFocus={point}
            onBlur={onLeave}
          />
        );
      })}
    </g>
  );
}

/** What a cell shows; null: nothing measured. */
function paintedValue({ cell, value, capacity_mbps }: GridCell, metric: MetricId, theme: Theme): DrawnCell['value'] {
  if (value === null) return null;
  const place = placeOn(METRIC_SCALES[metric], value, { base_rtt_ms: cell.base_rtt_ms, capacity_mbps });
  return {
    fill: place === null ? theme.surface : cellColour(metric, place, theme),
    text: shortMetric(metric, value),
  };
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
