// How fast capacity falls: every fall from four fifths to one fifth of its level, laid over one another at its beginning.
import { scaleLinear } from 'd3';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import { tickFormat } from '../charts/scales';
import { SvgAxis } from '../charts/SvgAxis';
import { formatDelay, formatMeasured, formatRate, plural, UNIT_SPACE } from '../ui/format';
import type { TracePlotData } from './data';
import { definePlot, type PlotProps } from './registry';
import styles from './trace-charts.module.css';

const options = z.object({});
const TOP = 22;
const BOTTOM = 40;

export const formatSlope = (slope: number | null): string => `${formatMeasured(slope)}${UNIT_SPACE}Mbps/s`;

function Falls({ data, size, theme }: PlotProps<'trace', z.output<typeof options>>) {
  const { trace, dynamics } = data;
  const falls = dynamics?.falls;
  const at = falls?.at ?? [];
  const width = size.width;
  const left = width < 560 ? 44 : 56;
  const right = width - 16;
  const bottom = size.height - BOTTOM;
  const x = scaleLinear([0, Math.max(100, ...at.map(([from, to]) => to - from))], [left, right]).nice(5);
  const y = scaleLinear([0, Math.max(1, ...at.map(([, , high]) => high))], [bottom, TOP]).nice(4);
  const yTicks = y.ticks(4);
  const unit = tickFormat(yTicks, 'Mbps');
  const xTicks = x.ticks(Math.max(3, (right - left) / 90));
  const path = ([from, to, high, low]: (typeof at)[number]): string => `M${x(0)},${y(high)}L${x(to - from)},${y(low)}`;
  const [steepest, median] = [at[0], at.length < 3 ? undefined : at[Math.floor(at.length / 2)]];
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
              { key: 'each', label: 'each fall', colour: theme.ink3, fixed: true },
              { key: 'steepest', label: 'steepest', colour: theme.ink, fixed: true },
              ...(median === undefined
                ? []
                : [{ key: 'median', label: 'median', colour: theme.ink, dash: [6, 3], fixed: true }]),
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
          {at.map((fall) => (
            <path key={fall[0]} d={path(fall)} className={styles['fall']}>
              <title>{`at ${formatDelay(fall[0])}: from ${formatRate(fall[2])} to ${formatRate(fall[3])} within ${formatDelay(fall[1] - fall[0])}`}</title>
            </path>
          ))}
          {median === undefined ? null : <path d={path(median)} className={styles['median']} />}
          {steepest === undefined ? null : <path d={path(steepest)} className={styles['steepest']} />}
          <SvgAxis side="bottom" scale={x} ticks={xTicks} format={(ms) => String(ms)} at={bottom} />
          <SvgAxis side="left" scale={y} ticks={yTicks} format={unit.format} at={left} />
          <text x={left - 6} y={10} textAnchor="end" className={styles['unit']}>
            {unit.unit}
          </text>
          <text x={right} y={size.height - 5} textAnchor="end" className={styles['unit']}>
            since the fall began, ms
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
