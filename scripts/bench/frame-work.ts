// What a frame costs and where, from a trace of Chromium: processor time, which other programs lengthen little.

export interface Work {
  /** The main thread's work for a frame: scripts, style and layout, painting, handing over. */
  readonly frame: { readonly median_ms: number; readonly p95_ms: number };
  /** Average per frame of each part, of the main thread's and after it. */
  readonly parts: readonly { readonly name: string; readonly ms: number }[];
}

/** Where Chromium writes the events below. */
export const WORK_CATEGORIES = ['cc', 'viz', 'blink', 'devtools.timeline'] as const;

const FRAME = 'ProxyMain::BeginMainFrame';
/** Parts of the page's own work, by the events that begin and end with them; none lies within another. */
const OWN_PARTS = [
  ['drawing', 'FrameRequestCallbackCollection::ExecuteFrameCallbacks'],
  ['style, layout and paint of the axes', 'WebFrameWidgetImpl::UpdateLifecycle'],
] as const;
/** What others do for a frame after it. */
const OTHERS = [
  ['rastering (another thread)', 'RasterTask'],
  ['putting together (another process)', 'Display::DrawAndSwap'],
] as const;

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  /** Processor time of its thread, µs. */
  readonly tdur?: number;
}

/** `trace`: JSON as Chromium writes it. */
export function workOf(trace: string): Work {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const times = (name: string): number[] =>
    traceEvents.flatMap((e) => (e.ph === 'X' && e.name === name && e.tdur !== undefined ? [e.tdur / 1000] : []));
  const frames = times(FRAME).sort((a, b) => a - b);
  const at = (share: number): number => frames[Math.min(frames.length - 1, Math.floor(share * frames.length))] ?? NaN;
  const mean = (all: readonly number[]): number => all.reduce((sum, ms) => sum + ms, 0) / frames.length;
  const part = ([name, event]: readonly [string, string]) => ({ name, ms: mean(times(event)) });
  const own = OWN_PARTS.map(part);
  const rest = mean(frames) - own.reduce((sum, { ms }) => sum + ms, 0);
  return {
    frame: { median_ms: at(0.5), p95_ms: at(0.95) },
    parts: [...own, { name: 'handing over and the rest', ms: rest }, ...OTHERS.map(part)],
  };
}
