// The common shape of the figures of runs less one of them.
import { z } from 'zod';
import { formatChosen, UNIT_SPACE } from '../ui/format';
import type { SeriesSpec } from '../charts/types';
import type { DifferencePlotData, StreamData } from './data';
import { difference } from './difference';
import type { Flow } from './flows';
import { coursesOf, drawnOracles, noteOf, oracleOption } from './oracle';
import { defineDifferencePlot, flowLegend, lineWidth } from './run-plot';
import type { Plot } from './registry';
import type { Theme } from '../theme/theme';

const options = z.object({
  mean: z
    .enum(['sample', '100', '500', '1000'])
    .default('100')
    .meta({
      title: 'Mean of',
      labels: { sample: 'each sampling period', '100': '100 ms', '500': '500 ms', '1000': '1 s' },
    }),
  ...oracleOption,
});

interface Quantity {
  readonly id: string;
  readonly title: string;
  /** In the panel's name: `throughput of each run`. */
  readonly what: string;
  readonly unit: string;
  readonly order: number;
  readonly column: string;
  /** Where it stands. The queue is a run's and not a flow's. */
  readonly of: 'receiver' | 'sender' | 'link';
}

type Shown = Pick<Flow, 'key' | 'label' | 'look'>;

interface Pair {
  readonly flow: Shown;
  readonly own: StreamData;
  readonly reference: StreamData;
}

/** Flow by flow, in their order; of the queue run by run, in the look of the run's first flow. */
function pairsOf(of: Quantity['of'], data: DifferencePlotData, flows: readonly Flow[]): Pair[] {
  const { overlays, reference, samples } = data;
  const held = overlays[reference];
  if (held === undefined) return [];
  const streamOf = (flow: Flow | undefined): StreamData | undefined => (of === 'link' ? undefined : flow?.[of]);
  return overlays.flatMap((run, place) => {
    if (place === reference) return [];
    const first = flows[run.firstFlow];
    if (of === 'link') {
      const [own, against] = [samples.streams.get(run.link), samples.streams.get(held.link)];
      return first === undefined || own === undefined || against === undefined
        ? []
        : [{ flow: first, own, reference: against }];
    }
    const end = overlays[place + 1]?.firstFlow ?? flows.length;
    return flows.slice(run.firstFlow, end).flatMap((flow, i) => {
      const against = held.firstFlow + i < (overlays[reference + 1]?.firstFlow ?? flows.length);
      const [own, other] = [streamOf(flow), against ? streamOf(flows[held.firstFlow + i]) : undefined];
      return own === undefined || other === undefined ? [] : [{ flow, own, reference: other }];
    });
  });
}

/** The oracle over the reference's link less the reference; of flow by flow only where that is one flow, which had the link alone, too. */
function oraclePairs(of: Quantity['of'], data: DifferencePlotData, flows: readonly Flow[], theme: Theme): Pair[] {
  const { overlays, reference: place, samples } = data;
  const held = overlays[place];
  const alone = (overlays[place + 1]?.firstFlow ?? flows.length) - (held?.firstFlow ?? 0) === 1;
  if (held === undefined || (of !== 'link' && !alone)) return [];
  const reference = of === 'link' ? samples.streams.get(held.link) : flows[held.firstFlow]?.[of];
  const theirs = coursesOf(data);
  return drawnOracles(data, flows, theme).flatMap((flow, i) => {
    const own = theirs[i]?.runs.includes(place) === true ? flow.of(of) : undefined;
    return own === undefined || reference === undefined ? [] : [{ flow, own, reference }];
  });
}

/** Between the rows of a stream, ms: of one whose rows are further apart than asked for, that. */
const spacingMs = ({ time, rows }: StreamData): number =>
  rows < 2 ? 0 : Math.round(((time[rows - 1] ?? 0) - (time[0] ?? 0)) * 1e3) / (rows - 1);

export const differencePlot = ({ id, title, what, unit, order, column, of }: Quantity): Plot<'difference'> =>
  defineDifferencePlot({
    id,
    title,
    order,
    height: 170,
    options,
    build: ({ data, flows, options: { mean, oracle }, theme, height }) => {
      const period = data.manifest.sample_period_ms;
      const runs = pairsOf(of, data, flows);
      const oracles = oracle && runs.length > 0 ? oraclePairs(of, data, flows, theme) : [];
      const pairs = [...runs, ...oracles].filter(({ own, reference }) =>
        [own, reference].every((stream) => stream.column(column) !== undefined),
      );
      if (pairs.length === 0) return { subtitle: '', legend: [], panels: [] };
      const asked = mean === 'sample' ? period : Number(mean);
      // Whole periods; and no window may be shorter than what is between the rows of either.
      const windowOf = ({ own, reference }: Pair): number =>
        Math.max(asked, Math.ceil(Math.max(spacingMs(own), spacingMs(reference)) / period - 0.01) * period, period);
      const held = data.overlays[data.reference]?.label ?? '';
      const series = pairs.map((pair): SeriesSpec => {
        const { key, label, look } = pair.flow;
        return {
          id: key,
          kind: 'line',
          label: `${label} less ${held}`,
          unit,
          group: key,
          data: difference(pair.own, pair.reference, column, windowOf(pair)),
          style: { colour: look.colour, dash: look.dash, width: lineWidth(flows) },
        };
      });
      const apart = oracles.length > 0 ? '' : `; no oracle: ${held} is several flows`;
      const note = oracle ? noteOf(data.oracle, apart) : '';
      const windows = [...new Set(pairs.map(windowOf))].sort((a, b) => a - b);
      return {
        subtitle: `less ${held}; both as means of ${windows.map(formatChosen).join(' or ')}${UNIT_SPACE}ms, with a gap where either is not known${note}`,
        legend: flowLegend(pairs.map(({ flow }) => flow)),
        panels: [
          {
            height,
            spec: {
              id,
              title: `Difference in ${what}`,
              series,
              limits: [{ id: 'same', label: `as ${held}`, value: 0, colour: theme.ink2, pinned: true }],
              y: { unit, cut: 'lines' },
            },
          },
        ],
      };
    },
  });
