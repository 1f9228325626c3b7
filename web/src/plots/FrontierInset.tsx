// The capacity over a trace's period in a corner of the frontier, with the part that ran and both means.
import { insetPicture } from '#analysis/frontier-inset';
import type { TracePart } from '#analysis/trace-part';
import type { TraceRecord } from '#protocol/api';
import styles from './frontier.module.css';

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
  const { lines, outline, ran: beginning } = insetPicture(trace, part, ran, { width, height });
  return (
    <g transform={`translate(${x},${y})`} className={styles['inset']}>
      <path d={outline} />
      {beginning !== '' && <path d={beginning} className={styles['ran']} />}
      {lines.map(({ y: at, text }) => (
        <text key={text} y={at}>
          {text}
        </text>
      ))}
    </g>
  );
}
