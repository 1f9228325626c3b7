// The two panels of the home page: runs of different algorithms on the same link, drawn over each other.
import { FORWARD_LINK_STREAM, receiverStream } from '#protocol/columns';
import type { CcaDescriptor } from '#protocol/cca';
import { identity, UNKNOWN_IDENTITY } from '#analysis/cca-look';
import type { LineSeries, PanelSpec } from '../../charts/types';
import { columnSeries, windowMean } from '../../plots/columns';
import type { RunSamples } from '../../plots/data';
import type { Theme } from '../../theme/theme';

export interface SampleRun {
  /** Up to the playhead. */
  readonly samples: RunSamples;
  /** All of it: the link is known before the flows have met it. */
  readonly whole: RunSamples;
  readonly cca: CcaDescriptor | undefined;
  readonly label: string;
}

/** Rates are shown as means over this long: a trace's single milliseconds would be a wall of spikes. */
const WINDOW_MS = 200;

export function samplePanels(
  runs: readonly SampleRun[],
  theme: Theme,
): { readonly throughput: PanelSpec; readonly queue: PanelSpec } {
  const lines = (
    id: string,
    unit: string,
    kind: 'step' | 'line',
    read: (samples: RunSamples) => LineSeries['data'] | undefined,
  ): LineSeries[] =>
    runs.flatMap((run, i) => {
      const data = read(run.samples);
      if (data === undefined) return [];
      const look = identity(run.cca ?? UNKNOWN_IDENTITY, theme);
      const style = { colour: look.colour, dash: look.dash, width: 1.75 };
      return [{ id: `${id}-${i}`, label: run.label, unit, kind, data, style, group: run.label }];
    });
  const link = runs[0]?.whole.streams.get(FORWARD_LINK_STREAM);
  const capacity: LineSeries[] =
    link === undefined
      ? []
      : [
          {
            id: 'capacity',
            label: 'capacity',
            unit: 'Mbps',
            kind: 'step-area',
            data: windowMean(link, 'capacity_mbps', WINDOW_MS),
            style: { colour: theme.capacityEdge, fill: theme.capacity, width: 1 },
            group: 'capacity',
          },
        ];
  return {
    throughput: {
      id: 'throughput',
      title: 'throughput of each algorithm over the capacity of the link',
      series: [
        ...capacity,
        ...lines('throughput', 'Mbps', 'step', (samples) => {
          const stream = samples.streams.get(receiverStream(0));
          return stream === undefined ? undefined : windowMean(stream, 'throughput_mbps', WINDOW_MS);
        }),
      ],
      y: { unit: 'Mbps' },
    },
    queue: {
      id: 'queue',
      title: 'bytes waiting in the queue',
      series: lines('queue', 'B', 'step', (samples) => {
        const stream = samples.streams.get(FORWARD_LINK_STREAM);
        return stream === undefined ? undefined : columnSeries(stream, 'queue_bytes');
      }),
      y: { unit: 'B' },
    },
  };
}
