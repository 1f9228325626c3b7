// What one algorithm was checked against, on its card.
import type { Finding, Verdict } from '#protocol/fidelity';
import { Badge } from '../../ui/page';
import css from './checks.module.css';

const WORDS: Readonly<Record<Verdict, string>> = {
  holds: 'holds',
  deviates: 'deviates',
  FAILS: 'fails',
  told: 'measured',
  skipped: 'skipped',
};
const ORDER = Object.keys(WORDS) as Verdict[];

const count = (findings: readonly Finding[]): string =>
  ORDER.map((verdict) => [findings.filter((finding) => finding.verdict === verdict).length, WORDS[verdict]] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(' · ');

export function Checks({ label, findings }: { readonly label: string; readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <details className={css['checks']}>
      <summary>
        Checks <span>{count(findings)}</span>
      </summary>
      <ul aria-label={`What ${label} was checked against`}>
        {findings.map(({ id, verdict, what, measured, expected, source, reason, docs }) => (
          <li key={id}>
            <div>
              {what} <Badge>{WORDS[verdict]}</Badge>
            </div>
            <div>
              <b>{measured}</b> · expected {expected} · {source}
            </div>
            {reason === undefined ? null : (
              <div>
                {reason} {docs === undefined ? null : <code>{docs}</code>}
              </div>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
