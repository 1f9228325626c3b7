// The capacity over a trace's period in a corner of the frontier, with the part that ran and both means.
import { useId } from 'react';
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
  const id = useId();
  const lines = insetText(trace, part, ran, width < 150);
  const foot = height - 4 - lines.length * INSET_LINE;
  const top = Math.max(...trace.spark);
  const step = width / trace.spark.length;
  const path = trace.spark
    .map(
      (rate, i) => `L${(i * step).toFixed(1)},${((1 - rate / top) * foot).toFixed(1)}H${((i + 1) * step).toFixed(1)}`,
    )
    .join('');
  const capacity = `M0,${foot}${path}V${foot}Z`;
  const until = part.kind === 'beginning' ? Math.max(2, part.share * width) : width;
  return (
    <g transform={`translate(${x},${y})`} className={styles['inset']}>
      {part.kind === 'beginning' && (
        <>
          <clipPath id={id}>
            <rect width={until} height={foot} />
          </clipPath>
          <path d={capacity} className={styles['unrun']} />
          <path d={`M0,${foot + 1.5}H${until}`} className={styles['ran']} />
        </>
      )}
      <path d={capacity} clipPath={part.kind === 'beginning' ? `url(#${id})` : undefined} />
      {lines.map((line, i) => (
        <text key={line} y={foot + (i + 1) * INSET_LINE}>
          {line}
        </text>
      ))}
    </g>
  );
}
