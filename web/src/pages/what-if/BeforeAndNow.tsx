// What the last move changed: what was moved, and what came of it.
import { METRICS } from '#analysis/metrics';
import type { RunSummary } from '#protocol/summary';
import { formatDelay, formatPercent, formatRate } from '../../ui/format';
import type { Made } from '../../what-if/make';
import css from './what-if.module.css';

interface Row {
  readonly label: string;
  readonly title?: string;
  readonly of: (summary: RunSummary) => number | null | undefined;
  readonly text: (value: number | null | undefined) => string;
}

const linkOf = ({ links }: RunSummary) => links.find(({ direction }) => direction === 'forward');

const ROWS: readonly Row[] = [
  {
    ...{ label: 'Utilisation', title: METRICS.utilisation.definition, text: formatPercent },
    of: (summary) => linkOf(summary)?.utilisation,
  },
  {
    ...{ label: 'Throughput of flow 1', text: formatRate },
    of: ({ receivers }) => receivers[0]?.throughput_mbps,
  },
  {
    ...{ label: 'Queueing delay, mean', title: METRICS.queueing_mean.definition, text: formatDelay },
    of: (summary) => linkOf(summary)?.queueing_delay.mean_ms,
  },
  {
    ...{ label: 'Queueing delay, p95', text: formatDelay },
    of: (summary) => linkOf(summary)?.queueing_delay.p95_ms,
  },
  { label: 'Loss', title: METRICS.loss.definition, of: (summary) => METRICS.loss.of(summary), text: formatPercent },
];

interface BeforeAndNowProps {
  readonly before: Made;
  readonly now: Made;
  /** What was moved, in words. */
  readonly moved: string;
}

export function BeforeAndNow({ before, now, moved }: BeforeAndNowProps) {
  return (
    <section className={css['change']} aria-label="Before and now">
      <p>{moved}</p>
      <dl>
        {ROWS.map(({ label, title, of, text }) => (
          <div key={label}>
            <dt title={title}>{label}</dt>
            <dd>
              {text(of(before.summary))} <span aria-hidden="true">→</span> <strong>{text(of(now.summary))}</strong>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
