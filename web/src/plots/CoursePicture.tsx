// A bar from each thing that happened to when it was over, on the run's time, and boxes of Jain's index by the length of its windows.
import { scaleLinear } from 'd3';
import type { JainBox } from '#analysis/run-dynamics';
import { SvgAxis } from '../charts/SvgAxis';
import { formatDuration } from '../ui/format';
import type { Theme } from '../theme/theme';
import { BoxMark } from './BoxMark';
import type { Bar } from './course';
import { BOXES, layoutOf, ROW, TOP } from './course-layout';
import type { Flow } from './flows';
import styles from './course.module.css';

export interface CoursePictureProps {
  readonly bars: readonly Bar[];
  readonly jain: readonly JainBox[];
  readonly hidden: ReadonlySet<string>;
  readonly flows: readonly Flow[];
  readonly duration_s: number;
  readonly width: number;
  readonly theme: Theme;
}

const NARROW = 720;
/** Room for them behind all bars. */
const OUTCOMES = 250;
/** Labels of 11 px: about so many pixels a letter. */
const LETTER = 6;

const clipped = (text: string, room: number): string =>
  text.length * LETTER <= room ? text : `${text.slice(0, Math.max(1, Math.floor(room / LETTER) - 1))}…`;

/** What is not over takes longest. */
const longest = (bars: readonly Bar[], count: number): Bar[] => {
  const kept = new Set(bars.toSorted((a, b) => (b.after_s ?? Infinity) - (a.after_s ?? Infinity)).slice(0, count));
  return bars.filter((bar) => kept.has(bar));
};

/** How long it took, and to what, where there is room for that. */
const outcomeOf = ({ after_s, said }: Bar, short: boolean): string => {
  const took = after_s === null ? 'not' : formatDuration(after_s);
  if (short) return took;
  return `${after_s === null ? took : `in ${took}`} ${said}`;
};

export function CoursePicture({ bars, jain, hidden, flows, duration_s, width, theme }: CoursePictureProps) {
  const layout = layoutOf(bars.length, jain.length > 0);
  const spoken = bars.map((bar) => `${bar.label}: ${outcomeOf(bar, false)}`).join('; ');
  return (
    <svg
      width={width}
      height={layout.height}
      data-figure-part=""
      className={styles['svg']}
      role="img"
      aria-label={spoken}
    >
      {layout.bars === 0 ? null : <Bars {...{ bars, flows, duration_s, width, theme, layout }} />}
      {jain.length === 0 ? null : (
        <Boxes jain={jain} hidden={hidden} top={layout.boxes} width={width} flows={flows.length} />
      )}
    </svg>
  );
}

type BarsProps = Pick<CoursePictureProps, 'bars' | 'flows' | 'duration_s' | 'width' | 'theme'> & {
  readonly layout: ReturnType<typeof layoutOf>;
};

function Bars({ bars, flows, duration_s, width, theme, layout }: BarsProps) {
  const narrow = width < NARROW;
  const left = narrow ? 92 : 170;
  const right = width - (narrow ? 58 : OUTCOMES);
  const x = scaleLinear([0, duration_s], [left, right]);
  const ticks = x.ticks(Math.max(2, (right - left) / 90));
  const colours = new Map(flows.map(({ key, look }) => [key, look.colour]));
  return (
    <g>
      <g className={styles['grid']}>
        {ticks.map((tick) => (
          <path key={tick} d={`M${Math.round(x(tick)) + 0.5},${TOP}V${layout.axis}`} />
        ))}
      </g>
      {longest(bars, layout.bars).map((bar, i) => {
        const { at_s, after_s, group, label } = bar;
        const y = TOP + i * ROW + ROW / 2;
        const colour = colours.get(group) ?? theme.ink2;
        const [from, to] = [x(at_s), x(after_s === null ? duration_s : Math.min(at_s + after_s, duration_s))];
        return (
          <g key={`${group} ${label} ${at_s}`}>
            <text x={left - 8} y={y + 4} textAnchor="end" className={styles['label']}>
              {clipped(label, left - 10)}
              <title>{`${label}: ${outcomeOf(bar, false)}`}</title>
            </text>
            <rect
              x={from}
              y={y - 4}
              width={Math.max(to - from, 2)}
              height={8}
              rx={2}
              fill={after_s === null ? 'none' : colour}
              stroke={colour}
              strokeDasharray={after_s === null ? '3 3' : undefined}
            />
            <text x={right + 12} y={y + 4} className={styles['value']}>
              {outcomeOf(bar, narrow)}
            </text>
          </g>
        );
      })}
      <SvgAxis side="bottom" scale={x} ticks={ticks} format={(s) => String(s)} at={layout.axis} />
      <text x={right} y={layout.axis + 32} textAnchor="end" className={styles['unit']}>
        time, s
      </text>
      {layout.more === 0 ? null : (
        <text x={left} y={layout.axis + 34 + ROW - 4} className={styles['label']}>
          {`the ${layout.bars} that took longest; ${layout.more} more are in the CSV`}
        </text>
      )}
    </g>
  );
}

interface BoxesProps {
  readonly jain: readonly JainBox[];
  readonly hidden: ReadonlySet<string>;
  readonly flows: number;
  readonly top: number;
  readonly width: number;
}

function Boxes({ jain, hidden, flows, top, width }: BoxesProps) {
  const [left, right, ceiling, bottom] = [40, width - 12, top + 30, top + BOXES - 40];
  const y = scaleLinear([0, 1], [bottom, ceiling]);
  const band = (right - left) / jain.length;
  const breadth = Math.min(14, band / 3);
  return (
    <g>
      <text x={left - 6} y={top + 14} className={styles['heading']}>
        {clipped(
          `Jain’s index of ${flows} flows over rolling windows${width < NARROW ? '' : ': quartiles, least and most'}`,
          width,
        )}
      </text>
      <g className={styles['grid']}>
        {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
          <path key={tick} d={`M${left},${Math.round(y(tick)) + 0.5}H${right}`} />
        ))}
      </g>
      {jain.map(({ k, throughput, rtt }, i) => {
        const centre = left + (i + 0.5) * band;
        return (
          <g key={k}>
            {hidden.has('jain:throughput') ? null : (
              <BoxMark
                box={throughput}
                at={centre - breadth / 2 - 1}
                {...{ breadth, y }}
                kind="full"
                of="throughput"
                unit="windows"
              />
            )}
            {hidden.has('jain:rtt') ? null : (
              <BoxMark
                box={rtt}
                at={centre + breadth / 2 + 1}
                {...{ breadth, y }}
                kind="hollow"
                of="RTT"
                unit="windows"
              />
            )}
            <text x={centre} y={bottom + 16} textAnchor="middle" className={styles['label']}>
              {k}
            </text>
          </g>
        );
      })}
      <SvgAxis side="left" scale={y} ticks={[0, 0.5, 1]} format={(index) => String(index)} at={left} />
      <text x={right} y={bottom + 34} textAnchor="end" className={styles['unit']}>
        window, base RTTs
      </text>
    </g>
  );
}
