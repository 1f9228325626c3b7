// Every figure on one page, with made-up data, for looking at and for visual tests. Only the development server serves it.
// Address: ?theme=dark, ?only=<plot id>, ?scene=<run scene>.
import { StrictMode, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { TimeView } from '../charts/time-view';
import { useCursorValues } from '../charts/cursor-values';
import { formatReading } from '../charts/reading-text';
import { Visibility } from '../charts/visibility';
import { PlotView } from '../plots/plot-view';
import { plotsFor } from '../plots/registry';
import { LISTING } from './ccas';
import { RunFixture } from './run-fixture';
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

function Gallery() {
  const scene = address.get('scene') ?? 'pair';
  return <div className={styles['page']}>{scene in SCENES && <RunGallery scene={scene as keyof typeof SCENES} />}</div>;
}

const root = document.getElementById('gallery');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <Gallery />
    </StrictMode>,
  );
