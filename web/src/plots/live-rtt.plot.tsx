// Round-trip time of a live connection over that of the emulated one. Only the sending side's report has it.
import { z } from 'zod';
import { baseRttMs } from '#protocol/base-rtt';
import { formatReading } from '#analysis/reading-text';
import { columnSeries } from './columns';
import { comparedFlow, intervalSeries, LIVE, liveLegend, liveStyle, measures } from './live-series';
import { oracleLines, oracleOption } from './oracle';
import { defineLivePlot } from './run-plot';

export const plot = defineLivePlot({
  id: 'live-rtt',
  title: 'Round-trip time, live and emulated',
  order: 30,
  height: 170,
  options: z.object(oracleOption),
  build: ({ data, flows, theme, height, options: { oracle } }) => {
    const flow = comparedFlow(flows, data);
    if (flow?.sender === undefined || !measures(data, (interval) => interval.rtt_ms))
      return { subtitle: '', legend: [], panels: [] };
    const reference = oracleLines(data, flows, theme, oracle);
    const base = baseRttMs(data.manifest);
    return {
      subtitle: `smoothed by each sender; the live one at the end of each interval${reference.note}`,
      legend: [...liveLegend(flow, theme), ...reference.legend],
      panels: [
        {
          height,
          spec: {
            id: 'live-rtt',
            title: 'Round-trip time, live and emulated',
            series: [
              ...reference.lines('sender', 'srtt', 'ms', (stream) => columnSeries(stream, 'srtt_ms')),
              {
                id: flow.key,
                kind: 'line',
                label: `${flow.label}, emulated`,
                unit: 'ms',
                group: flow.key,
                data: columnSeries(flow.sender, 'srtt_ms'),
                style: { colour: flow.look.colour, dash: flow.look.dash, width: 1.6 },
              },
              {
                id: LIVE,
                kind: 'area',
                label: 'live',
                unit: 'ms',
                group: LIVE,
                data: intervalSeries(data, (interval) => interval.rtt_ms),
                style: liveStyle(theme),
              },
            ],
            limits:
              base > 0
                ? [
                    {
                      id: 'base',
                      label: `emulated base RTT ${formatReading(base, 'ms')}`,
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
