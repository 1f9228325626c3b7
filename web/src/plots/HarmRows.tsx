// Harm to the baseline beside each algorithm: a group of rows per link and queue limit, in it a row per algorithm with both kinds of harm.
import { scaleLinear } from 'd3';
import type { HarmTest } from '#analysis/harm-verdict';
import type { Estimate } from '#analysis/statistics';
import { shortened, textWidth } from '../charts/measure';
import { yTicks } from '../charts/scales';
import { useVisibility, type Visibility } from '../charts/visibility';
import type { Theme } from '../theme/theme';
import { formatMeasured } from '../ui/format';
import type { CcaSeries } from './experiment-series';
import styles from './scores.module.css';

export interface HarmRow {
  readonly key: string;
  readonly one: CcaSeries;
  /** Throughput, delay. */
  readonly harm: readonly [Estimate | null, Estimate | null];
  readonly test: readonly [HarmTest | null, HarmTest | null];
}

export interface HarmGroup {
  readonly key: string;
  /** The link and its limit. */
  readonly title: string;
  readonly rows: readonly HarmRow[];
  /** What the baseline does to itself. */
  readonly bar: readonly [Estimate | null, Estimate | null];
}

interface HarmRowsProps {
  readonly groups: readonly HarmGroup[];
  readonly visibility: Visibility;
  readonly width: number;
  readonly theme: Theme;
}

const ROW = 24;
const TOP = 44;
const BOTTOM = 26;
/** Room for the verdict. */
const VERDICT = 76;
const GAP = 20;
/** Below this width the two stand one under the other. */
const NARROW = 620;
const CAP = 4;
const KINDS = ['throughput taken', 'delay added'] as const;

const verdict = (test: HarmTest | null): string => (test === null ? 'the bar' : test.outcome);

export function HarmRows({ groups, visibility, width, theme }: HarmRowsProps) {
  const font = `400 12px ${theme.sans}`;
  const stacked = width < NARROW;
  const labels = groups.flatMap(({ rows }) => rows.map(({ one }) => textWidth(one.label, font)));
  const left = Math.min(150, Math.max(...labels, 30) + 28);
  const column = stacked ? width - left : (width - left - GAP) / 2;
  return (
    <div style={{ display: 'grid', gap: 16 }}>
      {groups.map((group) => (
        <div key={group.key} className={styles['scores']} data-stacked={stacked} style={{ gap: stacked ? 8 : GAP }}>
          {KINDS.map((kind, which) => (
            <Panel
              key={kind}
              group={group}
              which={which as 0 | 1}
              title={stacked && which === 1 ? '' : which === 0 ? group.title : ''}
              left={stacked || which === 0 ? left : 0}
              width={stacked || which === 0 ? left + column : column}
              visibility={visibility}
              theme={theme}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface PanelProps {
  readonly group: HarmGroup;
  readonly which: 0 | 1;
  readonly title: string;
  readonly left: number;
  readonly width: number;
  readonly visibility: Visibility;
  readonly theme: Theme;
}

function Panel({ group, which, title, left, width, visibility, theme }: PanelProps) {
  const { hidden, highlighted } = useVisibility(visibility);
  const rows = group.rows.filter(({ one }) => !hidden.has(one.group));
  const [right, bottom] = [width - VERDICT, TOP + rows.length * ROW];
  const reached = [...rows.map(({ harm }) => harm[which]), group.bar[which]].flatMap((own) =>
    own === null ? [] : [own.mean, own.low ?? own.mean, own.high ?? own.mean],
  );
  // Whiskers beyond twice the means are cut: one wild interval would press all else together.
  const means = rows.flatMap(({ harm }) => harm[which]?.mean ?? []);
  const most = Math.max(100, ...means) * 1.1;
  const x = scaleLinear(
    [Math.max(Math.min(0, ...reached), -0.5 * most), Math.min(Math.max(100, ...reached), 2 * most)],
    [left, right],
  ).clamp(true);
  const ticks = yTicks([x.domain()[0] ?? 0, x.domain()[1] ?? 100], right - left, 'linear');
  const bar = group.bar[which];
  return (
    <svg
      width={width}
      height={bottom + BOTTOM}
      data-figure-part=""
      role="img"
      aria-label={`${group.title}: ${KINDS[which]} from the baseline beside each algorithm, %`}
    >
      <text x={0} y={13} className={styles['title']}>
        {title}
      </text>
      <text x={left} y={TOP - 10} className={styles['weights']}>
        {KINDS[which]}, %
      </text>
      {ticks.map((tick) => (
        <g key={tick} className={styles['tick']}>
          <path d={`M${Math.round(x(tick)) + 0.5},${TOP - 4}V${bottom + 2}`} />
          <text x={x(tick)} y={bottom + 16}>
            {tick}
          </text>
        </g>
      ))}
      {bar === null ? null : (
        <path d={`M${x(bar.mean)},${TOP - 4}V${bottom + 2}`} stroke={theme.ink2} strokeDasharray="4 3" fill="none" />
      )}
      {rows.map(({ key, one, harm, test }, row) => {
        const own = harm[which];
        const y = TOP + row * ROW + ROW / 2;
        return (
          <g
            key={key}
            opacity={highlighted === null || highlighted === one.group ? 1 : 0.25}
            onPointerEnter={() => visibility.highlight(one.group)}
            onPointerLeave={() => visibility.highlight(null)}
          >
            <rect x={0} y={y - ROW / 2} width={width} height={ROW} fill="transparent" />
            {left === 0 ? null : (
              <text x={22} y={y} dy="0.35em" className={styles['name']}>
                {shortened(one.label, left - 28, `400 12px ${theme.sans}`)}
                <title>{one.label}</title>
              </text>
            )}
            {left === 0 ? null : <Mark one={one} at={[9, y]} theme={theme} />}
            {own === null ? null : (
              <>
                {own.low === null || own.high === null ? null : (
                  <path
                    d={`M${x(own.low)},${y}H${x(own.high)}M${x(own.low)},${y - CAP}v${2 * CAP}M${x(own.high)},${y - CAP}v${2 * CAP}`}
                    stroke={one.look.colour}
                    strokeWidth={1.5}
                    fill="none"
                  />
                )}
                <Mark one={one} at={[x(own.mean), y]} theme={theme} />
              </>
            )}
            <text x={right + 10} y={y} dy="0.35em" className={styles['name']}>
              {own === null ? 'not measured' : verdict(test[which])}
              {own === null ? null : <title>{`${one.label}: ${formatMeasured(own.mean)} %`}</title>}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

interface MarkProps {
  readonly one: CcaSeries;
  readonly at: readonly [x: number, y: number];
  readonly theme: Theme;
}

const Mark = ({ one: { look }, at: [x, y], theme }: MarkProps) => (
  <path
    d={look.path(5)}
    transform={`translate(${x},${y})`}
    fill={look.hollow ? theme.surface : look.colour}
    stroke={look.hollow ? look.colour : theme.surface}
    strokeWidth={look.hollow ? 1.6 : 1}
  />
);
