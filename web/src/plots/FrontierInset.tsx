// The capacity over a trace's period in a corner of the frontier, with the part that ran and both means.
import type { TracePart } from '#analysis/trace-part';
import type { TraceRecord } from '#protocol/api';
import { formatDuration, formatRate } from '../ui/format';
import styles from './frontier.module.css';

/** Of what the capacity's line is the mean. */
export const capacityNameOf = (part: TracePart): string =>
  part.kind === 'whole'
    ? 'mean capacity'
    : part.kind === 'beginning'
      ? `mean of the ${formatDuration(part.seconds)} that ran`
      : 'mean of the parts that ran';

/** Both means, told apart; the lines are as many as `insetLines`. */
function insetText(trace: TraceRecord, part: TracePart, ran: number | null, narrow: boolean): readonly string[] {
  const whole = formatRate(trace.info.mean_mbps);
  if (part.kind === 'whole') return [`the trace, ${whole} mean`];
  const what = part.kind === 'beginning' ? `0–${formatDuration(part.seconds)}` : 'parts';
  if (narrow) return [`${what}: ${formatRate(ran)}`, `all: ${whole}`];
  return [
    `${what} ran, ${formatRate(ran)} mean`,
    `whole trace ${formatDuration(trace.info.period_ms / 1e3)}, ${whole}`,
  ];
}

const INSET_LINE = 12;

/** The capacity over the trace's period with the part of it that ran, small, in a corner that no point needs. */
export function CapacityInset({
  x,
  y,
  width,
  height,
  trace,
  part,
  ran,
}: {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly trace: TraceRecord;
  readonly part: TracePart;
  readonly ran: number | null;
}) {
  const lines = insetText(trace, part, ran, width < 150);
  const foot = height - 4 - lines.length * INSET_LINE;
  const top = Math.max(...trace.spark);
  const step = width / trace.spark.length;
  const at = (rate: number): string => ((1 - rate / top) * foot).toFixed(1);
  const outline = (until: number): string =>
    `M0,${foot}${trace.spark
      .slice(0, Math.ceil(until / step))
      .map((rate, i) => `L${(i * step).toFixed(1)},${at(rate)}H${Math.min((i + 1) * step, until).toFixed(1)}`)
      .join('')}V${foot}Z`;
  return (
    <g transform={`translate(${x},${y})`} className={styles['inset']}>
      <path d={outline(width)} />
      {part.kind === 'beginning' && <path d={outline(Math.max(2, part.share * width))} className={styles['ran']} />}
      {lines.map((line, i) => (
        <text key={line} y={foot + (i + 1) * INSET_LINE}>
          {line}
        </text>
      ))}
    </g>
  );
}
