// The distributions of several traces' capacity over one another: the further right, the more.
import { useMemo, useState } from 'react';
import { scaleLinear, scaleLog } from 'd3';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import { tickFormat } from '../charts/scales';
import { SvgAxis } from '../charts/SvgAxis';
import { useVisibility } from '../charts/visibility';
import { formatPercent, formatRate } from '../ui/format';
import { scaleOf, traceLegend, traceSeries, useCapacities } from './comparison';
import type { ComparedTrace } from './data';
import { shareBelow, sortedRates } from './distribution';
import { oneTwoFive } from '#analysis/frontier-layout';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps } from './registry';
import plots from './plots.module.css';
import styles from './trace-charts.module.css';

const options = z.object({
  scale: z
    .enum(['auto', 'linear', 'log'])
    .default('auto')
    .meta({ title: 'Scale', labels: { auto: 'as fits' } }),
});
type Options = z.output<typeof options>;

const TOP = 14;
const BOTTOM = 40;
const MOST_BINS = 4000;
const FINEST_MS = 100;
const QUARTERS = [0.25, 0.5, 0.75];

const binsOf = ({ trace }: ComparedTrace): number =>
  Math.min(MOST_BINS, Math.max(1, Math.round(trace.info.period_ms / FINEST_MS)));

function Distribution({ data, options: chosen, setOptions, size, theme }: PlotProps<'comparison', Options>) {
  const { visibility } = data;
  const state = useVisibility(visibility);
  const { values, error } = useCapacities(data.traces, 'all', binsOf);
  const series = useMemo(() => traceSeries(data, theme), [data, theme]);
  const curves = useMemo(
    () =>
      series.flatMap((one, i) => {
        const value = values[i];
        return value === null || value === undefined ? [] : [{ ...one, sorted: sortedRates(value.mean) }];
      }),
    [series, values],
  );
  const [at, setAt] = useState<number | null>(null);
  const shown = curves.filter(({ id }) => !state.hidden.has(id));
  const left = size.width < 560 ? 40 : 56;
  const right = size.width - 16;
  const bottom = size.height - BOTTOM;
  const top = Math.max(1, ...shown.map(({ sorted }) => sorted.at(-1) ?? 0));
  const least = Math.min(...shown.map(({ sorted }) => sorted.find((rate) => rate > 0) ?? top), top / 10);
  const log = scaleOf(chosen.scale, shown) === 'log';
  const x = log
    ? scaleLog([Math.max(least, top / 1e4), top * 1.05], [left, right]).clamp(true)
    : scaleLinear([0, top], [left, right]).nice();
  const [from = 0, to = 1] = x.domain();
  const y = scaleLinear([0, 1], [bottom, TOP]);
  const ticks = log ? oneTwoFive(from, to, right - left) : x.ticks(Math.max(3, (right - left) / 90));
  const unit = tickFormat(ticks, 'Mbps');
  return (
    <Figure
      name="distribution-compared"
      title="Distribution of capacity"
      subtitle="share of time at or below a rate, of means over 100 ms or the 4000th part of the trace; marks: a quarter, half and three quarters of the time"
      legend={traceLegend(series, true)}
      visibility={visibility}
      table={() => ({
        columns: ['trace', 'capacity_mbps', 'share_of_time_at_or_below'],
        rows: shown.flatMap(({ label, sorted }) =>
          [...sorted].map((rate, i, all) => [label, rate, (i + 1) / all.length]),
        ),
      })}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      {curves.length === 0 ? (
        <p className={plots['waiting']} style={{ height: size.height }}>
          {error ?? 'Loading the traces …'}
        </p>
      ) : (
        <svg
          width={size.width}
          height={size.height}
          data-figure-part=""
          className={styles['svg']}
          role="img"
          aria-label={shown
            .map(({ label, sorted }) => `${label}: half of the time at most ${formatRate(sorted[sorted.length >> 1])}`)
            .join('; ')}
          onPointerMove={(event) => {
            const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
            setAt(px < left || px > right ? null : x.invert(px));
          }}
          onPointerLeave={() => setAt(null)}
        >
          <g className={styles['grid']}>
            {[0.25, 0.5, 0.75, 1].map((tick) => (
              <path key={tick} d={`M${left},${Math.round(y(tick)) + 0.5}H${right}`} />
            ))}
          </g>
          {shown.map(({ id, look, sorted }) => (
            <g key={id} opacity={visibility.emphasis({ group: id })}>
              <Curve look={look} sorted={sorted} x={x} y={y} span={{ left, right, from }} />
            </g>
          ))}
          <SvgAxis side="bottom" scale={x} ticks={ticks} format={unit.format} at={bottom} />
          <SvgAxis side="left" scale={y} ticks={[0, 0.25, 0.5, 0.75, 1]} format={(s) => `${s * 100}`} at={left} />
          <text x={left - 6} y={8} textAnchor="end" className={styles['unit']}>
            %
          </text>
          <text x={right} y={size.height - 5} textAnchor="end" className={styles['unit']}>
            {`capacity, ${unit.unit}`}
          </text>
          {at === null ? null : (
            <Cursor at={at} x={x(at)} late={x(at) > (left + right) / 2} bottom={bottom} curves={shown} />
          )}
        </svg>
      )}
    </Figure>
  );
}

type Place = (value: number) => number;

/** Where lines begin and end, and the rate at which they begin. */
interface Span {
  readonly left: number;
  readonly right: number;
  readonly from: number;
}

interface CurveProps {
  readonly look: ReturnType<typeof traceSeries>[number]['look'];
  readonly sorted: Float32Array;
  readonly x: Place;
  readonly y: Place;
  readonly span: Span;
}

/** A trace's shares, with marks at the quarters. */
const Curve = ({ look, sorted, x, y, span }: CurveProps) => (
  <>
    <path
      d={stepsOf(sorted, x, y, span)}
      className={styles['line']}
      stroke={look.colour}
      strokeDasharray={look.dash.length === 0 ? undefined : look.dash.join(' ')}
    />
    {QUARTERS.map((share) => (
      <path
        key={share}
        d={look.path(4.5)}
        fill={look.colour}
        transform={`translate(${x(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)},${y(share)})`}
      />
    ))}
  </>
);

/** The line of the shares below each rate, of at most some hundred steps. */
function stepsOf(sorted: Float32Array, x: Place, y: Place, { left, right, from }: Span): string {
  const step = Math.max(1, Math.floor(sorted.length / 800));
  let d = `M${left},${y(shareBelow(sorted, from)).toFixed(1)}`;
  for (let i = 0; i < sorted.length; i += step)
    d += `H${x(sorted[i] ?? 0).toFixed(1)}V${y((i + 1) / sorted.length).toFixed(1)}`;
  return `${d}H${x(sorted.at(-1) ?? 0).toFixed(1)}V${y(1)}H${right}`;
}

interface CursorProps {
  /** The rate that is pointed at, and its place. */
  readonly at: number;
  readonly x: number;
  /** Of the right half: the words stand left of it. */
  readonly late: boolean;
  readonly bottom: number;
  readonly curves: readonly { readonly id: string; readonly label: string; readonly sorted: Float32Array }[];
}

function Cursor({ at, x, late, bottom, curves }: CursorProps) {
  const beside = x + (late ? -8 : 8);
  return (
    <g className={styles['cursor']} data-export="none">
      <path d={`M${x},${TOP}V${bottom}`} />
      <text y={TOP + 12} textAnchor={late ? 'end' : 'start'}>
        <tspan x={beside}>{`≤ ${formatRate(at)}`}</tspan>
        {curves.map(({ id, label, sorted }) => (
          <tspan key={id} x={beside} dy="1.3em">
            {`${label}: ${formatPercent(shareBelow(sorted, at))}`}
          </tspan>
        ))}
      </text>
    </g>
  );
}

export const plot = definePlot({
  id: 'compare-distribution',
  title: 'Distribution of capacity',
  needs: 'comparison',
  order: 20,
  height: 280,
  options,
  table: ({ traces }, _options, { hidden }) => ({
    columns: ['trace', 'capacity_mbps', 'share_of_time_at_or_below'],
    rows: traces
      .filter(({ trace }) => !hidden.has(trace.id))
      .flatMap(({ trace }) =>
        [...Float32Array.from(trace.spark).sort()].map((rate, i, all) => [trace.name, rate, (i + 1) / all.length]),
      ),
  }),
  Component: Distribution,
});
