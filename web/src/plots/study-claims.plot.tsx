// What a paper says in one of its figures beside ours: a chart a claim, its verdict, the same under other conditions, and why it does not hold.
import { z } from 'zod';
import { originOf, sampleText } from '#analysis/study-outcome';
import type { ClaimOutcome, Origin } from '#protocol/study';
import { Figure } from '../charts/Figure';
import type { Table } from '../charts/types';
import { Badge } from '../ui/page';
import { ClaimChart } from './ClaimChart';
import type { StudyPlotData } from './data';
import { definePlot, type PlotProps } from './registry';
import { VERDICT_KINDS, VERDICT_MARKS, VERDICT_WORDS } from './verdicts';
import css from './claims.module.css';

const options = z.object({});

function table({ study, figure }: StudyPlotData): Table {
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const claim of figure.claims) {
      const { id, text, unit, outcome, variants } = claim;
      const told = { title: 'as told', origin: originOf(study, claim) ?? '', outcome };
      for (const { title, origin, outcome: own } of [told, ...variants]) {
        if (own.points.length === 0)
          yield [id, text, title, origin, own.verdict, '', own.text, '', null, null, null, unit, null];
        for (const { key, paper, ours } of own.points)
          yield [
            id,
            text,
            title,
            origin,
            own.verdict,
            key,
            paper.text,
            ours?.text ?? '',
            ours?.value ?? null,
            ours?.low ?? null,
            ours?.high ?? null,
            unit,
            ours?.n ?? null,
          ];
      }
    }
  }
  const columns = [
    'claim',
    'text',
    'conditions',
    'origin',
    'verdict',
    'key',
    'paper',
    'ours',
    'value',
    'low95',
    'high95',
    'unit',
    'n',
  ];
  return { columns, rows: rows() };
}

interface ClaimProps extends Pick<PlotProps<'study', unknown>, 'theme'> {
  readonly claim: ClaimOutcome;
  readonly origin: Origin | null;
  readonly nameOf: StudyPlotData['nameOf'];
  readonly width: number;
}

function Claim({ claim, origin, nameOf, width, theme }: ClaimProps) {
  const { outcome, variants, reason } = claim;
  const sample = sampleText(outcome);
  const told = variants.filter((variant) => variant.outcome.verdict !== 'open');
  return (
    <div className={css['claim']}>
      <ClaimChart claim={claim} nameOf={nameOf} width={width} theme={theme} />
      <p className={css['said']}>
        <Badge {...kindOf(outcome.verdict)}>{VERDICT_WORDS[outcome.verdict]}</Badge>
        <span>
          {outcome.text}
          {origin === null ? null : ` (${origin})`}
        </span>
        {sample === '' ? null : <span className={css['sample']}>{sample}</span>}
      </p>
      {reason === null ? null : (
        <p className={css['why']}>
          <b>Why:</b> {reason.text}{' '}
          {reason.shown === null
            ? null
            : reason.shown
              ? `Shown by “${reason.title}”.`
              : `But “${reason.title}” does not show it.`}
        </p>
      )}
      {told.length === 0 ? null : (
        <ul className={css['variants']} aria-label="Under other conditions">
          {told.map(({ id, title, origin, outcome: own, nearer }) => (
            <li key={id}>
              {VERDICT_MARKS[own.verdict]} {title} ({origin}): {own.text}
              {nearer === true ? <b>, nearer to the paper</b> : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function kindOf(verdict: ClaimOutcome['outcome']['verdict']): { readonly kind?: 'live' | 'warn' | 'bad' } {
  const kind = VERDICT_KINDS[verdict];
  return kind === undefined ? {} : { kind };
}

/** Wide pages show claims side by side, each at least this wide. */
const CLAIM_WIDTH = 520;
const GAP = 32;

function StudyFigure({ data, size, theme }: PlotProps<'study', object>) {
  const { study, figure, nameOf } = data;
  const columns = Math.max(1, Math.min(figure.claims.length, Math.floor(size.width / CLAIM_WIDTH), 2));
  const width = Math.floor((size.width - (columns - 1) * GAP) / columns);
  return (
    <Figure
      name={`${study.id}-${figure.id}`}
      title={figure.title}
      subtitle={[
        ...(figure.note === '' ? [] : [figure.note]),
        '◇ paper, shaded: accepted, ● ours with its 95 % interval',
      ].join(' ')}
      spoken
      table={() => table(data)}
    >
      <div
        className={css['claims']}
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, columnGap: GAP }}
      >
        {figure.claims.map((claim) => (
          <Claim
            key={claim.id}
            claim={claim}
            origin={originOf(study, claim)}
            nameOf={nameOf}
            width={width}
            theme={theme}
          />
        ))}
      </div>
    </Figure>
  );
}

export const plot = definePlot({
  id: 'claims',
  title: 'Claims',
  needs: 'study',
  order: 0,
  height: 300,
  options,
  table,
  Component: StudyFigure,
});
