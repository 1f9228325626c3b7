// The mean capacity that limits in BDP and ms are of, and what is to be said of it.
import { useQuery } from '@tanstack/react-query';
import { limitsOfPart } from '#analysis/limits';
import { tracePart } from '#analysis/trace-part';
import type { TraceRecord } from '#protocol/api';
import { previewQuery } from '../../api/queries';
import { formatDuration, formatRate } from '../../ui/format';
import { variedBy, type Draft } from './draft';

interface LimitMean {
  /** null: not known yet. */
  readonly mean: number | null;
  /** Beside the number: whose mean it is, and the other one where both are known. */
  readonly note: string;
  /** There is a choice: only the beginning of the trace runs. */
  readonly choice: boolean;
}

/** `trace` undefined: a constant rate of `rate`. */
export function useLimitMean(asked: Draft, rate: number, trace: TraceRecord | undefined): LimitMean {
  const draft = { ...asked, vary: variedBy(asked) };
  const part = trace === undefined ? undefined : tracePart(draft, trace.info.period_ms);
  const beginning = part?.kind === 'beginning';
  const toMs = Math.ceil(draft.duration_s * 1e3);
  const { data, isPlaceholderData } = useQuery({
    ...previewQuery(trace?.id ?? '', { bins: 1, fromMs: 0, toMs }),
    enabled: beginning,
  });
  if (trace === undefined || !beginning) return { mean: rate, note: '', choice: false };
  const ran = isPlaceholderData ? null : (data?.mean_mbps[0] ?? null);
  const runs = formatDuration(draft.duration_s);
  if (limitsOfPart(draft, trace.info.period_ms))
    return { mean: ran, note: `, the mean of the ${runs} that run (whole trace: ${formatRate(rate)})`, choice: true };
  const other = ran === null ? '' : ` (${formatRate(ran)} in the ${runs} that run)`;
  return { mean: rate, note: `, the mean of the whole trace${other}`, choice: true };
}
