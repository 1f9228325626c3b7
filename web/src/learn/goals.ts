// What the question of a lesson asks a run for, and whether it has it.
import { formatDelay, formatPercent, formatBytes } from '#analysis/format';
import { METRICS } from '#analysis/metrics';
import { senderStream } from '#protocol/columns';
import type { RunSummary } from '#protocol/summary';
import type { RunSamples } from '../plots/data';

/** As much of a run as goals look at. */
export interface Asked {
  readonly summary: RunSummary;
  readonly samples: Pick<RunSamples, 'streams'>;
}

export type GoalMetric = 'utilisation' | 'queueing_mean_ms' | 'queueing_p95_ms' | 'loss' | 'first_share' | 'last_cwnd';

export interface Goal {
  readonly metric: GoalMetric;
  readonly at_least?: number;
  readonly at_most?: number;
}

interface Described {
  readonly label: string;
  readonly of: (run: Asked) => number | null;
  readonly text: (value: number | null) => string;
}

const linkOf = ({ links }: RunSummary) => links.find(({ direction }) => direction === 'forward');

function shareOfFirst({ receivers }: RunSummary): number | null {
  const rates = receivers.map(({ throughput_mbps }) => throughput_mbps);
  const total = rates.reduce((sum, rate) => sum + rate, 0);
  return total === 0 ? null : (rates[0] ?? 0) / total;
}

function lastCwnd({ streams }: Asked['samples']): number | null {
  const stream = streams.get(senderStream(0));
  const cwnd = stream?.column('cwnd_bytes')?.[stream.rows - 1] ?? NaN;
  return Number.isNaN(cwnd) ? null : cwnd;
}

const METRIC: Readonly<Record<GoalMetric, Described>> = {
  utilisation: {
    label: 'utilisation',
    of: ({ summary }) => linkOf(summary)?.utilisation ?? null,
    text: formatPercent,
  },
  queueing_mean_ms: {
    label: 'mean queueing delay',
    of: ({ summary }) => linkOf(summary)?.queueing_delay.mean_ms ?? null,
    text: formatDelay,
  },
  queueing_p95_ms: {
    label: 'queueing delay, p95',
    of: ({ summary }) => linkOf(summary)?.queueing_delay.p95_ms ?? null,
    text: formatDelay,
  },
  loss: { label: 'loss', of: ({ summary }) => METRICS.loss.of(summary) ?? null, text: formatPercent },
  first_share: {
    label: 'share of flow 1',
    of: ({ summary }) => shareOfFirst(summary),
    text: formatPercent,
  },
  last_cwnd: { label: 'window at the end', of: ({ samples }) => lastCwnd(samples), text: formatBytes },
};

export interface Judged {
  readonly goal: Goal;
  readonly met: boolean;
  /** `utilisation 99 %, asked for: at least 98 %`. */
  readonly text: string;
}

export function judge(goal: Goal, run: Asked): Judged {
  const { label, of, text } = METRIC[goal.metric];
  const value = of(run);
  const { at_least = -Infinity, at_most = Infinity } = goal;
  const bounds = [
    ...(goal.at_least === undefined ? [] : [`at least ${text(goal.at_least)}`]),
    ...(goal.at_most === undefined ? [] : [`at most ${text(goal.at_most)}`]),
  ];
  return {
    goal,
    met: value !== null && value >= at_least && value <= at_most,
    text: `${label} ${text(value)}, asked for: ${bounds.join(', ')}`,
  };
}
