// The mean capacity that limits in BDP and ms are of, and what is to be said of it.
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { limitsOfPart } from '#analysis/limits';
import { meanOf, tracePart, windowsOf, type PartWindow } from '#analysis/trace-part';
import type { TraceRecord } from '#protocol/api';
import type { TracePreview } from '#protocol/trace';
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

/** null: not all of them are known. */
function meanOfResults(
  results: readonly UseQueryResult<TracePreview>[],
  windows: readonly PartWindow[],
): number | null {
  const parts = windows.flatMap((window, i) => {
    const { data, isPlaceholderData = true } = results[i] ?? {};
    const mean = isPlaceholderData ? undefined : data?.mean_mbps[0];
    return mean === undefined ? [] : [{ window, mean }];
  });
  return parts.length === 0 || parts.length < windows.length ? null : meanOf(parts);
}

/** `trace` undefined: a constant rate of `rate`. */
export function useLimitMean(asked: Draft, rate: number, trace: TraceRecord | undefined): LimitMean {
  const draft = { ...asked, vary: variedBy(asked) };
  const part = trace === undefined ? undefined : tracePart(draft, trace.info.period_ms);
  const windows = trace === undefined || part?.kind !== 'stretch' ? [] : windowsOf(part, trace.info.period_ms);
  const ran = useQueries({
    queries: windows.map(({ from_ms, to_ms }) =>
      previewQuery(trace?.id ?? '', { bins: 1, fromMs: from_ms, toMs: to_ms }),
    ),
    combine: (results) => meanOfResults(results, windows),
  });
  if (trace === undefined || windows.length === 0) return { mean: rate, note: '', choice: false };
  const runs = formatDuration(draft.duration_s);
  if (limitsOfPart(draft, trace.info.period_ms))
    return { mean: ran, note: `, the mean of the ${runs} that run (whole trace: ${formatRate(rate)})`, choice: true };
  const other = ran === null ? '' : ` (${formatRate(ran)} in the ${runs} that run)`;
  return { mean: rate, note: `, the mean of the whole trace${other}`, choice: true };
}
