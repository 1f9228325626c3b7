// Whose packets fill the queue: bytes of each flow, of a run of several flows that was made again to be watched.
import { z } from 'zod';
import type { QueueByFlow } from '#protocol/packets';
import type { SeriesData, SeriesSpec } from '../charts/types';
import { formatDuration } from '../ui/format';
import { defineRunPlot, flowLegend, lineWidth, quantityLegend } from './run-plot';

const NOTHING = { subtitle: '', legend: [], panels: [] };
const ALL = 'all-flows';

/** Means at the ends of their periods. */
const meansOver = (means: readonly number[], period_s: number): SeriesData => ({
  x: Float64Array.from(means, (_, i) => (i + 1) * period_s),
  y: Float32Array.from(means),
  length: means.length,
});

const totals = ({ mean_bytes }: QueueByFlow): number[] =>
  (mean_bytes[0] ?? []).map((_, i) => mean_bytes.reduce((sum, flow) => sum + (flow[i] ?? 0), 0));

export const plot = defineRunPlot({
  id: 'queue-by-flow',
  title: 'Whose packets fill the queue',
  order: 50,
  height: 190,
  options: z.object({}),
  build: ({ data, flows, theme, height }) => {
    const { queueByFlow: queue } = data;
    if (queue === undefined || flows.length < 2 || data.overlays !== undefined) return NOTHING;
    const period_s = queue.period_ms / 1000;
    const all: SeriesSpec = {
      id: ALL,
      kind: 'area',
      label: 'all flows',
      unit: 'B',
      group: ALL,
      data: meansOver(totals(queue), period_s),
      style: { colour: theme.capacity },
    };
    const own = flows.map(({ key, label, look, index }): SeriesSpec => ({
      id: key,
      kind: 'line',
      label,
      unit: 'B',
      group: key,
      data: meansOver(queue.mean_bytes[index] ?? [], period_s),
      style: { colour: look.colour, dash: look.dash, width: lineWidth(flows) },
    }));
    return {
      subtitle: `means over ${formatDuration(period_s)}, the packet on the wire among them; the run was made again to tell`,
      legend: [...flowLegend(flows), { ...quantityLegend(ALL, 'all flows', theme.capacity), glyph: 'swatch' }],
      panels: [
        {
          height,
          spec: { id: 'queue-by-flow', title: 'Whose packets fill the queue', series: [all, ...own], y: { unit: 'B' } },
        },
      ],
    };
  },
});
