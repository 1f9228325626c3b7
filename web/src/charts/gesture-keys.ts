// Keys on a time axis, by their place on the keyboard (event.code), so WASD works on any layout.
import type { TimeView } from './time-view';

const KEY_ZOOM = 1.6;
const KEY_PAN = 0.2;

/** Does what a key stands for; false: the key means nothing here. */
export function pressKey(event: KeyboardEvent, view: TimeView, leastStep: () => number): boolean {
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
      const step = leastStep() * (event.shiftKey ? 10 : 1) * (event.code === 'ArrowLeft' ? -1 : 1);
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
