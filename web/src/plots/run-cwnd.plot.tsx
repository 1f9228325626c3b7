// Congestion window and bytes in flight of each flow, before the bandwidth-delay product of the moment.
import { z } from 'zod';
import { baseRttMs } from '#protocol/base-rtt';
import type { SeriesSpec } from '../charts/types';
import { toneOf } from '../charts/tone';
import { columnSeries, scaled, windowMean } from './columns';
import { oracleLines, oracleOption } from './oracle';
import { defineRunPlot, flowLegend, lineWidth, quantityColour, quantityLegend } from './run-plot';

/** The BDP "now" takes the capacity as the mean of this time, so that single opportunities do not flicker. */
const BDP_WINDOW_MS = 100;
const APP_LIMITED = 'q:app-limited';

const options = z.object({
  scale: z.enum(['linear', 'log']).default('linear').meta({ title: 'Scale' }),
  ...oracleOption,
});

export const plot = defineRunPlot({
  id: 'cwnd',
  title: 'Window and bytes in flight',
  order: 30,
  height: 190,
  options,
  build: ({ data, flows, link, theme, height, options: { scale, oracle } }) => {
    const reference = oracleLines(data, flows, theme, oracle);
    const rtt = baseRttMs(data.manifest);
    const series: SeriesSpec[] = [];
    if (link !== undefined && rtt > 0)
      series.push({
        id: 'bdp',
        kind: 'step-area',
        label: 'BDP now',
        unit: 'B',
        group: 'bdp',
        // Mbps x ms = 125 B
        data: scaled(windowMean(link, 'capacity_mbps', BDP_WINDOW_MS), rtt * 125),
        style: { colour: theme.capacityEdge, fill: theme.capacity },
        background: true,
      });
    // Told a rate it has no window of its own: what it has in flight is what the others' windows are held against.
    series.push(...reference.lines('sender', 'in flight', 'B', (stream) => columnSeries(stream, 'inflight_bytes')));
    for (const { index, key, label, look, sender } of flows) {
      if (sender === undefined) continue;
      if (data.manifest.flows[index]?.source.kind !== 'bulk')
        series.push({
          id: `${key}/app-limited`,
          kind: 'shade',
          label: `${label} application`,
          unit: '',
          group: key,
          facet: APP_LIMITED,
          data: columnSeries(sender, 'app_limited'),
          states: ['has data', 'is the limit'],
          style: { colour: look.colour },
        });
      series.push(
        {
          id: `${key}/inflight`,
          kind: 'line',
          label: `${label} in flight`,
          unit: 'B',
          group: key,
          facet: 'q:inflight',
          data: columnSeries(sender, 'inflight_bytes'),
          style: { colour: toneOf(look.colour, 1, theme), dash: look.dash, width: 1.2 },
        },
        {
          id: `${key}/cwnd`,
          kind: 'line',
          label: `${label} cwnd`,
          unit: 'B',
          group: key,
          facet: 'q:cwnd',
          data: columnSeries(sender, 'cwnd_bytes'),
          style: { colour: look.colour, dash: look.dash, width: lineWidth(flows) },
        },
      );
    }
    return {
      subtitle: `before the BDP: the capacity of the moment times the base RTT${reference.note}`,
      legend: [
        { key: 'bdp', label: 'BDP now', colour: theme.capacity, glyph: 'swatch' },
        ...flowLegend(flows),
        ...reference.legend,
        quantityLegend('q:cwnd', 'cwnd', quantityColour(flows, theme)),
        quantityLegend('q:inflight', 'in flight', toneOf(quantityColour(flows, theme), 1, theme)),
        ...(data.manifest.flows.every(({ source }) => source.kind === 'bulk')
          ? []
          : [{ key: APP_LIMITED, label: 'application is the limit', colour: theme.ink3, glyph: 'swatch' as const }]),
      ],
      panels: [
        {
          height,
          spec: { id: 'cwnd', title: 'Congestion window and bytes in flight', series, y: { unit: 'B', scale } },
        },
      ],
    };
  },
});
