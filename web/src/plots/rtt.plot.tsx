// Round-trip time of each flow, smoothed and latest, and the one-way delay, above the base RTT.
import { z } from 'zod';
import type { SeriesSpec } from '../charts/types';
import { formatReading } from '../charts/reading-text';
import { columnSeries } from './columns';
import { baseRttMs } from './flows';
import { defineRunPlot, flowLegend, lineWidth, quantityLegend } from './run-plot';

/** Single samples jump about: they are a haze behind the smoothed line. */
const LATEST_OPACITY = 0.35;
const OWD_DASH = [6, 3];

const options = z.object({
  lines: z
    .enum(['auto', 'all', 'srtt'])
    .default('auto')
    .meta({ title: 'Lines', labels: { auto: 'as many as fit', all: 'all', srtt: 'srtt only' } }),
});

/** With more flows than this, three lines for each are a tangle. */
const MANY_FLOWS = 3;

export const plot = defineRunPlot({
  id: 'rtt',
  title: 'Round-trip time',
  order: 40,
  height: 190,
  options,
  build: ({ data, flows, theme, height, options: { lines } }) => {
    const all = lines === 'all' || (lines === 'auto' && flows.length <= MANY_FLOWS);
    const base = baseRttMs(data);
    const series = flows.flatMap(({ key, label, look, sender, receiver }): SeriesSpec[] => {
      const common = { kind: 'line', unit: 'ms', group: key } as const;
      const { colour } = look;
      return [
        ...(sender !== undefined && all
          ? [
              {
                ...common,
                id: `${key}/latest`,
                label: `${label} latest RTT`,
                facet: 'q:latest',
                data: columnSeries(sender, 'latest_rtt_ms'),
                style: { colour, width: 1, opacity: LATEST_OPACITY },
              },
            ]
          : []),
        ...(receiver !== undefined && all
          ? [
              {
                ...common,
                id: `${key}/owd`,
                label: `${label} one-way delay`,
                facet: 'q:owd',
                data: columnSeries(receiver, 'owd_mean_ms'),
                style: { colour, dash: OWD_DASH, width: 1.1, opacity: 0.65 },
              },
            ]
          : []),
        ...(sender !== undefined
          ? [
              {
                ...common,
                id: `${key}/srtt`,
                label: `${label} srtt`,
                facet: 'q:srtt',
                data: columnSeries(sender, 'srtt_ms'),
                style: { colour, dash: look.dash, width: lineWidth(flows) },
              },
            ]
          : []),
      ];
    });
    return {
      subtitle: all ? 'smoothed, latest sample, and one-way delay to the receiver' : 'smoothed',
      legend: [
        ...flowLegend(flows),
        ...(all
          ? [
              quantityLegend('q:srtt', 'srtt', theme.ink2),
              quantityLegend('q:latest', 'latest (faint)', theme.capacityEdge),
              quantityLegend('q:owd', 'one-way delay', theme.ink2, OWD_DASH),
            ]
          : []),
      ],
      panels: [
        {
          height,
          spec: {
            id: 'rtt',
            title: 'Round-trip time and one-way delay',
            series,
            limits:
              base > 0
                ? [
                    {
                      id: 'base',
                      label: `base RTT ${formatReading(base, 'ms')}`,
                      value: base,
                      colour: theme.ink3,
                      pinned: true,
                    },
                  ]
                : [],
            y: { unit: 'ms' },
          },
        },
      ],
    };
  },
});
