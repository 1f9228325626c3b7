// Bars of the scenario scores: one small chart per scenario, CCAs in the same order in all of them.
import { useId } from 'react';
import { scaleLinear } from 'd3';
import type { RankedCca } from '#analysis/ranking';
import { SHORT_TERMS, weightText, type ScenarioRanking } from '#analysis/score-order';
import { shortened, textWidth } from '../charts/measure';
import { useVisibility, type Visibility } from '../charts/visibility';
import { formatMeasured } from '../ui/format';
import type { Theme } from '../theme/theme';
import type { CcaSeries } from './experiment-series';
import styles from './scores.module.css';

interface ScoreBarsProps {
  readonly rankings: readonly ScenarioRanking[];
  readonly keys: readonly string[];
  readonly series: ReadonlyMap<string, CcaSeries>;
  readonly visibility: Visibility;
  readonly width: number;
  readonly theme: Theme;
}

const ROW = 26;
const BAR = 14;
const TOP = 40;
const BOTTOM = 22;
/** Room for the printed value and the rank. */
const RIGHT = 74;
const GAP = 24;
/** Below this width the scenarios stand one under the other. */
const NARROW = 760;

export function ScoreBars({ rankings, keys, series, visibility, width, theme }: ScoreBarsProps) {
  const { hidden, highlighted } = useVisibility(visibility);
  const hatch = useId();
  const rows = keys.flatMap((key) => {
    const one = series.get(key);
    return one === undefined || hidden.has(one.group) ? [] : [one];
  });
  const stacked = width < NARROW;
  const labelWidth = Math.min(
    150,
    Math.max(...rows.map(({ label }) => textWidth(label, `400 12px ${theme.sans}`)), 30) + 28,
  );
  const height = TOP + rows.length * ROW + BOTTOM;
  const columnWidth = stacked ? width : (width - labelWidth - GAP * (rankings.length - 1)) / rankings.length;
  return (
    <div className={styles['scores']} data-stacked={stacked}>
      {rankings.map(({ scenario, weights, ranking, left_out }, i) => {
        // Side by side only the first chart carries the names.
        const left = stacked || i === 0 ? labelWidth : 0;
        const own = stacked ? width : columnWidth + left;
        const x = scaleLinear([0, 1], [left, own - RIGHT]);
        // One under the other the weights need the whole width.
        const headingAt = stacked ? 0 : left;
        return (
          <svg
            key={scenario.id}
            width={own}
            height={height}
            data-figure-part=""
            role="img"
            aria-label={`${scenario.label}: score of each algorithm`}
          >
            <Hatch id={`${hatch}-${i}`} />
            <text x={headingAt} y={13} className={styles['title']}>
              {scenario.label}
            </text>
            <text x={headingAt} y={29} className={styles['weights']}>
              {weightText(weights, left_out)}
            </text>
            {[0, 0.5, 1].map((tick) => (
              <g key={tick} className={styles['tick']}>
                <path d={`M${Math.round(x(tick)) + 0.5},${TOP - 4}V${height - BOTTOM + 2}`} />
                <text x={x(tick)} y={height - 7}>
                  {tick}
                </text>
              </g>
            ))}
            {rows.map((one, row) => {
              const entry = ranking.ccas.find((candidate) => candidate.key === one.key);
              const y = TOP + row * ROW + (ROW - BAR) / 2;
              return (
                <g
                  key={one.key}
                  opacity={highlighted === null || highlighted === one.group ? 1 : 0.25}
                  onPointerEnter={() => visibility.highlight(one.group)}
                  onPointerLeave={() => visibility.highlight(null)}
                >
                  <rect x={0} y={TOP + row * ROW} width={own} height={ROW} fill="transparent" />
                  {left > 0 && (
                    <>
                      <path
                        d={one.look.path(5)}
                        transform={`translate(9,${y + BAR / 2})`}
                        fill={one.look.hollow ? 'none' : one.look.colour}
                        stroke={one.look.colour}
                        strokeWidth={one.look.hollow ? 1.6 : 0}
                      />
                      <text x={22} y={y + BAR - 3} className={styles['name']}>
                        {shortened(one.label, labelWidth - 28, `400 12px ${theme.sans}`)}
                        <title>{one.label}</title>
                      </text>
                    </>
                  )}
                  {entry !== undefined && (
                    <Bar
                      entry={entry}
                      traces={ranking.over.traces}
                      x={x}
                      y={y}
                      colour={one.look.colour}
                      hatch={`url(#${hatch}-${i})`}
                      theme={theme}
                    />
                  )}
                </g>
              );
            })}
          </svg>
        );
      })}
    </div>
  );
}

/** What was not measured. */
const Hatch = ({ id }: { readonly id: string }) => (
  <defs>
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <path d="M0,0V6" className={styles['hatch']} />
    </pattern>
  </defs>
);

interface BarProps {
  readonly entry: RankedCca;
  readonly traces: number;
  readonly x: (value: number) => number;
  readonly y: number;
  readonly colour: string;
  readonly hatch: string;
  readonly theme: Theme;
}

function Bar({ entry, traces, x, y, colour, hatch, theme }: BarProps) {
  const { score, interval, interval_traces: across, rank, tied_with } = entry;
  const from = x(0);
  const middle = y + BAR / 2;
  if (score.value === null)
    return (
      <>
        <rect x={from} y={y} width={x(1) - from} height={BAR} fill={hatch} className={styles['missing']} />
        <text x={from + 8} y={middle} dy="0.35em" className={styles['unknown']}>
          {`not measured: ${score.missing.map((term) => SHORT_TERMS[term]).join(', ')}`}
        </text>
      </>
    );
  return (
    <>
      <title>
        {tied_with.length === 0
          ? 'No ties'
          : `Cannot be told from ${tied_with.length} other${tied_with.length === 1 ? '' : 's'}`}
        {across === null
          ? ''
          : `; over ${traces} traces ${formatMeasured(across.low)} … ${formatMeasured(across.high)} (95 %)`}
      </title>
      <rect x={from} y={y} width={Math.max(1, x(score.value) - from)} height={BAR} fill={colour} rx={1.5} />
      {interval !== null && (
        <>
          <path d={`M${x(interval.low)},${middle}H${x(interval.high)}`} stroke={theme.surface} strokeWidth={4} />
          <path
            d={`M${x(interval.low)},${middle}H${x(interval.high)}M${x(interval.low)},${middle - 4}v8M${x(interval.high)},${middle - 4}v8`}
            stroke={theme.ink}
            strokeWidth={1.25}
          />
        </>
      )}
      <text x={x(1) + 8} y={middle} dy="0.35em" className={styles['value']}>
        {formatMeasured(score.value)}
      </text>
      <text x={x(1) + RIGHT - 4} y={middle} dy="0.35em" className={styles['rank']}>
        {rank === null ? '' : `${rank}${tied_with.length > 0 ? ' =' : ''}`}
      </text>
    </>
  );
}
