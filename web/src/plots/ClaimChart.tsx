// One claim: the paper's numbers and ours, a row a key.
import { claimPicture } from '#analysis/claim-picture';
import type { ClaimOutcome } from '#protocol/study';
import { wrap } from '../charts/export-svg';
import { shortened, textWidth } from '../charts/measure';
import type { Theme } from '../theme/theme';
import { VERDICT_MARKS } from './verdicts';
import css from './claims.module.css';

/** Above the marks the claim itself stands, in as many lines as it takes, so that a saved figure says what it is about. */
const LINE = 18;
const BELOW_TITLE = 4;

interface ClaimChartProps {
  readonly claim: ClaimOutcome;
  readonly nameOf: (id: string) => string;
  readonly width: number;
  readonly theme: Theme;
}

export function ClaimChart({ claim, nameOf, width, theme }: ClaimChartProps) {
  const picture = claimPicture(claim, width, nameOf);
  const { text, outcome, unit } = claim;
  const said = `${VERDICT_MARKS[outcome.verdict]} ${text}`;
  const font = `550 13px ${theme.sans}`;
  // A word that is longer than a line has no place to break.
  const lines = wrap(said, width - 4, (part) => textWidth(part, font)).map((line) => shortened(line, width - 4, font));
  const head = lines.length * LINE + BELOW_TITLE;
  if (picture === null)
    return (
      <svg width={width} height={head} data-figure-part="" role="img" aria-label={said} className={css['chart']}>
        <Title lines={lines} />
      </svg>
    );
  const { left, right, top, bottom, columns, ticks, rows, height } = picture;
  return (
    <svg
      width={width}
      height={head + height}
      data-figure-part=""
      role="img"
      aria-label={`${said}: ${outcome.text}`}
      className={css['chart']}
    >
      <Title lines={lines} />
      <g transform={`translate(0,${head})`}>
        {ticks.map(({ x, text: label }) => (
          <g key={x} className={css['tick']}>
            <path d={`M${Math.round(x) + 0.5},${top}V${bottom}`} />
            <text x={x} y={bottom + 14}>
              {label}
            </text>
          </g>
        ))}
        <g className={css['heads']}>
          {columns.paper === null ? null : (
            <text x={columns.paper} y={12}>
              paper
            </text>
          )}
          <text x={columns.ours} y={12}>
            ours{unit === '' ? '' : `, ${unit}`}
          </text>
        </g>
        {rows.map(({ key, y, numbersY, paper, ours, inside, accepted, printed, measured }, i) => (
          <g key={`${key} ${i}`} data-inside={inside ?? undefined} className={css['row']}>
            <text x={0} y={y + 4} className={css['key']}>
              {key}
            </text>
            {ticks.length === 0 ? null : <path d={`M${left},${y}H${right}`} className={css['line']} />}
            {accepted === null ? null : (
              <rect x={accepted.from} y={y - 7} width={Math.max(accepted.to - accepted.from, 1)} height={14} rx={2} />
            )}
            {printed === null ? null : printed.from === printed.to ? (
              <path d={`M${printed.from - 5},${y}l5,-5l5,5l-5,5z`} className={css['printed']} />
            ) : (
              <path
                d={`M${printed.from},${y - 5}v10M${printed.from},${y}H${printed.to}M${printed.to},${y - 5}v10`}
                className={css['span']}
              />
            )}
            {measured === null ? null : (
              <g className={css['ours']}>
                {measured.low === null || measured.high === null ? null : (
                  <path d={`M${measured.low},${y}H${measured.high}`} />
                )}
                <circle cx={measured.x} cy={y} r={4} />
              </g>
            )}
            {columns.paper === null ? null : (
              <text x={columns.paper} y={numbersY + 4} className={css['number']}>
                {paper}
              </text>
            )}
            <text x={columns.ours} y={numbersY + 4} className={css['number']} data-ours="">
              {ours}
            </text>
          </g>
        ))}
      </g>
    </svg>
  );
}

const Title = ({ lines }: { readonly lines: readonly string[] }) => (
  <text className={css['title']}>
    {lines.map((line, i) => (
      <tspan key={`${i} ${line}`} x={0} y={14 + i * LINE}>
        {line}
      </tspan>
    ))}
  </text>
);
