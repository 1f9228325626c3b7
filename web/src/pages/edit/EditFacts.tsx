import type { TraceRecord } from '#protocol/api';
import type { EditSketch } from '#protocol/edit';
import { formatDelay, formatDuration, formatPercent, formatRate } from '../../ui/format';
import { Facts } from '../../ui/page';

/** The outcome, and beside it what it was. */
export function EditFacts({ before: { info }, after }: { readonly before: TraceRecord; readonly after: EditSketch }) {
  const fact = (label: string, now: string, was: string) => ({
    label,
    value: now,
    note: now === was ? 'as before' : `was ${was}`,
  });
  return (
    <Facts
      facts={[
        fact('Length', formatDuration(after.period_ms / 1000), formatDuration(info.period_ms / 1000)),
        fact('Mean', formatRate(after.mean_mbps), formatRate(info.mean_mbps)),
        fact('Standard deviation, 1 s', formatRate(after.std_1s_mbps), formatRate(info.std_1s_mbps)),
        fact('Peak, 1 s', formatRate(after.peak_1s_mbps), formatRate(info.peak_1s_mbps)),
        fact(
          'Seconds under 5 Mbps',
          formatPercent(after.share_below_5mbps_1s),
          formatPercent(info.share_below_5mbps_1s),
        ),
        fact('Longest gap', formatDelay(after.longest_gap_ms), formatDelay(info.longest_gap_ms)),
      ]}
    />
  );
}
