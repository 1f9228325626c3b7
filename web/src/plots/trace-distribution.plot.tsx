// How a trace's capacity is distributed: the share of time at or below each rate, and where the time is spent.
import { useMemo, useState } from 'react';
import { bin, scaleLinear, scaleLog } from 'd3';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import { oneTwoFive } from './frontier-layout';
import { SvgAxis } from '../charts/SvgAxis';
import { tickFormat } from '../charts/scales';
import { formatChosen, formatPercent, formatRate, UNIT_SPACE } from '../ui/format';
import type { SeriesData } from '../charts/types';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps } from './registry';
import { useCapacity } from './trace-data';
import plots from './plots.module.css';
import styles from './trace-charts.module.css';

const options = z.object({
  scale: z.enum(['linear', 'log']).default('linear').meta({ title: 'Scale' }),
});
type Options = z.output<typeof options>;

/** Bins asked for: 100 ms each up to 400 s of trace, longer ones for longer traces. */
const MOST_BINS = 4000;
const FINEST_MS = 100;
const BARS = 48;
const TOP = 22;
const BOTTOM = 40;

export function sortedRates({ y, length }: SeriesData): Float32Array {
  return y.slice(0, length).sort();
}

/** Share of the values that are at most `rate`. */
export function shareBelow(sorted: Float32Array, rate: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) <= rate) low = middle + 1;
    else high = middle;
  }
  return sorted.length === 0 ? NaN : low / sorted.length;
}

function Distribution({ data, options: chosen, setOptions, size, theme }: PlotProps<'trace', Options>) {
  const { trace } = data;
  const bins = Math.min(MOST_BINS, Math.max(1, Math.round(trace.info.period_ms / FINEST_MS)));
  const { value, error } = useCapacity(data, 'all', bins);
  const sorted = useMemo(() => (value === null ? null : sortedRates(value.mean)), [value]);
  const [at, setAt] = useState<number | null>(null);
  const width = size.width;
  const compact = width < 560;
  const left = compact ? 40 : 56;
  const right = width - (compact ? 12 : 56);
  const bottom = size.height - BOTTOM;
  const picture = useMemo(() => {
    if (sorted === null) return null;
    const top = sorted.at(-1) ?? 1;
    const least = sorted.find((rate) => rate > 0) ?? 0.1;
    const log = chosen.scale === 'log';
    const low = log ? Math.max(least, top / 1e4) : 0;
    const x = log
      ? scaleLog([low, Math.max(top, low * 1.1)], [left, right]).clamp(true)
      : scaleLinear([0, top || 1], [left, right]).nice();
    const [from = 0, to = 1] = x.domain();
    const y = scaleLinear([0, 1], [bottom, TOP]);
    const edges = Array.from({ length: BARS - 1 }, (_, i) => x.invert(left + ((right - left) * (i + 1)) / BARS));
    const bars = bin<number, number>().domain([from, to]).thresholds(edges)([...sorted]);
    const most = Math.max(...bars.map((bar) => bar.length), 1);
    let cdf = `M${left},${y(shareBelow(sorted, from))}`;
    const step = Math.max(1, Math.floor(sorted.length / 1500));
    for (let i = 0; i < sorted.length; i += step)
      cdf += `H${x(sorted[i] ?? 0).toFixed(1)}V${y((i + 1) / sorted.length).toFixed(1)}`;
    return {
      x,
      y,
      from,
      to,
      cdf: `${cdf}H${x(top).toFixed(1)}V${y(1)}H${right}`,
      bars,
      most,
      ticks: log ? oneTwoFive(from, to, right - left) : x.ticks(Math.max(3, (right - left) / 90)),
    };
  }, [sorted, chosen.scale, left, right, bottom]);
  const { info } = trace;
  const marks = [
    { label: '5 %', value: info.p5_1s_mbps },
    { label: 'mean', value: info.mean_mbps },
    { label: '95 %', value: info.p95_1s_mbps },
  ];
  const unit = picture === null ? null : tickFormat(picture.ticks, 'Mbps');
  return (
    <Figure
      name={`${trace.name}-distribution`}
      title="Distribution of capacity"
      subtitle={
        value === null
          ? ''
          : `share of time at or below a rate, by means of ${formatChosen(value.bin_ms)}${UNIT_SPACE}ms; bars: where the time is spent; marks: mean, 5 and 95 % of 1 s rates`
      }
      legend={[]}
      table={() => ({
        columns: ['capacity_mbps', 'share_of_time_at_or_below'],
        rows: [...(sorted ?? [])].map((rate, i, all) => [rate, (i + 1) / all.length]),
      })}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      {picture === null || unit === null || sorted === null ? (
        <p className={plots['waiting']} style={{ height: size.height }}>
          {error ?? 'Loading the trace …'}
        </p>
      ) : (
        <svg
          width={width}
          height={size.height}
          data-figure-part=""
          className={styles['svg']}
          role="img"
          aria-label={`Half of the time the capacity is at most ${formatRate(sorted[Math.floor(sorted.length / 2)])}, five percent of the time at most ${formatRate(info.p5_1s_mbps)}`}
          onPointerMove={(event) => {
            const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
            setAt(px < left || px > right ? null : picture.x.invert(px));
          }}
          onPointerLeave={() => setAt(null)}
        >
          <g className={styles['bars']}>
            {picture.bars.map((bar, i) => {
              const x0 = picture.x(bar.x0 ?? 0);
              const height = ((bottom - TOP) * bar.length) / picture.most;
              return bar.length === 0 ? null : (
                <rect
                  key={i}
                  x={x0}
                  y={bottom - height}
                  width={Math.max(1, picture.x(bar.x1 ?? 0) - x0 - 1)}
                  height={height}
                />
              );
            })}
          </g>
          <g className={styles['grid']}>
            {[0.25, 0.5, 0.75, 1].map((tick) => (
              <path key={tick} d={`M${left},${Math.round(picture.y(tick)) + 0.5}H${right}`} />
            ))}
          </g>
          {marks
            .filter((mark) => mark.value >= picture.from && mark.value <= picture.to)
            .map((mark, i) => (
              <g key={mark.label} className={styles['mark']}>
                <path d={`M${Math.round(picture.x(mark.value)) + 0.5},${TOP}V${bottom}`} />
                <text
                  x={picture.x(mark.value)}
                  y={i === 1 ? 8 : 18}
                  textAnchor={picture.x(mark.value) > right - 24 ? 'end' : 'middle'}
                >
                  {mark.label}
                </text>
              </g>
            ))}
          <path d={picture.cdf} className={styles['line']} stroke={theme.ink} />
          <SvgAxis side="bottom" scale={picture.x} ticks={picture.ticks} format={unit.format} at={bottom} />
          <SvgAxis
            side="left"
            scale={picture.y}
            ticks={[0, 0.25, 0.5, 0.75, 1]}
            format={(share) => `${share * 100}`}
            at={left}
          />
          <text x={left - 6} y={10} textAnchor="end" className={styles['unit']}>
            %
          </text>
          <text x={right} y={size.height - 5} textAnchor="end" className={styles['unit']}>
            {`capacity, ${unit.unit}`}
          </text>
          {at !== null && (
            <g className={styles['cursor']} data-export="none">
              <path d={`M${picture.x(at)},${TOP}V${bottom}`} />
              <circle cx={picture.x(at)} cy={picture.y(shareBelow(sorted, at))} r={3.5} />
              <text
                x={picture.x(at) + (picture.x(at) > (left + right) / 2 ? -8 : 8)}
                y={Math.max(TOP + 12, picture.y(shareBelow(sorted, at)) - 8)}
                textAnchor={picture.x(at) > (left + right) / 2 ? 'end' : 'start'}
              >
                {`${formatPercent(shareBelow(sorted, at))} of the time ≤ ${formatRate(at)}`}
              </text>
            </g>
          )}
        </svg>
      )}
    </Figure>
  );
}

export const plot = definePlot({
  id: 'distribution',
  title: 'Distribution of capacity',
  needs: 'trace',
  order: 20,
  height: 240,
  options,
  table: ({ trace }) => {
    const sorted = Float32Array.from(trace.spark).sort();
    return {
      columns: ['capacity_mbps', 'share_of_time_at_or_below'],
      rows: [...sorted].map((rate, i) => [rate, (i + 1) / sorted.length]),
    };
  },
  Component: Distribution,
});
