// Round-trip time of each flow, smoothed and latest, and the one-way delay, above the base RTT; and how long the sender would wait for an
// acknowledgement, if asked for.
import { z } from 'zod';
import { baseRttMs } from '#protocol/base-rtt';
import { senderStream } from '#protocol/columns';
import type { SeriesSpec } from '../charts/types';
import { formatReading } from '#analysis/reading-text';
import { toneOf } from '../charts/tone';
import { bandLegend, bandSeries } from './band';
import { columnSeries } from './columns';
import type { Theme } from '../theme/theme';
import type { Flow } from './flows';
import { oracleLines, oracleOption } from './oracle';
import { defineRunPlot, flowLegend, lineWidth, quantityColour, quantityLegend } from './run-plot';

/** Single samples jump about: they lie behind the smoothed line and are thinner. */
const LATEST_OPACITY = 0.75;
const OWD_DASH = [6, 3];
const RTO_DASH = [1.5, 3];

const options = z.object({
  lines: z
    .enum(['auto', 'all', 'srtt'])
    .default('auto')
    .meta({ title: 'Lines', labels: { auto: 'as many as fit', all: 'all', srtt: 'srtt only' } }),
  scale: z
    .enum(['auto', 'linear', 'log'])
    .default('auto')
    .meta({ title: 'Scale', labels: { auto: 'as it needs' } }),
  rto: z.boolean().default(false).meta({ title: 'RTO' }),
  ...oracleOption,
});

/** With more flows than this, three lines for each are a tangle. */
const MANY_FLOWS = 3;

interface Shown {
  /** The latest RTT and the one-way delay, too. */
  readonly all: boolean;
  readonly timeouts: boolean;
  readonly width: number;
}

function linesOf(
  { key, label, look, sender, receiver }: Flow,
  { all, timeouts, width }: Shown,
  theme: Theme,
): SeriesSpec[] {
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
            style: { colour: toneOf(colour, 1, theme), width: 1, opacity: LATEST_OPACITY },
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
            style: { colour: toneOf(colour, 2, theme), dash: OWD_DASH, width: 1.2 },
          },
        ]
      : []),
    ...(sender?.column('rto_ms') !== undefined && timeouts
      ? [
          {
            ...common,
            id: `${key}/rto`,
            label: `${label} RTO`,
            facet: 'q:rto',
            data: columnSeries(sender, 'rto_ms'),
            style: { colour, dash: RTO_DASH, width: 1.4 },
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
            style: { colour, dash: look.dash, width: width },
          },
        ]
      : []),
  ];
}

export const plot = defineRunPlot({
  id: 'rtt',
  title: 'Round-trip time',
  order: 40,
  height: 190,
  options,
  build: ({ data, flows, theme, height, options: { lines, scale, rto, oracle } }) => {
    const reference = oracleLines(data, flows, theme, oracle);
    const all = lines === 'all' || (lines === 'auto' && flows.length <= MANY_FLOWS);
    const base = baseRttMs(data.manifest);
    const own = quantityColour(flows, theme);
    // Runs of earlier versions have no such column.
    const timeouts = rto && flows.some(({ sender }) => sender?.column('rto_ms') !== undefined);
    const shown = { all, timeouts, width: lineWidth(flows) };
    const series = flows.flatMap((flow) => linesOf(flow, shown, theme));
    series.unshift(
      ...bandSeries(data, flows, 'rtt', 'ms', ({ streams }) => {
        const sender = streams.get(senderStream(0));
        return sender === undefined ? undefined : columnSeries(sender, 'srtt_ms');
      }),
    );
    series.unshift(...reference.lines('sender', 'srtt', 'ms', (stream) => columnSeries(stream, 'srtt_ms')));
    return {
      subtitle: `${all ? 'smoothed, latest sample, and one-way delay to the receiver' : 'smoothed'}${timeouts ? '; dotted: the retransmission timeout' : ''}${reference.note}`,
      legend: [
        ...flowLegend(flows),
        ...bandLegend(data, flows, theme),
        ...reference.legend,
        ...(all
          ? [
              quantityLegend('q:srtt', 'srtt', own),
              quantityLegend('q:latest', 'latest', toneOf(own, 1, theme)),
              quantityLegend('q:owd', 'one-way delay', toneOf(own, 2, theme), OWD_DASH),
            ]
          : []),
        ...(timeouts ? [quantityLegend('q:rto', 'RTO', own, RTO_DASH)] : []),
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
            y: { unit: 'ms', scale },
          },
        },
      ],
    };
  },
});
