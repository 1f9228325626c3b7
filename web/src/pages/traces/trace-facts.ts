// A trace's figures as they are read: of one trace, and of several beside one another.
import type { TraceRecord } from '#protocol/api';
import type { TraceDynamics } from '#protocol/trace';
import { lagText } from '../../plots/AcfChart';
import { formatSlope } from '../../plots/trace-falls.plot';
import {
  formatCount,
  formatDelay,
  formatDuration,
  formatPercent,
  formatRate,
  formatRates,
  plural,
} from '../../ui/format';
import type { Fact } from '../../ui/page';

const BEYOND = 'longer than was looked for';

export function factsOf({ info }: TraceRecord, dynamics: TraceDynamics | null): Fact[] {
  return [
    { label: 'Mean', value: formatRate(info.mean_mbps) },
    {
      label: 'Standard deviation',
      value: formatRate(info.std_1s_mbps),
      note: `1 s; ${formatRate(info.std_10ms_mbps)} at 10 ms`,
    },
    { label: 'Peak', value: formatRate(info.peak_1s_mbps), note: `1 s; ${formatRate(info.peak_10ms_mbps)} at 10 ms` },
    {
      label: '5 % … 95 %',
      value: formatRates(info.p5_1s_mbps, info.p95_1s_mbps),
      note: 'of 1 s rates',
    },
    ...(dynamics === null ? [] : movement(dynamics)),
    {
      label: 'Longest gap',
      value: formatDelay(info.longest_gap_ms),
      note: `without any opportunity; ${formatDelay(info.wrap_gap_ms)} when it starts again`,
    },
    {
      label: 'Share under 5 Mbps',
      value: formatPercent(info.share_below_5mbps_1s),
      note: `of seconds; ${formatPercent(info.share_below_5mbps_10ms)} of 10 ms`,
    },
    { label: 'Empty seconds', value: formatCount(info.empty_seconds) },
    { label: 'Length', value: formatDuration(info.period_ms / 1000), note: 'then it starts again' },
    {
      label: 'Opportunities',
      value: formatCount(info.opportunities),
      note: `at most ${formatCount(info.max_per_ms)} per ms`,
    },
    { label: 'Resolution', value: formatDelay(info.resolution_ms), note: 'constant within' },
  ];
}

function movement({ coherence_s, memory, outages, falls, usual_ms }: TraceDynamics): Fact[] {
  const below = outages[1];
  const long = memory[1]?.below_1e_s ?? null;
  const constant = memory.every(({ acf }) => acf.length === 0);
  return [
    {
      label: 'Coherence time',
      value: constant ? 'constant' : coherence_s === null ? 'over 60 s' : lagText(coherence_s),
      note: constant
        ? 'the rate never changes'
        : `autocorrelation of 10 ms under 1/e; of 100 ms: ${long === null ? BEYOND : lagText(long)}`,
    },
    {
      label: 'Outages',
      value: below === undefined || below.count === 0 ? 'none' : plural(below.count, 'outage'),
      note:
        below === undefined || below.count === 0
          ? 'under 5 Mbps for 100 ms'
          : `under 5 Mbps for 100 ms; longest ${formatDelay(below.longest_ms)}`,
    },
    {
      label: 'Fall, median',
      value: falls.median_mbps_per_s === null ? 'none' : formatSlope(falls.median_mbps_per_s),
      note:
        falls.steepest_mbps_per_s === null
          ? 'from 80 to 20 % within 3 s'
          : `${plural(falls.count, 'fall')}, steepest ${formatSlope(falls.steepest_mbps_per_s)}`,
    },
    { label: 'Largest fall', value: formatRate(falls.largest_3s_mbps), note: 'within 3 s, of 0.5 s means' },
    {
      label: 'Usual millisecond',
      value: plural(usual_ms.packets, 'packet'),
      note: `${formatRate(usual_ms.packets * 12)}; ${formatPercent(usual_ms.share)} of the volume`,
    },
  ];
}
