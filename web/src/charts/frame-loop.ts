// One animation frame for all figures: each asks to be drawn, and is drawn once, only in frames in which something changed.

const waiting = new Set<() => void>();
let frame = 0;

function flush(): void {
  frame = 0;
  const tasks = [...waiting];
  waiting.clear();
  for (const task of tasks) task();
}

export function requestDraw(draw: () => void): void {
  waiting.add(draw);
  frame ||= requestAnimationFrame(flush);
}

export function cancelDraw(draw: () => void): void {
  waiting.delete(draw);
}
