// Harm to the baseline beside each algorithm: a group of rows per link and queue limit, in it a row per algorithm with both kinds of harm.
import { scaleLinear } from 'd3';
import type { HarmTest } from '#analysis/harm-verdict';
import type { Estimate } from '#analysis/statistics';
import { shortened, textWidth } from '../charts/measure';
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
/** Where another panel with the title stands above. */
const UNTITLED_TOP = 24;
const BOTTOM = 26;
/** Between a name and a mark at the least value. */
const AIR = 10;
/** Room for the verdict, at least. */
const VERDICT = 84;
const GAP = 20;
/** Below this width the two stand one under the other. */
const NARROW = 620;
const CAP = 4;
const TICKS = 5;
const KINDS = ['throughput taken', 'delay added'] as const;

const VERDICTS: Readonly<Record<HarmTest['outcome'], string>> = {
  safe: 'safe',
  harmful: 'harmful',
  undecided: 'undecided',
};
const ITSELF = 'beside itself';
const verdict = (test: HarmTest | null): string => (test === null ? ITSELF : VERDICTS[test.outcome]);
const roomFor = (font: string): number =>
  Math.max(VERDICT, ...[ITSELF, ...Object.values(VERDICTS)].map((text) => textWidth(text, font) + 6));

/** One for all groups, so that they can be compared. Whiskers beyond twice the means are cut: one wild interval would press all else together. */
function domainOf(groups: readonly HarmGroup[], which: 0 | 1): readonly [number, number] {
  const all = groups.flatMap(({ rows, bar }) => [bar[which], ...rows.map(({ harm }) => harm[which])]);
  const known = all.filter((own) => own !== null);
  const least = which === 0 ? 100 : 20;
  const most = Math.max(least, ...known.map(({ mean }) => mean));
  const low = Math.min(0, ...known.map((own) => own.low ?? own.mean));
  const high = Math.max(least, ...known.map((own) => own.high ?? own.mean));
  return [Math.max(low, -most), Math.min(high, 2 * most)];
}

export function HarmRows({ groups, visibility, width, theme }: HarmRowsProps) {
  const font = `400 12px ${theme.sans}`;
  const stacked = width < NARROW;
  const labels = groups.flatMap(({ rows }) => rows.map(({ one }) => textWidth(one.label, font)));
  const left = Math.min(150, Math.max(...labels, 30) + 28);
  const domains = [domainOf(groups, 0), domainOf(groups, 1)] as const;
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
              domain={domains[which as 0 | 1]}
              top={stacked && which === 1 ? UNTITLED_TOP : TOP}
              title={which === 0 ? group.title : ''}
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
  readonly domain: readonly [number, number];
  readonly top: number;
  readonly title: string;
  readonly left: number;
  readonly width: number;
  readonly visibility: Visibility;
  readonly theme: Theme;
}

function Panel({ group, which, domain, top, title, left, width, visibility, theme }: PanelProps) {
  const { hidden, highlighted } = useVisibility(visibility);
  const rows = group.rows.filter(({ one }) => !hidden.has(one.group));
  const [right, bottom] = [width - roomFor(`400 12px ${theme.sans}`), top + rows.length * ROW];
  const x = scaleLinear([...domain], [left + AIR, right]).clamp(true);
  const ticks = x.ticks(TICKS);
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
      <text x={left} y={top - 10} className={styles['weights']}>
        {KINDS[which]}, %
      </text>
      <g className={styles['tick']}>
        <path d={ticks.map((tick) => `M${Math.round(x(tick)) + 0.5},${top - 4}V${bottom + 2}`).join('')} />
        {ticks.map((tick) => (
          <text key={tick} x={x(tick)} y={bottom + 16}>
            {tick}
          </text>
        ))}
      </g>
      {bar === null ? null : (
        <path d={`M${x(bar.mean)},${top - 4}V${bottom + 2}`} stroke={theme.ink2} strokeDasharray="4 3" fill="none" />
      )}
      {rows.map(({ key, one, harm, test }, row) => {
        const own = harm[which];
        const y = top + row * ROW + ROW / 2;
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
