// Frame times of the real figures of a run. Address: ?mode=live|million|packets&way=figures|naive. It sets window.started and, at the end, window.result.
import { createRoot } from 'react-dom/client';
import { TimeAxis } from '../charts/TimeAxis';
import { TimeView } from '../charts/time-view';
import { Visibility } from '../charts/visibility';
import { columnSeries } from '../plots/columns';
import type { RunPlotData } from '../plots/data';
import { PlotView } from '../plots/plot-view';
import { plotsFor } from '../plots/all-plots';
import { LISTING } from './ccas';
import { factsOf } from '../packets/facts';
import { Playhead } from '../packets/playhead';
import { PACKET_PLOTS } from '../plots/packets-plots';
import { naivePackets } from './naive-packets';
import { naivePanels } from './naive';
import { packetFixture } from './packet-fixture';
import { RunFixture } from './run-fixture';
import '../theme/theme.css';

export interface FrameTimes {
  readonly frames: number;
  readonly median_ms: number;
  readonly p95_ms: number;
  readonly worst_ms: number;
  /** Frames that came at 60 per second: within a millisecond of 16.7. */
  readonly smooth: number;
}

const SECONDS = 6;
const FLOWS = 16;
const MILLION = 1_000_000;

const address = new URLSearchParams(window.location.search);
const live = address.get('mode') !== 'million';
const naive = address.get('way') === 'naive';

/** Calls `act` once per animation frame, with the seconds since the start, and measures the time between frames. */
function frames(seconds: number, act: (elapsed: number) => void): Promise<FrameTimes> {
  return new Promise((resolve) => {
    const times: number[] = [];
    let start = 0;
    const step = (now: number): void => {
      start ||= now;
      times.push(now);
      act((now - start) / 1000);
      if (now - start < seconds * 1000) requestAnimationFrame(step);
      else resolve(summary(times));
    };
    requestAnimationFrame(step);
  });
}

function summary(times: readonly number[]): FrameTimes {
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const sorted = [...gaps].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return {
    frames: gaps.length,
    median_ms: at(0.5),
    p95_ms: at(0.95),
    worst_ms: at(1),
    smooth: gaps.filter((gap) => gap < 17.7).length / Math.max(1, gaps.length),
  };
}

function fixture(): RunFixture {
  if (live) {
    const ids = [...LISTING.values()].filter((cca) => cca.kind === 'sender').map((cca) => cca.id);
    return new RunFixture({
      flows: Array.from({ length: FLOWS }, (_, i) => ({ cca: ids[i % ids.length] ?? '' })),
      duration_s: 60,
      mbps: 90,
    }).advance(30);
  }
  return new RunFixture({ flows: [{ cca: 'curve' }], duration_s: MILLION / 1000, period_ms: 1 }).finish();
}

/** What the figures draw, as plain groups of series. */
function groupsOf(run: RunFixture) {
  const column = (kind: string, name: string) =>
    [...run.streams.values()].filter((stream) => stream.info.kind === kind).map((stream) => columnSeries(stream, name));
  return [
    [...column('link', 'capacity_mbps'), ...column('receiver', 'throughput_mbps')],
    [...column('link', 'queue_bytes'), ...column('link', 'queue_max_bytes')],
    [...column('sender', 'cwnd_bytes'), ...column('sender', 'inflight_bytes')],
    [...column('sender', 'srtt_ms'), ...column('sender', 'latest_rtt_ms'), ...column('receiver', 'owd_mean_ms')],
  ];
}

async function measureRun(host: HTMLElement): Promise<FrameTimes> {
  const run = fixture();
  const view = new TimeView({ extent: [0, run.manifest.duration_s] });
  const data: RunPlotData = {
    id: 'bench',
    manifest: run.manifest,
    samples: run,
    ccas: LISTING,
    meanCapacity: 90,
    view,
    visibility: new Visibility(),
    sharedAxis: true,
  };
  const redraw = naive ? naivePanels(host, groupsOf(run), view) : null;
  if (redraw === null)
    createRoot(host).render(
      <>
        {plotsFor('run').map((plot) => (
          <PlotView
            key={plot.id}
            plot={plot}
            data={data}
            options={plot.id === 'throughput' ? { mean: 'none' } : {}}
            onOptions={() => undefined}
          />
        ))}
        <TimeAxis view={view} />
      </>,
    );
  await frames(1, () => redraw?.());
  Object.assign(window, { started: true });
  return frames(SECONDS, (elapsed) => {
    // Live: rows arrive for every frame. Replay: the view zooms in and out and pans, as fast as a hand can.
    if (live) run.advance(30 + elapsed);
    else {
      const span = view.extent[1] * 0.5 * (1 + 0.98 * Math.cos(elapsed * 3));
      const start = (view.extent[1] - span) * (0.5 + 0.5 * Math.sin(elapsed * 2));
      view.show([start, start + span], { gesture: true });
    }
    redraw?.();
  });
}

const IN_SIGHT = 10_000;

/** A queue of ten thousand packets that moves on with every frame. The naive way draws each of them as an element. */
async function measurePackets(host: HTMLElement): Promise<FrameTimes> {
  const { manifest } = new RunFixture({ flows: [{ cca: 'curve' }, { cca: 'modelled' }], duration_s: 1 });
  // It grows by a fifth of a packet with each: this is when so many wait.
  const facts = factsOf(packetFixture({ flows: 2, duration_s: 41, limit: IN_SIGHT }));
  const span = { from_s: 40.2, to_s: 40.8 };
  const playhead = new Playhead({ ...span, speed: 1 });
  const data = {
    id: 'bench',
    manifest,
    ccas: LISTING,
    facts: { ...facts, ...span },
    playhead,
    visibility: new Visibility(),
  };
  const plot = PACKET_PLOTS.find(({ id }) => id === 'packets');
  if (plot === undefined) throw new Error('there is no figure of packets');
  const redraw = naive ? naivePackets(host, facts, playhead) : null;
  if (redraw === null) createRoot(host).render(<PlotView plot={plot} data={data} />);
  await frames(1, () => redraw?.());
  Object.assign(window, { started: true });
  return frames(SECONDS, (elapsed) => {
    playhead.seek(span.from_s + (elapsed / SECONDS) * (span.to_s - span.from_s));
    redraw?.();
  });
}

async function measure(): Promise<FrameTimes> {
  const host = document.getElementById('bench');
  if (host === null) throw new Error('the page has no place for the figures');
  return address.get('mode') === 'packets' ? measurePackets(host) : measureRun(host);
}

void measure().then((result) => Object.assign(window, { result }));
