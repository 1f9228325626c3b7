// Every figure on one page, with made-up data, for looking at and for visual tests. Only the development server serves it.
// Address: ?theme=dark, ?only=<plot id>, ?scene=<run scene>.
import { StrictMode, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { TimeView } from '../charts/time-view';
import { useCursorValues } from '../charts/cursor-values';
import { formatReading } from '#analysis/reading-text';
import { Visibility } from '../charts/visibility';
import { PlotView } from '../plots/plot-view';
import { plotsFor } from '../plots/all-plots';
import { LISTING } from './ccas';
import { experimentFixture } from './experiment-fixture';
import { measurementFixture } from './measurement-fixture';
import { dynamicsFixture, marksFixture, previewFixture, traceFixture, type PreviewRequest } from './trace-fixture';
import { RunFixture } from './run-fixture';
import { sampledFixture } from './sampled-fixture';
import { studyFixture } from './study-fixture';
import styles from './gallery.module.css';
import '../theme/theme.css';

const address = new URLSearchParams(window.location.search);
const theme = address.get('theme');
if (theme !== null) document.documentElement.dataset['theme'] = theme;
const only = address.get('only');

const SCENES = {
  pair: () => new RunFixture({ flows: [{ cca: 'curve' }, { cca: 'modelled', start_s: 5 }], duration_s: 30 }),
  single: () => new RunFixture({ flows: [{ cca: 'curve' }], duration_s: 60 }),
  same: () =>
    new RunFixture({
      flows: Array.from({ length: 4 }, (_, i) => ({ cca: 'halving', start_s: i * 4 })),
      duration_s: 40,
    }),
  many: () =>
    new RunFixture({
      flows: [...LISTING.keys()].slice(0, 12).map((cca, i) => ({ cca, start_s: i / 2 })),
      duration_s: 30,
      mbps: 90,
    }),
} as const;

function RunGallery({ scene }: { readonly scene: keyof typeof SCENES }) {
  const [view] = useState(() => {
    const zoom = address.get('t')?.split(',').map(Number);
    const made = new TimeView({ extent: [0, SCENES[scene]().manifest.duration_s] });
    if (zoom?.length === 2) made.show([zoom[0] ?? 0, zoom[1] ?? 1]);
    made.setHead(made.extent[1]);
    if (address.has('cursor')) made.setCursor(Number(address.get('cursor')));
    return made;
  });
  const data = useMemo(() => {
    const samples = SCENES[scene]().finish();
    return {
      id: `gallery-${scene}`,
      manifest: samples.manifest,
      samples,
      ccas: LISTING,
      meanCapacity: 18,
      view,
      visibility: new Visibility(),
    };
  }, [scene, view]);
  return (
    <section className={styles['section']}>
      <h2>Run: {scene}</h2>
      <div className={styles['columns']}>
        <div className={styles['figures']}>
          {plotsFor('run').map(
            (plot) => (only === null || only === plot.id) && <PlotView key={plot.id} plot={plot} data={data} />,
          )}
        </div>
        <Readings view={view} />
      </div>
    </section>
  );
}

function Readings({ view }: { readonly view: TimeView }) {
  const { time, readings } = useCursorValues(view);
  return (
    <aside className={styles['readings']}>
      <h3>{time === null ? 'Values at the end' : `Values at ${time.toFixed(2)} s`}</h3>
      <dl>
        {readings.map((reading) => (
          <div key={`${reading.panel}/${reading.series}`}>
            <dt>
              <i style={{ background: reading.colour }} />
              {reading.label}
            </dt>
            <dd>{reading.text ?? formatReading(reading.value, reading.unit)}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

const CCAS = ['curve', 'halving', 'modelled', 'delaying', 'seer', 'perfect'];
const LTE = traceFixture('lte-walk', 18, 1);
const EXPERIMENTS = {
  experiment: () => experimentFixture({ traces: [LTE], ccas: CCAS, repetitions: 5, full: true }),
  matrix: () =>
    experimentFixture({
      traces: [LTE, traceFixture('5g-drive', 604, 2), traceFixture('umts', 2.1, 3)],
      ccas: ['curve', 'halving', 'modelled', 'delaying', 'lively', 'plum', 'cellular', 'seer', 'perfect'],
      repetitions: 3,
    }),
  running: () => experimentFixture({ traces: [LTE], ccas: CCAS, repetitions: 1, progress: 0.6 }),
} as const;

function ExperimentGallery({ scene }: { readonly scene: keyof typeof EXPERIMENTS }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [visibility] = useState(() => new Visibility());
  const record = useMemo(() => EXPERIMENTS[scene](), [scene]);
  const traces = useMemo(() => new Map([[LTE.id, LTE]]), []);
  const data = useMemo(
    () => ({
      record,
      sampled: sampledFixture(record),
      ccas: LISTING,
      traces,
      visibility,
      selected,
      onSelect: (cells: readonly string[]) => setSelected(new Set(cells)),
    }),
    [record, traces, visibility, selected],
  );
  return (
    <section className={styles['section']}>
      <h2>Experiment: {scene}</h2>
      <div className={styles['figures']}>
        {plotsFor('experiment').map(
          (plot) => (only === null || only === plot.id) && <PlotView key={plot.id} plot={plot} data={data} />,
        )}
      </div>
    </section>
  );
}

const TRACES = { trace: [18, 120], long: [604, 7200] } as const;

function TraceGallery({ scene }: { readonly scene: keyof typeof TRACES }) {
  const data = useMemo(() => {
    const [mbps, seconds] = TRACES[scene];
    const trace = traceFixture('lte-walk', mbps, 1, seconds);
    const view = new TimeView({ extent: [0, seconds], minSpan: 0.1 });
    const zoom = address.get('t')?.split(',').map(Number);
    if (zoom?.length === 2) view.show([zoom[0] ?? 0, zoom[1] ?? 1]);
    return {
      trace,
      view,
      dynamics: dynamicsFixture(mbps, seconds),
      marks: marksFixture(seconds),
      loadPreview: (request: PreviewRequest) => Promise.resolve(previewFixture(trace, request)),
    };
  }, [scene]);
  return (
    <section className={styles['section']}>
      <h2>Trace: {scene}</h2>
      <div className={styles['figures']}>
        {plotsFor('trace').map(
          (plot) => (only === null || only === plot.id) && <PlotView key={plot.id} plot={plot} data={data} />,
        )}
      </div>
    </section>
  );
}

function Gallery() {
  const scene = address.get('scene') ?? 'pair';
  return (
    <div className={styles['page']}>
      <h1 className="visually-hidden">Figures</h1>
      {scene in SCENES && <RunGallery scene={scene as keyof typeof SCENES} />}
      {scene in TRACES && <TraceGallery scene={scene as keyof typeof TRACES} />}
      {scene === 'live' && <LiveGallery />}
      {scene === 'study' && <StudyGallery />}
      {scene in EXPERIMENTS && <ExperimentGallery scene={scene as keyof typeof EXPERIMENTS} />}
    </div>
  );
}

function StudyGallery() {
  const [data] = useState(studyFixture);
  return (
    <section className={styles['section']}>
      <h2>Study</h2>
      <div className={styles['figures']}>
        {plotsFor('study').map((plot) => (
          <PlotView key={plot.id} plot={plot} data={data} />
        ))}
      </div>
    </section>
  );
}

/** A made-up measurement over a made-up run. */
function LiveGallery() {
  const data = useMemo(() => {
    const samples = new RunFixture({ flows: [{ cca: 'modelled' }], duration_s: 30 }).finish();
    const view = new TimeView({ extent: [0, 30] });
    view.setHead(30);
    return {
      id: 'gallery-live',
      manifest: samples.manifest,
      samples,
      ccas: LISTING,
      view,
      visibility: new Visibility(),
      record: measurementFixture(30),
      offset_s: 0,
      flow: 0,
    };
  }, []);
  return (
    <section className={styles['section']}>
      <h2>Live measurement</h2>
      <div className={styles['figures']}>
        {plotsFor('live').map(
          (plot) => (only === null || only === plot.id) && <PlotView key={plot.id} plot={plot} data={data} />,
        )}
      </div>
    </section>
  );
}

const root = document.getElementById('gallery');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <Gallery />
    </StrictMode>,
  );
