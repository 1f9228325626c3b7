// One claim: the paper's numbers and ours, a row a key.
import { claimPicture } from '#analysis/claim-picture';
import type { ClaimOutcome } from '#protocol/study';
import { shortened } from '../charts/measure';
import type { Theme } from '../theme/theme';
import { VERDICT_MARKS } from './verdicts';
import css from './claims.module.css';

/** Above the marks the claim itself stands, so that a saved figure says what it is about. */
const HEAD = 22;

interface ClaimChartProps {
  readonly claim: ClaimOutcome;
  readonly width: number;
  readonly theme: Theme;
}

export function ClaimChart({ claim, width, theme }: ClaimChartProps) {
  const picture = claimPicture(claim, width);
  const { text, outcome, unit } = claim;
  const said = `${VERDICT_MARKS[outcome.verdict]} ${text}`;
  const shown = shortened(said, width - 4, `550 13px ${theme.sans}`);
  if (picture === null)
    return (
      <svg width={width} height={HEAD} data-figure-part="" role="img" aria-label={said} className={css['chart']}>
        <Title shown={shown} said={said} />
      </svg>
    );
  const { left, right, top, bottom, columns, ticks, rows, height } = picture;
  return (
    <svg
      width={width}
      height={HEAD + height}
      data-figure-part=""
      role="img"
      aria-label={`${said}: ${outcome.text}`}
      className={css['chart']}
    >
      <Title shown={shown} said={said} />
      <g transform={`translate(0,${HEAD})`}>
        {ticks.map(({ x, text: label }) => (
          <g key={x} className={css['tick']}>
            <path d={`M${Math.round(x) + 0.5},${top}V${bottom}`} />
            <text x={x} y={bottom + 14}>
              {label}
            </text>
          </g>
        ))}
        {columns === null ? null : (
          <g className={css['heads']}>
            <text x={columns.paper} y={12}>
              paper
            </text>
            <text x={columns.ours} y={12}>
              ours{unit === '' ? '' : `, ${unit}`}
            </text>
          </g>
        )}
        {rows.map(({ key, y, paper, ours, inside, accepted, printed, measured }, i) => (
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
            {columns === null ? null : (
              <>
                <text x={columns.paper} y={y + 4} className={css['number']}>
                  {paper}
                </text>
                <text x={columns.ours} y={y + 4} className={css['number']} data-ours="">
                  {ours}
                </text>
              </>
            )}
          </g>
        ))}
      </g>
    </svg>
  );
}

const Title = ({ shown, said }: { readonly shown: string; readonly said: string }) => (
  <text x={0} y={14} className={css['title']}>
    {shown}
    {shown === said ? null : <title>{said}</title>}
  </text>
);
