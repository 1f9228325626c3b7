// Dashes by horizontal position instead of along the line. A noisy line dashed along its length is only more noise; by position its
// gaps line up in clean columns, cost nothing, and a line that is being extended keeps its phase.
import type { BarSink, PathSink } from './sinks';

/** Whether the pen is down at x, and where that next changes. */
function penAt(pattern: readonly number[], period: number, x: number): { on: boolean; until: number } {
  let edge = Math.floor(x / period) * period;
  for (let i = 0; ; i++) {
    edge += pattern[i % pattern.length] ?? period;
    // Rounding may leave x on the edge itself: the next stretch owns it.
    if (edge > x + 1e-9) return { on: i % 2 === 0, until: edge };
  }
}

const periodOf = (pattern: readonly number[]): number => pattern.reduce((sum, part) => sum + part, 0);

/** Lets through the bars whose middle lies in an "on" stretch of a repeating pattern [on, off, on, off …] counted from x = 0. */
export function dashedBars(bar: BarSink, pattern: readonly number[]): BarSink {
  const period = periodOf(pattern);
  if (period <= 0) return bar;
  return (x, y, width, height) => {
    if (penAt(pattern, period, x + width / 2).on) bar(x, y, width, height);
  };
}

/** Cuts what is drawn into `sink` to the "on" stretches of a pattern. */
export function dashed(sink: PathSink, pattern: readonly number[]): PathSink {
  const period = periodOf(pattern);
  if (period <= 0) return sink;
  const at = (x: number): { on: boolean; until: number } => penAt(pattern, period, x);

  let [px, py] = [0, 0];
  let down = false;
  const put = (x: number, y: number): void => {
    if (!down) sink.moveTo(px, py);
    sink.lineTo(x, y);
    down = true;
  };

  return {
    moveTo(x, y) {
      [px, py] = [x, y];
      down = false;
    },
    lineTo(x, y) {
      while (px < x) {
        const { on, until } = at(px);
        const end = Math.min(until, x);
        const endY = py + ((y - py) * (end - px)) / (x - px);
        if (on) put(end, endY);
        else down = false;
        [px, py] = [end, endY];
      }
      if (py !== y) {
        if (at(x).on) put(x, y);
        else down = false;
      }
      [px, py] = [x, y];
    },
    closePath() {
      down = false;
    },
  };
}
