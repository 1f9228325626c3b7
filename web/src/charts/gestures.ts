// Pointer, wheel and keyboard on a time axis: drag = zoom, touch drag = pan, pinch or Ctrl/⌘ + wheel = zoom at the pointer,
// double-click = back. Keys go by their place on the keyboard (event.code), so WASD works on any layout.
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
const KEY_ZOOM = 1.6;
const KEY_PAN = 0.2;

/** Attaches all gestures; returns how to detach them. */
export function attachGestures(host: GestureHost): () => void {
  const { element, view } = host;
  const stops = new AbortController();
  const options = { signal: stops.signal };
  const pointers = new Map<number, { x: number; time: number }>();
  let drag: { readonly pointer: number; readonly startX: number; readonly start: number; moved: boolean } | null = null;

  const pixel = (event: MouseEvent): number => event.clientX - element.getBoundingClientRect().left;

  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      element.focus({ preventScroll: true });
      element.setPointerCapture(event.pointerId);
      const x = pixel(event);
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
      const x = pixel(event);
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
      if (moved && event.type === 'pointerup') view.show(ordered(start, host.timeAt(pixel(event))));
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
  element.addEventListener('dblclick', () => view.back(), options);

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
        view.zoomAt(host.timeAt(pixel(event)), Math.exp(-event.deltaY * unit * WHEEL_ZOOM * strength), {
          gesture: true,
        });
      else view.panBy(((view.range[1] - view.range[0]) * event.deltaX * unit) / host.plotWidth(), { gesture: true });
      clearTimeout(wheelEnd);
      wheelEnd = setTimeout(() => view.commit(), 250);
    },
    { ...options, passive: false },
  );

  element.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (pressed(event, host)) event.preventDefault();
    },
    options,
  );

  return () => {
    clearTimeout(wheelEnd);
    stops.abort();
  };
}

const ordered = (a: number, b: number): [number, number] => (a < b ? [a, b] : [b, a]);

/** Does what a key stands for; false: the key means nothing here. */
function pressed(event: KeyboardEvent, host: GestureHost): boolean {
  const { view } = host;
  const [from, to] = view.range;
  const at = view.cursor !== null && view.cursor >= from && view.cursor <= to ? view.cursor : (from + to) / 2;
  switch (event.code) {
    case 'KeyW':
      view.zoomAt(at, KEY_ZOOM);
      return true;
    case 'KeyS':
      view.zoomAt(at, 1 / KEY_ZOOM);
      return true;
    case 'KeyA':
      view.panBy(-KEY_PAN * (to - from));
      return true;
    case 'KeyD':
      view.panBy(KEY_PAN * (to - from));
      return true;
    case 'Digit0':
    case 'Numpad0':
      view.reset();
      return true;
    case 'BracketLeft':
      view.back();
      return true;
    case 'BracketRight':
      view.forward();
      return true;
    case 'ArrowLeft':
    case 'ArrowRight': {
      const step = host.step() * (event.shiftKey ? 10 : 1) * (event.code === 'ArrowLeft' ? -1 : 1);
      moveCursor(view, view.cursor === null ? at : view.cursor + step);
      return true;
    }
    case 'Home':
      moveCursor(view, view.extent[0]);
      return true;
    case 'End':
      moveCursor(view, view.extent[1]);
      return true;
    case 'Escape':
      if (view.cursor === null) return false;
      view.setCursor(null);
      return true;
    default:
      return false;
  }
}

/** Moves the cursor and keeps it in sight. */
function moveCursor(view: TimeView, time: number): void {
  view.setCursor(time);
  const [from, to] = view.range;
  const cursor = view.cursor ?? time;
  if (cursor < from) view.panBy(cursor - from, { gesture: true });
  else if (cursor > to) view.panBy(cursor - to, { gesture: true });
  view.commit();
}
