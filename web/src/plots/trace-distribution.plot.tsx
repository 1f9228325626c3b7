// How a trace's capacity is distributed: the share of time at or below each rate, and where the time is spent.
import { useMemo, useState } from 'react';
import { z } from 'zod';
import type { TraceRecord } from '#protocol/api';
import { Figure } from '../charts/Figure';
import { distributionOf, shareBelow, sortedRates, type DistributionPicture, type Frame } from './distribution';
import { SvgAxis } from '../charts/SvgAxis';
import { tickFormat } from '../charts/scales';
import { formatChosen, formatPercent, formatRate, UNIT_SPACE } from '../ui/format';
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
const TOP = 22;
const BOTTOM = 40;

function Distribution({ data, options: chosen, setOptions, size, theme }: PlotProps<'trace', Options>) {
  const { trace } = data;
  const bins = Math.min(MOST_BINS, Math.max(1, Math.round(trace.info.period_ms / FINEST_MS)));
  const { value, error } = useCapacity(data, 'all', bins);
  const sorted = useMemo(() => (value === null ? null : sortedRates(value.mean)), [value]);
  const width = size.width;
  const compact = width < 560;
  const left = compact ? 40 : 56;
  const right = width - (compact ? 12 : 56);
  const bottom = size.height - BOTTOM;
  const picture = useMemo(
    () => (sorted === null ? null : distributionOf(sorted, chosen.scale, { left, right, top: TOP, bottom })),
    [sorted, chosen.scale, left, right, bottom],
  );
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
      {picture === null || sorted === null ? (
        <p className={plots['waiting']} style={{ height: size.height }}>
          {error ?? 'Loading the trace …'}
        </p>
      ) : (
        <Drawing
          trace={trace}
          sorted={sorted}
          picture={picture}
          frame={{ left, right, top: TOP, bottom }}
          size={size}
          ink={theme.ink}
        />
      )}
    </Figure>
  );
}

interface DrawingProps {
  readonly trace: TraceRecord;
  readonly sorted: Float32Array;
  readonly picture: DistributionPicture;
  readonly frame: Frame;
  readonly size: { readonly width: number; readonly height: number };
  readonly ink: string;
}

function Drawing({ trace: { info }, sorted, picture, frame, size, ink }: DrawingProps) {
  const [at, setAt] = useState<number | null>(null);
  const { left, right, bottom } = frame;
  const unit = tickFormat(picture.ticks, 'Mbps');
  // Of a link that hardly changes the two are one.
  const apart = picture.x(info.p95_1s_mbps) - picture.x(info.p5_1s_mbps) > 40;
  const marks = [
    { name: '5', label: apart ? '5 %' : '', value: info.p5_1s_mbps, y: 18 },
    { name: 'mean', label: 'mean', value: info.mean_mbps, y: 8 },
    { name: '95', label: apart ? '95 %' : '5, 95 %', value: info.p95_1s_mbps, y: 18 },
  ];
  return (
    <svg
      width={size.width}
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
        .map((mark) => (
          <g key={mark.name} className={styles['mark']}>
            <path d={`M${Math.round(picture.x(mark.value)) + 0.5},${TOP}V${bottom}`} />
            <text
              x={picture.x(mark.value)}
              y={mark.y}
              textAnchor={picture.x(mark.value) > right - 24 ? 'end' : 'middle'}
            >
              {mark.label}
            </text>
          </g>
        ))}
      <path d={picture.cdf} className={styles['line']} stroke={ink} />
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
      {at !== null && <Cursor at={at} sorted={sorted} picture={picture} frame={frame} />}
    </svg>
  );
}

/** The share of time at or below the rate that is pointed at. */
function Cursor({
  at,
  sorted,
  picture,
  frame,
}: Pick<DrawingProps, 'sorted' | 'picture' | 'frame'> & { readonly at: number }) {
  const share = shareBelow(sorted, at);
  const x = picture.x(at);
  const y = picture.y(share);
  const late = x > (frame.left + frame.right) / 2;
  return (
    <g className={styles['cursor']} data-export="none">
      <path d={`M${x},${frame.top}V${frame.bottom}`} />
      <circle cx={x} cy={y} r={3.5} />
      <text x={x + (late ? -8 : 8)} y={Math.max(frame.top + 12, y - 8)} textAnchor={late ? 'end' : 'start'}>
        {`${formatPercent(share)} of the time ≤ ${formatRate(at)}`}
      </text>
    </g>
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
