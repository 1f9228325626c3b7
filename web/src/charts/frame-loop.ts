// One animation frame for all figures: each asks to be drawn, and is drawn once, only in frames in which something changed. What takes long
// to draw (a painter) shares a budget: those that find it spent show what they have where it belongs now, and come first in the next frame.

export interface Painter {
  readonly paint: () => void;
  /** Shows the last picture where it belongs now; false: there is none that would be right there. */
  readonly move: () => boolean;
}

/** What painters may take of a frame together, ms: axes, layout and putting together take as much again. One is painted in any case. */
const BUDGET_MS = 3;

const waiting = new Set<() => void>();
const painters = new Set<Painter>();
/** What each took the last time, ms. */
const took = new WeakMap<Painter, number>();
let frame = 0;

const ask = (): void => {
  frame ||= requestAnimationFrame(() => flush(BUDGET_MS));
};

function flush(budget: number): void {
  frame = 0;
  const tasks = [...waiting];
  waiting.clear();
  for (const task of tasks) task();
  let now = performance.now();
  const until = now + budget;
  let painted = 0;
  for (const painter of [...painters]) {
    if (painted > 0 && now + (took.get(painter) ?? 0) > until && painter.move()) continue;
    painters.delete(painter);
    painter.paint();
    painted++;
    const after = performance.now();
    took.set(painter, after - now);
    now = after;
  }
  if (painters.size > 0) ask();
}

/** Everything that waits for a frame, without one: where none will come. */
export function drawNow(): void {
  cancelAnimationFrame(frame);
  flush(Infinity);
}

export function requestDraw(draw: () => void): void {
  waiting.add(draw);
  ask();
}

export function cancelDraw(draw: () => void): void {
  waiting.delete(draw);
}

export function requestPaint(painter: Painter): void {
  painters.add(painter);
  ask();
}

export function cancelPaint(painter: Painter): void {
  painters.delete(painter);
}
