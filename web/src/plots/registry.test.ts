import { describe, expect, it } from 'vitest';
import type { Table } from '../charts/types';
import { TimeView } from '../charts/time-view';
import { Visibility } from '../charts/visibility';
import { agentRun } from '../gallery/agent-fixture';
import { LISTING } from '../gallery/ccas';
import { experimentFixture } from '../gallery/experiment-fixture';
import { sampledFixture } from '../gallery/sampled-fixture';
import { packetFixture } from '../gallery/packet-fixture';
import { measurementFixture } from '../gallery/measurement-fixture';
import { RunFixture } from '../gallery/run-fixture';
import { studyFixture } from '../gallery/study-fixture';
import { dynamicsFixture, marksFixture, previewFixture, traceFixture } from '../gallery/trace-fixture';
import { parseOptions } from './options';
import { plots, plotsFor } from './all-plots';
import { factsOf } from '../packets/facts';
import { Playhead } from '../packets/playhead';
import { COMPARISON_PLOTS } from './comparison-plots';
import { DIFFERENCE_PLOTS } from './difference-plots';
import { EXPERIMENT_PLOTS } from './experiment-plots';
import { LIVE_PLOTS } from './live-plots';
import { OVER_PLOTS } from './over-plots';
import { PACKET_PLOTS } from './packets-plots';
import { POOLED_PLOTS } from './pooled-plots';
import { OverlaidSamples, overlayLabels, overlayManifest, overlaysOf } from './overlay';
import type { PlotData, Shown } from './registry';
import { REPLAY_PLOTS } from './replay-plots';
import { RUN_PLOTS } from './run-plots';
import { STUDY_PLOTS } from './study-plots';
import { TRACE_PLOTS } from './trace-plots';

const flows = [
  { cca: 'curve', fps: 30 },
  { cca: 'modelled', fps: 60 },
];
const samples = new RunFixture({ flows, duration_s: 3 }).finish();
const trace = traceFixture('lte', 18, 1);
const view = new TimeView({ extent: [0, 3] });
const visibility = new Visibility();
const record = experimentFixture({
  traces: [trace],
  ccas: ['curve', 'modelled', 'halving', 'delaying', 'lively', 'perfect'],
  repetitions: 2,
  full: true,
  sweep: [0, 40],
});
const traceMarks = {
  marks: [0.5, 1.5, 2.5].map((at_s) => ({ kind: 'handover' as const, at_s, lasts_s: 0.03 })),
  period_ms: 3000,
};
const run = {
  id: 'run',
  manifest: samples.manifest,
  samples,
  ccas: LISTING,
  meanCapacity: 18,
  view,
  visibility,
  traceMarks,
  queueByFlow: {
    period_ms: 10,
    mean_bytes: [0, 1].map((flow) => Array.from({ length: 300 }, (_, i) => 1500 * ((i + flow) % 9))),
  },
};
const other = new RunFixture({ flows: [{ cca: 'halving' }], duration_s: 3, seed: 5 }).finish();
const overlaid = [
  { label: 'Two', flows: ['Curve', 'Modelled'], manifest: samples.manifest, samples },
  { label: 'One', flows: ['Halving'], manifest: other.manifest, samples: other },
] as const;
const DATA: PlotData = {
  run,
  packets: {
    ...{ id: 'run', manifest: samples.manifest, ccas: LISTING, visibility },
    facts: factsOf(packetFixture({ flows: 2, duration_s: 0.1 })),
    playhead: new Playhead({ from_s: 0, to_s: 0.1, speed: 1 }),
  },
  difference: {
    ...run,
    manifest: overlayManifest(overlaid),
    samples: new OverlaidSamples(overlaid),
    overlays: overlaysOf(overlaid),
    flowLabels: overlayLabels(overlaid),
    reference: 0,
  },
  live: { ...run, record: measurementFixture(3), offset_s: 0, flow: 0 },
  experiment: {
    record,
    sampled: sampledFixture(record),
    ccas: LISTING,
    traces: new Map([[trace.id, trace]]),
    visibility,
    selected: new Set(),
    onSelect: () => undefined,
  },
  trace: {
    trace,
    view,
    dynamics: dynamicsFixture(18),
    marks: marksFixture(),
    loadPreview: (r) => Promise.resolve(previewFixture(trace, r)),
  },
  comparison: {
    traces: [trace, traceFixture('5g', 604, 2)].map((each) => ({
      trace: each,
      dynamics: dynamicsFixture(each.info.mean_mbps),
      loadPreview: (r) => Promise.resolve(previewFixture(each, r)),
    })),
    view,
    visibility,
  },
  study: studyFixture(),
};
/** Those of the usual run are decided by nobody. */
const AGENTS = agentRun(
  [
    { policy: 'trained', weights: '' },
    { policy: 'neutral', weights: '' },
  ],
  3,
);
const EVERYTHING: Shown = { range: null, hidden: new Set() };

const tableOf = (plot: (typeof plots)[number], shown: Shown): Table => {
  const { all } = parseOptions(plot.options, {});
  switch (plot.needs) {
    case 'run':
      return plot.table(plot.id === 'policy' ? AGENTS : DATA.run, all, shown);
    case 'difference':
      return plot.table(DATA.difference, all, shown);
    case 'live':
      return plot.table(DATA.live, all, shown);
    case 'packets':
      return plot.table(DATA.packets, all, shown);
    case 'experiment':
      return plot.table(DATA.experiment, all, shown);
    case 'trace':
      return plot.table(DATA.trace, all, shown);
    case 'comparison':
      return plot.table(DATA.comparison, all, shown);
    case 'study':
      return plot.table(DATA.study, all, shown);
  }
};
const rowsOf = (plot: (typeof plots)[number], shown: Shown): (readonly (string | number | null)[])[] => [
  ...tableOf(plot, shown).rows,
];

describe('the registered figures', () => {
  it('are each found by the page that has what they need', () => {
    const onPages = [
      ...RUN_PLOTS,
      ...REPLAY_PLOTS,
      ...OVER_PLOTS,
      ...DIFFERENCE_PLOTS,
      ...LIVE_PLOTS,
      ...PACKET_PLOTS,
      ...EXPERIMENT_PLOTS,
      ...POOLED_PLOTS,
      ...TRACE_PLOTS,
      ...COMPARISON_PLOTS,
      ...STUDY_PLOTS,
    ];
    expect(onPages.map(({ id }) => id).sort()).toEqual(plots.map(({ id }) => id).sort());
  });

  it('are found without a list, in their order and under ids of their own', () => {
    const ours = ['throughput', 'queue', 'cwnd', 'rtt', 'messages', 'internals'];
    const found = plotsFor('run').map((plot) => plot.id);
    expect(found.filter((id) => ours.includes(id))).toEqual(ours);
    expect(new Set(plots.map((plot) => plot.id)).size).toBe(plots.length);
  });

  it.each(plots.map((plot) => [plot.id, plot] as const))('%s has rows, each as wide as its header', (_, plot) => {
    const rows = rowsOf(plot, EVERYTHING);
    expect(rows.length).toBeGreaterThan(0);
    const { columns } = tableOf(plot, EVERYTHING);
    for (const row of rows) expect(row).toHaveLength(columns.length);
  });

  it.each(plotsFor('run').map((plot) => [plot.id, plot] as const))(
    '%s gives only the rows that are shown',
    (_, plot) => {
      const some = rowsOf(plot, { range: [1, 2], hidden: new Set(['flow:1', 'capacity', 'bdp']) });
      for (const [time, series] of some) {
        expect(time).toBeGreaterThanOrEqual(1);
        expect(time).toBeLessThanOrEqual(2);
        expect(series).not.toMatch(/Modelled|capacity|BDP/);
      }
      expect(some.length).toBeLessThan(rowsOf(plot, EVERYTHING).length);
    },
  );

  it('lay a measurement over a run, where it begins and without what is hidden', () => {
    const [throughput] = plotsFor('live');
    if (throughput === undefined) throw new Error('there are figures of measurements');
    const { all } = parseOptions(throughput.options, {});
    const liveRows = (data: PlotData['live'], hidden: string[] = []): number[] =>
      [...throughput.table(data, all, { range: null, hidden: new Set(hidden) }).rows]
        .filter(([, series]) => series === 'live')
        .map(([time]) => Number(time));
    const before = liveRows(DATA.live);
    expect(before).toHaveLength(31);
    expect(liveRows({ ...DATA.live, offset_s: 1.5 })).toEqual(
      before.map((time) => expect.closeTo(time + 1.5, 9) as number),
    );
    expect(liveRows(DATA.live, ['live'])).toEqual([]);
  });

  it('of a measurement by the receiver leave out what only the sender knows', () => {
    const shown = plotsFor('live').filter((plot) => {
      const data = { ...DATA.live, record: measurementFixture(3, { sender: false }) };
      return [...plot.table(data, parseOptions(plot.options, {}).all, EVERYTHING).rows].length > 0;
    });
    expect(shown.map(({ id }) => id)).toEqual(['live-throughput', 'live-distribution']);
  });

  it('leave hidden algorithms out of an experiment’s rows', () => {
    for (const plot of plotsFor('experiment')) {
      const text = JSON.stringify(rowsOf(plot, { range: null, hidden: new Set(['cca:curve']) }));
      expect(text).not.toMatch(/"Curve"|"curve"/);
      expect(text).toMatch(/odelled/);
    }
  });
});
