// Capacity over time as one panel: the mean of each bin in the band of its 10 ms rates.
import { isCut } from '../charts/scales';
import { type TimeView, useTimeView } from '../charts/time-view';
import type { PanelSpec } from '../charts/types';
import { useVisibility, type Visibility } from '../charts/visibility';
import type { Theme } from '../theme/theme';
import type { CapacitySeries } from './trace-data';

/** Says what the band is, and when not all of it is in sight. */
export function useBandText(spec: PanelSpec | null, view: TimeView, visibility: Visibility): string {
  const range = useTimeView(view, (now) => now.range);
  useVisibility(visibility);
  const cut = spec !== null && isCut(spec, range, visibility);
  return `, and least to greatest 10 ms rate within${cut ? ' (▴ beyond the scale)' : ''}`;
}

/** `handovers`: when the model behind the trace has the user change cells. */
export function capacityPanel(
  { mean, min, max }: CapacitySeries,
  meanMbps: number,
  theme: Theme,
  handovers: readonly number[] = [],
): PanelSpec {
  return {
    id: 'trace-capacity',
    title: 'Capacity of the trace',
    series: [
      {
        id: 'range',
        kind: 'band',
        label: 'least to greatest 10 ms',
        unit: 'Mbps',
        group: 'range',
        lower: min,
        upper: max,
        style: { colour: theme.capacityEdge, fill: theme.capacityEdge, opacity: 0.45 },
      },
      {
        id: 'mean',
        kind: 'step',
        label: 'mean',
        unit: 'Mbps',
        group: 'mean',
        data: mean,
        style: { colour: theme.ink, width: 1 },
      },
    ],
    limits: [{ id: 'trace-mean', label: '', value: meanMbps, colour: theme.ink3, group: 'trace-mean' }],
    ...(handovers.length === 0
      ? {}
      : {
          marks: [
            {
              id: 'handover',
              label: 'handover',
              shape: 'change' as const,
              colour: theme.ink2,
              group: 'handover',
              times: handovers,
            },
          ],
        }),
    y: { unit: 'Mbps', cut: 'bands' },
  };
}
