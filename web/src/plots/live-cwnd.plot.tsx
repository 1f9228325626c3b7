// Congestion window of a live connection over that of the emulated one. Only the sending side's report has it.
import { z } from 'zod';
import { columnSeries } from './columns';
import { comparedFlow, intervalSeries, LIVE, liveLegend, liveStyle, measures } from './live-series';
import { oracleLines, oracleOption } from './oracle';
import { defineLivePlot } from './run-plot';

export const plot = defineLivePlot({
  id: 'live-cwnd',
  title: 'Window, live and emulated',
  order: 20,
  height: 170,
  options: z.object(oracleOption),
  build: ({ data, flows, theme, height, options: { oracle } }) => {
    const flow = comparedFlow(flows, data);
    if (flow?.sender === undefined || !measures(data, (interval) => interval.cwnd_bytes))
      return { subtitle: '', legend: [], panels: [] };
    const reference = oracleLines(data, flows, theme, oracle);
    return {
      subtitle: `congestion window; the live one as the kernel told it at the end of each interval${reference.note}`,
      legend: [...liveLegend(flow, theme), ...reference.legend],
      panels: [
        {
          height,
          spec: {
            id: 'live-cwnd',
            title: 'Congestion window, live and emulated',
            series: [
              ...reference.lines('sender', 'in flight', 'B', (stream) => columnSeries(stream, 'inflight_bytes')),
              {
                id: flow.key,
                kind: 'line',
                label: `${flow.label}, emulated`,
                unit: 'B',
                group: flow.key,
                data: columnSeries(flow.sender, 'cwnd_bytes'),
                style: { colour: flow.look.colour, dash: flow.look.dash, width: 1.6 },
              },
              {
                id: LIVE,
                kind: 'area',
                label: 'live',
                unit: 'B',
                group: LIVE,
                data: intervalSeries(data, (interval) => interval.cwnd_bytes),
                style: liveStyle(theme),
              },
            ],
            y: { unit: 'B' },
          },
        },
      ],
    };
  },
});
