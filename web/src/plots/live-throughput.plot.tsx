// Throughput of a live connection over that of the emulated one, both by the measurement's intervals.
import { z } from 'zod';
import { countedOf } from '#analysis/live-intervals';
import type { SeriesSpec } from '../charts/types';
import { windowMean } from './columns';
import { comparedFlow, intervalSeries, LIVE, liveLegend, liveStyle } from './live-series';
import { oracleLines, oracleOption } from './oracle';
import { defineLivePlot } from './run-plot';

/** The emulated rate is shown as coarsely as the measured one: by its usual interval, in whole sampling periods. */
function windowMs(interval_s: number, period_ms: number): number {
  return Math.max(1, Math.round((interval_s * 1000) / period_ms)) * period_ms;
}

export const plot = defineLivePlot({
  id: 'live-throughput',
  title: 'Throughput, live and emulated',
  order: 10,
  height: 210,
  options: z.object(oracleOption),
  build: ({ data, flows, link, theme, height, options: { oracle } }) => {
    const flow = comparedFlow(flows, data);
    if (flow?.receiver === undefined) return { subtitle: '', legend: [], panels: [] };
    const counted = countedOf(data.record.measurement);
    const window = windowMs(counted.interval_s, data.manifest.sample_period_ms);
    const reference = oracleLines(data, flows, theme, oracle);
    const series: SeriesSpec[] = [];
    if (link !== undefined)
      series.push({
        id: 'capacity',
        kind: 'step-area',
        label: 'capacity',
        unit: 'Mbps',
        group: 'capacity',
        data: windowMean(link, 'capacity_mbps', window),
        style: { colour: theme.capacityEdge, fill: theme.capacity },
      });
    series.push(
      ...reference.lines('receiver', '', 'Mbps', (stream) => windowMean(stream, 'throughput_mbps', window)),
      {
        id: flow.key,
        kind: 'line',
        label: `${flow.label}, emulated`,
        unit: 'Mbps',
        group: flow.key,
        data: windowMean(flow.receiver, 'throughput_mbps', window),
        style: { colour: flow.look.colour, dash: flow.look.dash, width: 1.6 },
      },
      {
        id: LIVE,
        kind: 'step-area',
        label: 'live',
        unit: 'Mbps',
        group: LIVE,
        data: intervalSeries(data, (interval) => interval.throughput_mbps, counted.intervals),
        style: liveStyle(theme),
      },
    );
    return {
      subtitle: `headers included; means of ${window} ms, over the emulated link’s capacity${reference.note}`,
      legend: [
        { key: 'capacity', label: 'capacity', colour: theme.capacity, glyph: 'swatch' },
        ...reference.legend,
        ...liveLegend(flow, theme),
      ],
      panels: [
        {
          height,
          spec: { id: 'live-throughput', title: 'Throughput, live and emulated', series, y: { unit: 'Mbps' } },
        },
      ],
    };
  },
});
