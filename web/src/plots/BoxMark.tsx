// One box of a box plot: quartiles, median, least and most.
import type { Box } from '#analysis/rolling-jain';
import { cx } from '../ui/cx';
import { formatMeasured } from '../ui/format';
import styles from './course.module.css';

export interface BoxMarkProps {
  /** What nothing tells has no box. */
  readonly box: Box | null;
  /** Its middle, and how wide it is. */
  readonly at: number;
  readonly breadth: number;
  readonly y: (value: number) => number;
  readonly kind: 'full' | 'hollow';
  /** Of its outline; absent: neutral. */
  readonly colour?: string | undefined;
  /** In words, with what there are so many of. */
  readonly of: string;
  readonly unit: string;
}

export function BoxMark({ box, at, breadth, y, kind, colour, of, unit }: BoxMarkProps) {
  if (box === null) return null;
  const [from, to] = [at - breadth / 2, at + breadth / 2];
  const stroke = colour === undefined ? {} : { style: { stroke: colour } };
  return (
    <g>
      <title>
        {`${of}: median ${formatMeasured(box.p50)}, quartiles ${formatMeasured(box.p25)} and ${formatMeasured(box.p75)}, from ${formatMeasured(box.least)} to ${formatMeasured(box.most)} in ${box.n} ${unit}`}
      </title>
      <path
        className={styles['whisker']}
        d={`M${at},${y(box.least)}V${y(box.p25)}M${at},${y(box.p75)}V${y(box.most)}`}
        {...stroke}
      />
      <rect
        className={cx(styles['box'], styles[kind])}
        x={from}
        y={y(box.p75)}
        width={breadth}
        height={Math.max(y(box.p25) - y(box.p75), 1)}
        {...stroke}
      />
      <path className={styles['median']} d={`M${from},${y(box.p50)}H${to}`} />
    </g>
  );
}
