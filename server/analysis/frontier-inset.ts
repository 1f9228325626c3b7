// What stands in the corner of a frontier: the capacity over the trace's period with the part that ran, and both means.
import type { TracePart } from '#analysis/trace-part';
import { formatDuration, formatRate } from '#analysis/format';
import type { TraceRecord } from '#protocol/api';

/** What is drawn of a trace. */
export type InsetTrace = Pick<TraceRecord, 'spark'> & {
  readonly info: Pick<TraceRecord['info'], 'mean_mbps' | 'period_ms'>;
};

/** Of what the capacity's line is the mean. */
export const capacityNameOf = (part: TracePart): string =>
  part.kind === 'whole'
    ? 'mean capacity'
    : part.kind === 'stretch'
      ? `mean of the ${formatDuration(part.seconds)} that ran`
      : 'mean of the parts that ran';

/** `0–60 s`, `2 min–3 min`. */
const stretchText = ({ from_s, seconds }: Extract<TracePart, { kind: 'stretch' }>): string =>
  `${from_s === 0 ? '0' : formatDuration(from_s)}–${formatDuration(from_s + seconds)}`;

/** Both means, told apart; the lines are as many as `insetLines`. */
export function insetText(trace: InsetTrace, part: TracePart, ran: number | null, narrow: boolean): readonly string[] {
  const whole = formatRate(trace.info.mean_mbps);
  if (part.kind === 'whole') return [`the trace, ${whole} mean`];
  const what = part.kind === 'stretch' ? stretchText(part) : 'parts';
  if (narrow) return [`${what}: ${formatRate(ran)}`, `all: ${whole}`];
  return [
    `${what} ran, ${formatRate(ran)} mean`,
    `whole trace ${formatDuration(trace.info.period_ms / 1e3)}, ${whole}`,
  ];
}

export const INSET_LINE = 12;

export interface InsetPicture {
  readonly lines: readonly { readonly y: number; readonly text: string }[];
  readonly outline: string;
  /** The part that ran, where it is one; else empty. */
  readonly ran: string;
}

export function insetPicture(
  trace: InsetTrace,
  part: TracePart,
  ran: number | null,
  { width, height }: { readonly width: number; readonly height: number },
): InsetPicture {
  const lines = insetText(trace, part, ran, width < 150);
  const foot = height - 4 - lines.length * INSET_LINE;
  const top = Math.max(...trace.spark);
  const step = width / trace.spark.length;
  const at = (rate: number): string => ((1 - rate / top) * foot).toFixed(1);
  const outline = (from: number, until: number): string => {
    const first = Math.floor(from / step);
    const tops = trace.spark
      .slice(first, Math.ceil(until / step))
      .map((rate, i) => {
        const [left, right] = [Math.max((first + i) * step, from), Math.min((first + i + 1) * step, until)];
        return `L${left.toFixed(1)},${at(rate)}H${right.toFixed(1)}`;
      })
      .join('');
    return `M${from === 0 ? '0' : from.toFixed(1)},${foot}${tops}V${foot}Z`;
  };
  /** It goes on at the beginning where it passes the end. */
  const stretch = (from: number, long: number): string =>
    from + long <= width ? outline(from, from + long) : outline(from, width) + outline(0, from + long - width);
  return {
    lines: lines.map((text, i) => ({ y: foot + (i + 1) * INSET_LINE, text })),
    outline: outline(0, width),
    ran: part.kind === 'stretch' ? stretch(part.from * width, Math.max(2, part.share * width)) : '',
  };
}
