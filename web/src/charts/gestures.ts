// Pointer, wheel and keyboard on a time axis: drag = zoom, touch drag = pan, pinch or Ctrl/⌘ + wheel = zoom at the pointer,
// double-click = back; keys: gesture-keys.ts.
import { pressKey } from './gesture-keys';
import type { TimeView } from './time-view';

export interface GestureHost {
  readonly element: HTMLElement;
  readonly view: TimeView;
  /** Time at a pixel counted from the element's left edge; may lie outside the visible range. */
  timeAt(pixel: number): number;
  /** Pixels of the plot area. */
  plotWidth(): number;
  /** Shows what a running drag would zoom to; null: nothing. */
  showSelection(range: readonly [number, number] | null): void;
  /** The smallest step of the cursor: a sampling period, or a pixel if that is longer. */
  step(): number;
}

const DRAG_THRESHOLD_PX = 5;
const WHEEL_ZOOM = 0.0022;

/** Attaches all gestures; returns how to detach them. */
export function attachGestures(host: GestureHost): () => void {
  const { element, view } = host;
  const stops = new AbortController();
  const options = { signal: stops.signal };
  attachPointers(host, options);
  element.addEventListener('dblclick', () => view.back(), options);
  attachWheel(host, options);
  element.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (pressKey(event, view, () => host.step())) event.preventDefault();
    },
    options,
  );
  return () => stops.abort();
}

interface Until {
  readonly signal: AbortSignal;
}

/** Of a pointer, from the element's left edge. */
const pixelIn = (element: HTMLElement, event: MouseEvent): number =>
  event.clientX - element.getBoundingClientRect().left;

const ordered = (a: number, b: number): [number, number] => (a < b ? [a, b] : [b, a]);

function attachPointers(host: GestureHost, options: Until): void {
  const { element, view } = host;
  const pointers = new Map<number, { x: number; time: number }>();
  let drag: { readonly pointer: number; readonly startX: number; readonly start: number; moved: boolean } | null = null;

  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      element.focus({ preventScroll: true });
      element.setPointerCapture(event.pointerId);
      const x = pixelIn(element, event);
      pointers.set(event.pointerId, { x, time: host.timeAt(x) });
      if (event.pointerType === 'mouse')
        drag = { pointer: event.pointerId, startX: x, start: host.timeAt(x), moved: false };
      else view.setCursor(host.timeAt(x));
    },
    options,
  );

  element.addEventListener(
    'pointermove',
    (event) => {
      const x = pixelIn(element, event);
      if (drag?.pointer === event.pointerId) {
        drag.moved ||= Math.abs(x - drag.startX) > DRAG_THRESHOLD_PX;
        view.setCursor(host.timeAt(x));
        if (drag.moved) host.showSelection(ordered(drag.start, host.timeAt(x)));
        return;
      }
      const pointer = pointers.get(event.pointerId);
      if (event.pointerType === 'mouse') view.setCursor(host.timeAt(x));
      else if (pointer !== undefined) {
        pointer.x = x;
        touch();
      }
    },
    options,
  );

  /** One finger keeps the time it touched under itself; two keep both of theirs. */
  const touch = (): void => {
    const [a, b] = [...pointers.values()];
    if (a === undefined) return;
    if (b === undefined) {
      view.panBy(a.time - host.timeAt(a.x), { gesture: true });
      return;
    }
    const distance = b.x - a.x;
    if (Math.abs(distance) < 8) return;
    const secondsPerPixel = (b.time - a.time) / distance;
    if (secondsPerPixel <= 0) return;
    // The plot's left edge in pixels follows from any known pair of pixel and time.
    const [from, to] = view.range;
    const left = a.x - ((host.timeAt(a.x) - from) / (to - from)) * host.plotWidth();
    const start = a.time - (a.x - left) * secondsPerPixel;
    view.show([start, start + host.plotWidth() * secondsPerPixel], { gesture: true });
  };

  const release = (event: PointerEvent): void => {
    const had = pointers.delete(event.pointerId);
    if (drag?.pointer === event.pointerId) {
      const { moved, start } = drag;
      drag = null;
      host.showSelection(null);
      if (moved && event.type === 'pointerup') view.show(ordered(start, host.timeAt(pixelIn(element, event))));
    } else if (had && event.pointerType !== 'mouse') {
      for (const pointer of pointers.values()) pointer.time = host.timeAt(pointer.x);
      if (pointers.size === 0) view.commit();
    }
  };
  element.addEventListener('pointerup', release, options);
  element.addEventListener('pointercancel', release, options);
  element.addEventListener(
    'pointerleave',
    (event) => event.pointerType === 'mouse' && drag === null && view.setCursor(null),
    options,
  );
}

function attachWheel(host: GestureHost, { signal }: Until): void {
  const { element, view } = host;
  let wheelEnd: ReturnType<typeof setTimeout> | undefined;
  element.addEventListener(
    'wheel',
    (event) => {
      const zoom = event.ctrlKey || event.metaKey;
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!zoom && !(sideways && view.zoomed)) return;
      event.preventDefault();
      // Lines and pages (deltaMode 1, 2) as pixels.
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      // A pinch on a touchpad arrives as Ctrl + wheel with small steps; they count more.
      const strength = zoom && Math.abs(event.deltaY) < 20 && event.deltaMode === 0 ? 5 : 1;
      if (zoom)
        view.zoomAt(host.timeAt(pixelIn(element, event)), Math.exp(-event.deltaY * unit * WHEEL_ZOOM * strength), {
          gesture: true,
        });
      else view.panBy(((view.range[1] - view.range[0]) * event.deltaX * unit) / host.plotWidth(), { gesture: true });
      clearTimeout(wheelEnd);
      wheelEnd = setTimeout(() => view.commit(), 250);
    },
    { signal, passive: false },
  );
  signal.addEventListener('abort', () => clearTimeout(wheelEnd));
}
