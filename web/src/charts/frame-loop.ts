// One animation frame for all figures: each asks to be drawn, and is drawn once, only in frames in which something changed.

const waiting = new Set<() => void>();
let frame = 0;

function flush(): void {
  frame = 0;
  const tasks = [...waiting];
  waiting.clear();
  for (const task of tasks) task();
}

/** Everything that waits for a frame, without one: where none will come. */
export function drawNow(): void {
  cancelAnimationFrame(frame);
  flush();
}

export function requestDraw(draw: () => void): void {
  waiting.add(draw);
  frame ||= requestAnimationFrame(flush);
}

export function cancelDraw(draw: () => void): void {
  waiting.delete(draw);
}
