// Made-up data of each kind with few points: what figures are drawn of for their golden outputs, which people read as text.
import { TimeView } from '../charts/time-view';
import { Visibility } from '../charts/visibility';
import { factsOf } from '../packets/facts';
import { Playhead } from '../packets/playhead';
import type { OracleState } from '../plots/data';
import { type OverlaidRun, OverlaidSamples, overlayLabels, overlayManifest, overlaysOf } from '../plots/overlay';
import type { Need, PlotData } from '../plots/registry';
import { LISTING } from './ccas';
import { BUFFERS, experimentFixture, type ExperimentFixtureOptions } from './experiment-fixture';
import { measurementFixture } from './measurement-fixture';
import { packetFixture } from './packet-fixture';
import { RunFixture, type RunFixtureOptions } from './run-fixture';
import { sampledFixture } from './sampled-fixture';
import { studyFixture } from './study-fixture';
import { dynamicsFixture, marksFixture, previewFixture, traceFixture, type PreviewRequest } from './trace-fixture';

const SECONDS = 12;
const PERIOD_MS = 250;
const MBPS = 18;

const made = (seed: number, flows: RunFixtureOptions['flows'], period_ms = PERIOD_MS): RunFixture =>
  new RunFixture({ flows, duration_s: SECONDS, period_ms, mbps: MBPS, seed }).finish();

const common = (): Pick<PlotData['run'], 'id' | 'ccas' | 'meanCapacity' | 'view' | 'visibility'> => ({
  ...{ id: 'run', ccas: LISTING, meanCapacity: MBPS },
  view: new TimeView({ extent: [0, SECONDS] }),
  visibility: new Visibility(),
});

/** The oracle over the link of the runs at these places. */
const oracle = (...places: readonly number[]): OracleState => ({
  state: 'known',
  courses: [{ runs: places, of: 'One', samples: made(7, [{ cca: 'seer' }]) }],
});

const PAIR: RunFixtureOptions['flows'] = [
  { cca: 'curve', fps: 4 },
  { cca: 'modelled', fps: 4, start_s: 1 },
];

export function smallRun(flows = PAIR, period_ms = PERIOD_MS): PlotData['run'] {
  const samples = made(7, flows, period_ms);
  return {
    ...common(),
    manifest: samples.manifest,
    samples,
    oracle: oracle(0),
    traceMarks: {
      marks: [2, 5.5, 9].map((at_s) => ({ kind: 'handover' as const, at_s, lasts_s: 0.03 })),
      period_ms: SECONDS * 1000,
    },
    queueByFlow: {
      period_ms: PERIOD_MS,
      mean_bytes: [0, 1].map((flow) =>
        Array.from({ length: (SECONDS * 1000) / PERIOD_MS }, (_, i) => 1500 * ((3 * i + 5 * flow) % 9)),
      ),
    },
  };
}

function difference(): PlotData['difference'] {
  const over = (label: string, samples: RunFixture): OverlaidRun => ({
    ...{ label, flows: ['Flow'], manifest: samples.manifest, samples },
  });
  const overlaid = [over('One', made(7, [{ cca: 'curve' }])), over('Two', made(5, [{ cca: 'halving' }]))] as const;
  return {
    ...common(),
    manifest: overlayManifest(overlaid),
    samples: new OverlaidSamples(overlaid),
    overlays: overlaysOf(overlaid),
    flowLabels: overlayLabels(overlaid),
    oracle: oracle(0, 1),
    reference: 0,
  };
}

function live(): PlotData['live'] {
  const samples = made(7, [{ cca: 'modelled' }]);
  const measured = { record: measurementFixture(SECONDS), offset_s: 0, flow: 0 };
  return { ...common(), manifest: samples.manifest, samples, oracle: oracle(0), ...measured };
}

function packets(): PlotData['packets'] {
  const { manifest } = new RunFixture({ flows: [{ cca: 'curve' }, { cca: 'modelled' }], duration_s: 1 });
  const span = { from_s: 0, to_s: 0.06 };
  const playhead = new Playhead({ ...span, speed: 1 });
  playhead.seek(0.041);
  const facts = factsOf(packetFixture({ flows: 2, duration_s: span.to_s }));
  return { id: 'run', manifest, ccas: LISTING, facts, playhead, visibility: new Visibility() };
}

/** Of an experiment of two limits; algorithms and a sweep as a figure needs them. */
export function smallExperiment(
  more: Partial<Pick<ExperimentFixtureOptions, 'ccas' | 'buffers' | 'sweep'>> = {},
): PlotData['experiment'] {
  const trace = traceFixture('lte', MBPS, 1);
  const { ccas = ['curve', 'modelled', 'halving'] } = more;
  const record = experimentFixture({
    ...{ traces: [trace], buffers: BUFFERS.slice(0, 2), repetitions: 2, full: true },
    ...more,
    ccas: [...ccas, 'seer', 'perfect'],
  });
  return {
    record,
    sampled: sampledFixture(record),
    ccas: LISTING,
    traces: new Map([[trace.id, trace]]),
    visibility: new Visibility(),
    scenario: 'bulk',
    selected: new Set(),
    onSelect: () => undefined,
  };
}

/** Few bins, however wide the figure. */
const BINS = 60;
const coarse =
  (trace: ReturnType<typeof traceFixture>) =>
  (asked: PreviewRequest): ReturnType<PlotData['trace']['loadPreview']> =>
    Promise.resolve(previewFixture(trace, { ...asked, bins: Math.min(asked.bins, BINS) }));

/** A thumbnail of few values, too. */
function shortTrace(name: string, mbps: number, seed: number): ReturnType<typeof traceFixture> {
  const trace = traceFixture(name, mbps, seed);
  return { ...trace, spark: trace.spark.filter((_, i) => i % 4 === 0) };
}

const traceView = (): TimeView => new TimeView({ extent: [0, 120], minSpan: 0.1 });

function trace(): PlotData['trace'] {
  const shown = shortTrace('lte', MBPS, 1);
  const known = { dynamics: dynamicsFixture(MBPS), marks: marksFixture() };
  return { trace: shown, view: traceView(), ...known, loadPreview: coarse(shown) };
}

function comparison(): PlotData['comparison'] {
  const traces = [shortTrace('lte', MBPS, 1), shortTrace('5g', 604, 2)].map((each) => ({
    trace: each,
    dynamics: dynamicsFixture(each.info.mean_mbps),
    loadPreview: coarse(each),
  }));
  return { traces, view: traceView(), visibility: new Visibility() };
}

export const SMALL_DATA: { readonly [N in Need]: () => PlotData[N] } = {
  run: () => smallRun(),
  live,
  packets,
  difference,
  experiment: () => smallExperiment(),
  trace,
  comparison,
  study: studyFixture,
};
