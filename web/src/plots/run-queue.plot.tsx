// The bottleneck queue in bytes, against its limit; the right axis says how long that takes to drain at the mean capacity.
import { z } from 'zod';
import type { LimitSpec, SeriesSpec } from '../charts/types';
import { formatReading } from '#analysis/reading-text';
import { bandLegend, bandSeries } from './band';
import { columnSeries } from './columns';
import { forwardLink, meanCapacityMbps } from './flows';
import { oracleLines, oracleOption } from './oracle';
import { defineRunPlot, flowLegend, lineWidth } from './run-plot';

/** A packet on the wire, for limits that count packets. */
const PACKET_BYTES = 1500;

export const plot = defineRunPlot({
  id: 'queue',
  title: 'Queue',
  order: 20,
  height: 170,
  options: z.object(oracleOption),
  build: ({ data, flows, link, theme, height, options: { oracle } }) => {
    const reference = oracleLines(data, flows, theme, oracle);
    const { queue } = data.manifest.forward;
    const series: SeriesSpec[] = [
      ...bandSeries(data, flows, 'queue', 'B', ({ streams }) => {
        const own = forwardLink(streams);
        return own === undefined ? undefined : columnSeries(own, 'queue_bytes');
      }),
    ];
    // Of several runs each has its own queue, in the colours of its first flow.
    for (const { label, firstFlow, link: id } of data.overlays ?? []) {
      const [own, look] = [data.samples.streams.get(id), flows[firstFlow]?.look];
      if (own === undefined || look === undefined) continue;
      series.push({
        id: `queue/${id}`,
        kind: 'line',
        label: `${label} queue`,
        unit: 'B',
        group: `flow:${firstFlow}`,
        data: columnSeries(own, 'queue_bytes'),
        style: { colour: look.colour, dash: look.dash, width: lineWidth(flows) },
      });
    }
    if (link !== undefined && data.overlays === undefined)
      series.push(
        {
          id: 'queue',
          kind: 'area',
          label: 'queue',
          unit: 'B',
          group: 'queue',
          data: columnSeries(link, 'queue_bytes'),
          style: { colour: theme.ink3, fill: theme.ink3, opacity: 0.3 },
        },
        {
          id: 'queue/peak',
          kind: 'line',
          label: 'peak within a sample',
          unit: 'B',
          group: 'queue-peak',
          data: columnSeries(link, 'queue_max_bytes'),
          style: { colour: theme.ink3, width: 1 },
        },
      );
    series.push(...reference.lines('link', 'queue', 'B', (stream) => columnSeries(stream, 'queue_bytes')));
    const limits: LimitSpec[] = [];
    if (queue.limit_bytes !== null)
      limits.push({
        id: 'limit',
        label: `limit ${formatReading(queue.limit_bytes, 'B')}`,
        value: queue.limit_bytes,
        colour: theme.danger,
      });
    if (queue.limit_packets !== null)
      limits.push({
        id: 'limit-packets',
        label: `limit ${queue.limit_packets} packets`,
        value: queue.limit_packets * PACKET_BYTES,
        colour: theme.danger,
      });
    const mean = meanCapacityMbps(data);
    return {
      subtitle: `bytes waiting at the bottleneck${mean === null ? '' : `; right: time to drain at the mean capacity, ${formatReading(mean, 'Mbps')}`}${reference.note}`,
      legend: [
        ...(data.overlays === undefined
          ? [
              { key: 'queue', label: 'waiting', colour: theme.capacityEdge, glyph: 'swatch' as const },
              { key: 'queue-peak', label: 'peak within a sample', colour: theme.ink3 },
            ]
          : flowLegend(flows)),
        ...bandLegend(data, flows, theme),
        ...reference.legend,
      ],
      panels: [
        {
          height,
          spec: {
            id: 'queue',
            title: 'Bytes in the bottleneck queue',
            series,
            limits,
            // 1 B at 1 Mbps takes 8 µs.
            y: { unit: 'B', ...(mean !== null && mean > 0 && { right: { unit: 'ms', factor: 8e-3 / mean } }) },
          },
        },
      ],
    };
  },
});
