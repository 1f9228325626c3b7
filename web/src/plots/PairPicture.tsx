// A grid of pairs: contenders down, queue limits or those they meet across, and in each cell what the flow beside the contender came to. A cell leads to its run.
import { interpolateLab } from 'd3';
import { useState } from 'react';
import { readableOn } from '#analysis/contrast';
import { harmPlace, type PairCell, type PairGrid, type PairMetric } from '#analysis/pair-matrix';
import { byLimit } from '#analysis/results';
import { shortened } from '../charts/measure';
import { Dot } from '../charts/marks';
import { moveAmongMarks } from '../charts/roving';
import { Tip, type TipContent } from '../charts/Tip';
import { useVisibility } from '../charts/visibility';
import type { Theme } from '../theme/theme';
import { formatMeasured, formatPercent, plural } from '../ui/format';
import { hrefOf } from '../ui/place';
import type { ExperimentPlotData } from './data';
import type { CcaSeries } from './experiment-series';
import styles from './cells.module.css';

export interface PairPictureProps {
  readonly grid: PairGrid;
  readonly title: string;
  readonly metric: PairMetric;
  readonly series: ReadonlyMap<string, CcaSeries>;
  readonly data: Pick<ExperimentPlotData, 'visibility' | 'onRun'>;
  readonly width: number;
  readonly labelWidth: number;
  readonly theme: Theme;
}

const ROW = 30;
const TOP = 46;
const GAP = 2;
/** Less has no room for a number. */
const WRITTEN = 26;
/** Between what one limit says and the next. */
const LIMIT_ROOM = 44;
/** The strongest colour still lets a number be read. */
const DEEPEST = 0.85;

/** From the incumbent's gain over what is fair, which is the surface, to its loss. */
export const pairColour = (place: number, theme: Pick<Theme, 'surface' | 'divergeLow' | 'divergeHigh'>): string =>
  interpolateLab(theme.surface, place < 0 ? theme.divergeLow : theme.divergeHigh)(DEEPEST * Math.abs(place));

const told = (value: number | null): string => (value === null ? 'not measured' : formatPercent(value / 100));

export function PairPicture({ grid, title, metric, series, data, width, labelWidth, theme }: PairPictureProps) {
  const { hidden, highlighted } = useVisibility(data.visibility);
  const [tip, setTip] = useState<TipContent | null>(null);
  const rows = grid.rows.flatMap(({ key, cells }) => {
    const one = series.get(key);
    return one === undefined || hidden.has(one.group) ? [] : [{ one, cells }];
  });
  // As the runs' own order has them; limits from small to large.
  const cells = grid.rows.flatMap((row) => row.cells);
  const ordered = grid.incumbent === 'met' ? cells : [...cells].sort((a, b) => byLimit(a.cell, b.cell));
  const columns = [...new Set(ordered.map(({ column }) => column))];
  const each = (width - labelWidth) / Math.max(1, columns.length);
  const every = Math.ceil(LIMIT_ROOM / each);
  const box = { width: Math.max(1, each - GAP), height: ROW - GAP };
  const leave = (): void => {
    setTip(null);
    data.visibility.highlight(null);
  };
  return (
    <div className={styles['facet']} role="group" aria-label={title}>
      <svg width={width} height={TOP + rows.length * ROW} data-figure-part="">
        <text x={0} y={14} className={styles['title']}>
          {shortened(title, width, `500 13px ${theme.sans}`)}
        </text>
        {columns.map((column, i) =>
          i % every === 0 ? (
            <text key={column} x={labelWidth + (i + 0.5) * each} y={TOP - 8} className={styles['limit']}>
              {shortened(column, each * every - 4, `400 11px ${theme.sans}`)}
            </text>
          ) : null,
        )}
        <g data-marks="" onKeyDown={moveAmongMarks}>
          {rows.map(({ one, cells }, row) => (
            <g key={one.key} opacity={highlighted === null || highlighted === one.group ? 1 : 0.35}>
              <Dot look={one.look} x={8} y={TOP + row * ROW + ROW / 2} radius={4.8} />
              <text x={20} y={TOP + row * ROW + ROW / 2} dy="0.35em" className={styles['name']}>
                <title>{one.label}</title>
                {shortened(one.label, labelWidth - 26, `400 12px ${theme.sans}`)}
              </text>
              {cells.map((pair, i) => {
                const place = columns.indexOf(pair.column);
                const at = { x: labelWidth + place * each + GAP / 2, y: TOP + row * ROW + GAP / 2 };
                const point = (): void => {
                  data.visibility.highlight(one.group);
                  setTip({ x: at.x + box.width, y: at.y + box.height / 2, ...tipOf(one, pair) });
                };
                return (
                  <PairBox
                    key={pair.cell.key}
                    {...{ pair, metric, theme, at, box }}
                    label={`${one.label}, ${pair.column}: ${told(pair.value?.mean ?? null)}`}
                    first={row === 0 && i === 0}
                    onRun={data.onRun}
                    onPoint={point}
                    onLeave={leave}
                  />
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

const tipOf = (
  { label }: CcaSeries,
  { column, value, centre, runs }: PairCell,
): Pick<TipContent, 'title' | 'facts'> => ({
  title: `${label}, ${column}`,
  facts: [
    ['mean', told(value?.mean ?? null)],
    ...(value === null || value.low === null || value.high === null
      ? []
      : [['95 % interval', `${formatMeasured(value.low)} … ${formatMeasured(value.high)} %`] as const]),
    ...(centre === null ? [] : [['no colour at', told(centre)] as const]),
    ['from', plural(runs.length, 'run')],
  ],
});

interface PairBoxProps {
  readonly pair: PairCell;
  readonly metric: PairMetric;
  readonly theme: Theme;
  readonly at: { readonly x: number; readonly y: number };
  readonly box: { readonly width: number; readonly height: number };
  readonly label: string;
  readonly first: boolean;
  readonly onRun: ExperimentPlotData['onRun'];
  readonly onPoint: () => void;
  readonly onLeave: () => void;
}

function PairBox({ pair, metric, theme, at, box, label, first, onRun, onPoint, onLeave }: PairBoxProps) {
  const { value, centre, runs } = pair;
  const fill = value === null || centre === null ? null : pairColour(harmPlace(metric, value.mean, centre), theme);
  const [run] = runs;
  const picture = (
    <>
      <rect {...at} {...box} rx={3} fill={fill ?? 'none'} stroke={theme.hairline} className={styles['pair']} />
      {box.width < WRITTEN ? null : (
        <text
          x={at.x + box.width / 2}
          y={at.y + box.height / 2}
          dy="0.35em"
          textAnchor="middle"
          fontSize={12}
          fill={fill === null ? theme.ink3 : readableOn(fill, theme.ink, theme.surface)}
        >
          {value === null ? '–' : Math.round(value.mean)}
        </text>
      )}
    </>
  );
  if (run === undefined) return picture;
  return (
    <a
      href={hrefOf(`/r/${run}`)}
      aria-label={`${label}; to its run`}
      data-mark=""
      tabIndex={first ? 0 : -1}
      className={styles['pairLink']}
      onClick={(event) => {
        // A key with it asks for another tab: the browser's business.
        if (onRun === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onRun(run);
      }}
      onPointerEnter={onPoint}
      onPointerLeave={onLeave}
      onFocus={onPoint}
      onBlur={onLeave}
    >
      {picture}
    </a>
  );
}
