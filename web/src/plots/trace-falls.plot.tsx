// How fast capacity falls: every fall from four fifths to one fifth of its level by how long it takes and how much it takes away. Up and
// to the left is where a sender has least time.
import { line as d3line, scaleLinear, scaleLog } from 'd3';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import { markerPath } from '#analysis/markers';
import { tickFormat } from '../charts/scales';
import { SvgAxis } from '../charts/SvgAxis';
import { formatDelay, formatMeasured, formatRate, plural, UNIT_SPACE } from '../ui/format';
import type { TracePlotData } from './data';
import { definePlot, type PlotProps } from './registry';
import styles from './trace-charts.module.css';

const options = z.object({});
const TOP = 22;
const BOTTOM = 40;
const SHORTEST_MS = 10;
const LONGEST_MS = 3000;
const DOT = markerPath('circle', 3);
const DIAMOND = markerPath('diamond', 5);

const lostOf = ([, , high, low]: readonly [number, number, number, number]): number => high - low;

export const formatSlope = (slope: number | null): string => `${formatMeasured(slope)}${UNIT_SPACE}Mbps/s`;

function Falls({ data, size, theme }: PlotProps<'trace', z.output<typeof options>>) {
  const { trace, dynamics } = data;
  const falls = dynamics?.falls;
  const at = falls?.at ?? [];
  const width = size.width;
  const left = width < 560 ? 44 : 56;
  const right = width - 16;
  const bottom = size.height - BOTTOM;
  const x = scaleLog([SHORTEST_MS, Math.max(LONGEST_MS, ...at.map(([from, to]) => to - from))], [left, right]);
  const y = scaleLinear([0, Math.max(1, ...at.map(lostOf))], [bottom, TOP]).nice(4);
  const yTicks = y.ticks(4);
  const unit = tickFormat(yTicks, 'Mbps');
  const xTicks = (right - left < 360 ? [10, 100, 1000] : [10, 20, 50, 100, 200, 500, 1000, 2000]).filter(
    (tick) => tick >= SHORTEST_MS && tick <= (x.domain()[1] ?? 0),
  );
  const steepest = at[0];
  const median = falls?.median_mbps_per_s ?? null;
  // Falls of the median slope lie on this line; in steps, because the axis is logarithmic.
  const usual = d3line<number>(
    (ms) => x(ms),
    (ms) => y(((median ?? 0) * ms) / 1000),
  )(
    Array.from({ length: 200 }, (_, i) => SHORTEST_MS * ((x.domain()[1] ?? 1) / SHORTEST_MS) ** (i / 199)).filter(
      (ms) => ((median ?? 0) * ms) / 1000 <= (y.domain()[1] ?? 0),
    ),
  );
  const none = falls?.count === 0;
  return (
    <Figure
      name={`${trace.name}-falls`}
      title="Falls of capacity"
      subtitle={
        falls === undefined
          ? ''
          : none
            ? `largest fall within 3 s: ${formatRate(falls.largest_3s_mbps)}`
            : `from 80 to 20 % of the highest 100 ms in the 3 s before: ${plural(falls.count, 'time')}, median ${formatSlope(falls.median_mbps_per_s)}, steepest ${formatSlope(falls.steepest_mbps_per_s)}; largest fall within 3 s: ${formatRate(falls.largest_3s_mbps)}`
      }
      legend={
        steepest === undefined
          ? []
          : [
              { key: 'each', label: 'each fall', colour: theme.ink3, glyph: 'marker', marker: DOT, fixed: true },
              { key: 'steepest', label: 'steepest', colour: theme.ink, glyph: 'marker', marker: DIAMOND, fixed: true },
              { key: 'median', label: 'median slope', colour: theme.ink, dash: [6, 3], fixed: true },
            ]
      }
      table={() => tableOf(data)}
    >
      {falls === undefined || none ? (
        <p className={styles['nothing']} style={{ height: none ? 64 : size.height }}>
          {none ? 'None: capacity never falls to a fifth of its level within three seconds.' : 'Computing …'}
        </p>
      ) : (
        <svg
          width={width}
          height={size.height}
          data-figure-part=""
          className={styles['svg']}
          role="img"
          aria-label={`${plural(falls.count, 'fall')} of capacity, median ${formatSlope(falls.median_mbps_per_s)}, steepest ${formatSlope(falls.steepest_mbps_per_s)}`}
        >
          <g className={styles['grid']}>
            {yTicks.map((tick) => (
              <path key={tick} d={`M${left},${Math.round(y(tick)) + 0.5}H${right}`} />
            ))}
          </g>
          {usual === null ? null : <path d={usual} className={styles['median']} />}
          {at.map((fall) => (
            <path
              key={fall[0]}
              d={fall === steepest ? DIAMOND : DOT}
              className={styles[fall === steepest ? 'steepest' : 'fall']}
              transform={`translate(${x(fall[1] - fall[0])},${y(lostOf(fall))})`}
            >
              <title>{`at ${formatDelay(fall[0])}: from ${formatRate(fall[2])} to ${formatRate(fall[3])} within ${formatDelay(fall[1] - fall[0])}`}</title>
            </path>
          ))}
          <SvgAxis side="bottom" scale={x} ticks={xTicks} format={(ms) => String(ms)} at={bottom} />
          <SvgAxis side="left" scale={y} ticks={yTicks} format={unit.format} at={left} />
          <text x={left - 6} y={10} className={styles['unit']}>
            {`lost, ${unit.unit}`}
          </text>
          <text x={right} y={size.height - 5} textAnchor="end" className={styles['unit']}>
            within, ms
          </text>
        </svg>
      )}
    </Figure>
  );
}

const tableOf = ({ dynamics }: TracePlotData) => ({
  columns: ['from_s', 'to_s', 'from_mbps', 'to_mbps', 'mbps_per_s'],
  rows: (dynamics?.falls.at ?? []).map(([from, to, high, low]) => [
    from / 1000,
    to / 1000,
    high,
    low,
    ((high - low) * 1000) / (to - from),
  ]),
});

export const plot = definePlot({
  id: 'falls',
  title: 'Falls of capacity',
  needs: 'trace',
  order: 50,
  height: 220,
  options,
  table: (data) => tableOf(data),
  Component: Falls,
});
