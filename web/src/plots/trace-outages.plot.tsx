// When a trace fails: along its time, and how long each failure lasts.
import { scaleBand, scaleLinear } from 'd3';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import type { TraceOutages } from '#protocol/trace';
import { timeTicks } from '../charts/scales';
import { SvgAxis } from '../charts/SvgAxis';
import { formatCount, formatDelay, formatPercent, plural } from '../ui/format';
import type { TracePlotData } from './data';
import type { Frame } from './distribution';
import { definePlot, type PlotProps } from './registry';
import styles from './trace-charts.module.css';

const options = z.object({});

export const LENGTHS = ['0.1–0.2', '0.2–0.5', '0.5–1', '1–2', '2–5', '5–10', 'over 10'];
const LANE = 16;
const GAP = 34;
const TOP = 16;
const BOTTOM = 40;

const nameOf = ({ below_mbps }: TraceOutages): string =>
  below_mbps === 0 ? 'nothing at all' : `below ${below_mbps} Mbps`;

const saysOf = (outages: TraceOutages): string =>
  outages.count === 0
    ? `${nameOf(outages)}: never`
    : `${nameOf(outages)}: ${plural(outages.count, 'time')}, ${formatPercent(outages.share)} of the time, longest ${formatDelay(outages.longest_ms)}, median ${formatDelay(outages.median_ms)}`;

function Outages({ data, size, theme }: PlotProps<'trace', z.output<typeof options>>) {
  const { trace, dynamics } = data;
  // The worse kind last: it lies on the other.
  const kinds = [...(dynamics?.outages ?? [])].reverse();
  const none = dynamics !== null && kinds.every(({ count }) => count === 0);
  const width = size.width;
  const left = width < 560 ? 40 : 56;
  const right = width - 16;
  const period = trace.info.period_ms / 1000;
  const time = scaleLinear([0, period], [left, right]);
  const lanes = TOP + LANE;
  const top = lanes + GAP + 26;
  const bottom = size.height - BOTTOM;
  const along = timeTicks([0, period], right - left);
  return (
    <Figure
      name={`${trace.name}-outages`}
      title="Outages"
      subtitle={dynamics === null ? '' : `of at least 100 ms. ${[...dynamics.outages].map(saysOf).join('; ')}`}
      legend={
        dynamics === null || none
          ? []
          : [
              { key: 'below', label: 'below 5 Mbps', colour: theme.capacity, glyph: 'swatch', fixed: true },
              { key: 'silent', label: 'nothing at all', colour: theme.ink2, glyph: 'swatch', fixed: true },
            ]
      }
      table={() => tableOf(data)}
    >
      {dynamics === null || none ? (
        <p className={styles['nothing']} style={{ height: none ? 64 : size.height }}>
          {none ? 'None: the trace never delivers less than 5 Mbps for 100 ms or longer.' : 'Computing …'}
        </p>
      ) : (
        <svg
          width={width}
          height={size.height}
          data-figure-part=""
          className={styles['svg']}
          role="img"
          aria-label={dynamics.outages.map(saysOf).join('; ')}
        >
          {kinds.map((kind) => (
            <g key={kind.below_mbps} className={styles[kind.below_mbps === 0 ? 'silent' : 'bars']}>
              {kind.at.map(([from, length]) => (
                <rect
                  key={from}
                  x={time(from / 1000)}
                  y={kind.below_mbps === 0 ? TOP + LANE / 4 : TOP}
                  width={Math.max(1, time(Math.min(period, (from + length) / 1000)) - time(from / 1000))}
                  height={kind.below_mbps === 0 ? LANE / 2 : LANE}
                >
                  <title>{`${nameOf(kind)} for ${formatDelay(length)}, from ${formatDelay(from)} on`}</title>
                </rect>
              ))}
            </g>
          ))}
          <text x={left} y={10} className={styles['unit']}>
            when, s
          </text>
          <SvgAxis side="bottom" scale={time} ticks={along.values} format={along.format} at={lanes + 2} />
          <text x={left} y={top - 18} className={styles['unit']}>
            how many
          </text>
          <Lengths
            kinds={kinds}
            frame={{ left, right, top, bottom }}
            compact={width < 560}
            line={theme.hairlineStrong}
          />
          <text x={right} y={size.height - 5} textAnchor="end" className={styles['unit']}>
            how long, s
          </text>
        </svg>
      )}
    </Figure>
  );
}

interface LengthsProps {
  readonly kinds: readonly TraceOutages[];
  readonly frame: Frame;
  readonly compact: boolean;
  readonly line: string;
}

/** How many outages there are of each length. */
function Lengths({ kinds, frame: { left, right, top, bottom }, compact, line }: LengthsProps) {
  const most = Math.max(1, ...kinds.flatMap(({ lengths }) => lengths));
  const x = scaleBand(LENGTHS, [left, right]).paddingInner(0.25).paddingOuter(0.1);
  const inner = scaleBand(
    kinds.map((_, i) => i),
    [0, x.bandwidth()],
  ).paddingInner(0.1);
  const y = scaleLinear([0, most], [bottom, top]);
  return (
    <>
      {kinds.map((kind, i) => (
        <g key={kind.below_mbps}>
          <g className={styles[kind.below_mbps === 0 ? 'silent' : 'bars']}>
            {kind.lengths.map((count, class_) => (
              <rect
                key={LENGTHS[class_]}
                x={(x(LENGTHS[class_] ?? '') ?? 0) + (inner(i) ?? 0)}
                y={y(count)}
                width={inner.bandwidth()}
                height={bottom - y(count)}
              />
            ))}
          </g>
          {kind.lengths.map((count, class_) =>
            count === 0 ? null : (
              <text
                key={LENGTHS[class_]}
                x={(x(LENGTHS[class_] ?? '') ?? 0) + (inner(i) ?? 0) + inner.bandwidth() / 2}
                y={y(count) - 3}
                textAnchor="middle"
                className={styles['count']}
              >
                {formatCount(count)}
              </text>
            ),
          )}
        </g>
      ))}
      <path d={`M${left},${bottom + 0.5}H${right}`} stroke={line} />
      {LENGTHS.map((name) => (
        <text
          key={name}
          x={(x(name) ?? 0) + x.bandwidth() / 2}
          y={bottom + 15}
          textAnchor="middle"
          className={styles['unit']}
        >
          {compact ? name.replace('over ', '>') : name}
        </text>
      ))}
    </>
  );
}

const tableOf = ({ dynamics }: TracePlotData) => ({
  columns: ['below_mbps', 'from_s', 'length_s'],
  rows: (dynamics?.outages ?? []).flatMap(({ below_mbps, at }) =>
    at.map(([from, length]) => [below_mbps, from / 1000, length / 1000]),
  ),
});

export const plot = definePlot({
  id: 'outages',
  title: 'Outages',
  needs: 'trace',
  order: 40,
  height: 240,
  options,
  table: (data) => tableOf(data),
  Component: Outages,
});
