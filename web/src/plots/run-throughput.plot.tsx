// Throughput of each flow over the capacity of the link, with losses and timeouts on the time axis.
import { z } from 'zod';
import { passesLink } from '#analysis/own-elements';
import { receiverStream } from '#protocol/columns';
import type { MarkSpec, SeriesSpec } from '../charts/types';
import { bandLegend, bandSeries } from './band';
import { windowMean } from './columns';
import type { RunSamples } from './data';
import { timesOf, type Flow } from './flows';
import { oracleLines, oracleOption } from './oracle';
import { defineRunPlot, flowLegend, lineWidth } from './run-plot';

const options = z.object({
  mean: z
    .enum(['none', '50', '100', '500', '1000'])
    .default('100')
    .meta({
      title: 'Mean of',
      labels: { none: 'each sample', '50': '50 ms', '100': '100 ms', '500': '500 ms', '1000': '1 s' },
    }),
  ...oracleOption,
});

/** What flows that do not pass the link have to do with its capacity. */
function asideOf(beside: readonly Flow[]): string {
  const names = beside.map(({ label }) => label).join(', ');
  if (beside.length === 0) return '';
  return `; ${names} ${beside.length === 1 ? 'joins behind the link and shares' : 'join behind the link and share'} nothing of its capacity`;
}

/** When it lost and timed out, and where the link may mark packets when it answered that. */
function marksOf({ key, label, look: { colour }, index }: Flow, samples: RunSamples, marked: boolean): MarkSpec[] {
  const mark = (
    id: string,
    said: string,
    shape: MarkSpec['shape'],
    event: 'loss_episode' | 'rto' | 'marked',
  ): MarkSpec => ({
    ...{ id: `${key}/${id}`, label: `${label} ${said}`, shape, colour, group: key, facet: `mark:${id}` },
    times: timesOf(samples, index, event),
  });
  return [
    mark('loss', 'loss episode', 'loss', 'loss_episode'),
    mark('rto', 'timeout', 'timeout', 'rto'),
    ...(marked ? [mark('marked', 'answered marks', 'mark', 'marked')] : []),
  ];
}

export const plot = defineRunPlot({
  id: 'throughput',
  title: 'Throughput',
  order: 10,
  height: 232,
  options,
  build: ({ data, flows, link, options: { mean, oracle }, theme, height }) => {
    const reference = oracleLines(data, flows, theme, oracle);
    const window = mean === 'none' ? 0 : Number(mean);
    const series: SeriesSpec[] = [];
    const marks: MarkSpec[] = [];
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
      ...bandSeries(data, flows, `throughput/${mean}`, 'Mbps', ({ streams }) => {
        const receiver = streams.get(receiverStream(0));
        return receiver === undefined ? undefined : windowMean(receiver, 'throughput_mbps', window);
      }),
    );
    // Beneath the flows, which are what the figure is of.
    series.push(...reference.lines('receiver', '', 'Mbps', (stream) => windowMean(stream, 'throughput_mbps', window)));
    const marked = data.manifest.flows.some(({ ecn }) => ecn === true);
    for (const flow of flows) {
      const { key, label, look, receiver } = flow;
      const { colour, dash } = look;
      marks.push(...marksOf(flow, data.samples, marked));
      if (receiver === undefined) continue;
      series.push({
        id: key,
        kind: 'line',
        label,
        unit: 'Mbps',
        group: key,
        data: windowMean(receiver, 'throughput_mbps', window),
        style: { colour, dash, width: lineWidth(flows) },
      });
    }
    const changeable = data.manifest.engine === 'realtime';
    if (changeable)
      marks.push({
        id: 'change',
        label: 'link changed',
        shape: 'change',
        colour: theme.ink,
        group: 'link',
        facet: 'mark:change',
        times: timesOf(data.samples, null, 'link_change'),
      });
    const beside = flows.filter(({ index }) => !passesLink(data.manifest, index));
    const rule = mean === 'none' ? `${data.manifest.sample_period_ms} ms samples` : `means of ${mean} ms`;
    return {
      subtitle: `at the receiver, over the link’s capacity; ${rule}${asideOf(beside)}${reference.note}`,
      legend: [
        { key: 'capacity', label: 'capacity', colour: theme.capacity, glyph: 'swatch' },
        ...flowLegend(flows).map((item) =>
          beside.some(({ key }) => key === item.key) ? { ...item, label: `${item.label} (behind the link)` } : item,
        ),
        ...bandLegend(data, flows, theme),
        ...reference.legend,
        { key: 'mark:loss', label: 'loss episode', colour: theme.ink2, glyph: 'loss' },
        { key: 'mark:rto', label: 'timeout', colour: theme.ink2, glyph: 'timeout' },
        ...(marked
          ? [{ key: 'mark:marked', label: 'marks answered', colour: theme.ink2, glyph: 'mark' as const }]
          : []),
        ...(changeable
          ? [{ key: 'mark:change', label: 'link changed', colour: theme.ink, glyph: 'change' as const }]
          : []),
      ],
      panels: [
        {
          height,
          spec: { id: 'throughput', title: 'Throughput of each flow and capacity', series, marks, y: { unit: 'Mbps' } },
        },
      ],
    };
  },
});
