// Bytes sent and received so far, with retransmissions: what a time-sequence diagram shows, from samples. A run keeps no sequence numbers.
import { useMemo } from 'react';
import { z } from 'zod';
import type { MarkSpec, SeriesSpec } from '../charts/types';
import { amount } from './columns';
import type { StreamData } from './data';
import { timesOf } from './flows';
import { oracleLines, oracleOption } from './oracle';
import { definePlot } from './registry';
import { defineRunPlot, flowLegend, lineWidth, quantityColour, quantityLegend } from './run-plot';

const options = z.object(oracleOption);
const SENT_DASH = [2, 3];

/** Ends of the samples in which anything was sent again. */
function retransmissions(sender: StreamData): number[] {
  const packets = sender.column('retransmitted_packets') ?? [];
  const found: number[] = [];
  for (let i = 0; i < sender.rows; i++) if ((packets[i] ?? 0) > 0) found.push(sender.time[i] ?? 0);
  return found;
}

const overTime = defineRunPlot({
  id: 'sequence',
  title: 'Bytes sent and received',
  order: 52,
  height: 220,
  options,
  build: ({ data, flows, theme, height, whole, options: { oracle } }) => {
    if (!whole || data.overlays !== undefined) return { subtitle: '', legend: [], panels: [] };
    const reference = oracleLines(data, flows, theme, oracle);
    const series = reference.lines('receiver', 'received', 'MB', (stream) => amount(stream, 'throughput_mbps'));
    const marks: MarkSpec[] = [];
    for (const { key, label, look, sender, receiver, index } of flows) {
      const { colour, dash } = look;
      const line = (of: 'sent' | 'received', stream: StreamData, rate: string): SeriesSpec => ({
        id: `${key}/${of}`,
        kind: 'line',
        label: of === 'sent' ? `${label} sent` : `${label} received`,
        unit: 'MB',
        group: key,
        facet: of,
        data: amount(stream, rate),
        style: { colour, dash: of === 'sent' ? SENT_DASH : dash, width: of === 'sent' ? 1 : lineWidth(flows) },
      });
      if (sender !== undefined) series.push(line('sent', sender, 'sent_mbps'));
      if (receiver !== undefined) series.push(line('received', receiver, 'throughput_mbps'));
      const mark = (id: string, what: string, shape: MarkSpec['shape'], times: readonly number[]): void =>
        void marks.push({ id: `${key}/${id}`, label: `${label} ${what}`, shape, colour, group: key, facet: id, times });
      if (sender !== undefined) mark('mark:retransmitted', 'retransmits', 'loss', retransmissions(sender));
      mark('mark:rto', 'timeout', 'timeout', timesOf(data.samples, index, 'rto'));
    }
    if (series.length === 0) return { subtitle: '', legend: [], panels: [] };
    const ink = quantityColour(flows, theme);
    return {
      subtitle: `so far, from samples; sent with retransmissions: it leaves what is received by what is under way and what is sent again${reference.note}`,
      legend: [
        ...flowLegend(flows),
        ...reference.legend,
        quantityLegend('received', 'received', ink),
        quantityLegend('sent', 'sent', ink, SENT_DASH),
      ],
      panels: [
        { height, spec: { id: 'sequence', title: 'Bytes sent and received', series, marks, y: { unit: 'MB' } } },
      ],
    };
  },
});

const OverTime = overTime.Component;

export const plot = definePlot({
  ...overTime,
  // It stands apart from the panels over time, and has an axis of its own.
  Component: function Sequence(props: Parameters<typeof OverTime>[0]) {
    const { data } = props;
    const own = useMemo(() => ({ ...data, sharedAxis: false }), [data]);
    return <OverTime {...props} data={own} />;
  },
});
