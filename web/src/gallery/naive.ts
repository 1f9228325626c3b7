// The plain way to draw the same series, for comparison: every sample of the range, on every frame.
import { pixelOf } from '../charts/columns';
import { layoutPanel } from '../charts/layout';
import { lowerBound } from '../charts/search';
import { extremes } from '../charts/scales';
import type { TimeView } from '../charts/time-view';
import type { SeriesData } from '../charts/types';

const HEIGHT = 190;

/** Draws groups of series on canvases of their own, one per group, whenever it is told to. */
export function naivePanels(host: HTMLElement, groups: readonly (readonly SeriesData[])[], view: TimeView): () => void {
  const width = host.clientWidth;
  const layout = layoutPanel({ id: '', title: '', series: [], y: { unit: '' } }, width, HEIGHT, true);
  const contexts = groups.map(() => {
    const canvas = document.createElement('canvas');
    canvas.width = width * window.devicePixelRatio;
    canvas.height = HEIGHT * window.devicePixelRatio;
    canvas.style.width = `${width}px`;
    host.append(canvas);
    const ctx = canvas.getContext('2d');
    ctx?.scale(window.devicePixelRatio, window.devicePixelRatio);
    return ctx;
  });
  return () => {
    const [from, to] = view.range;
    const span = { from, to, left: layout.left, width: layout.plotWidth };
    groups.forEach((group, i) => {
      const ctx = contexts[i];
      if (ctx === null || ctx === undefined) return;
      ctx.clearRect(0, 0, width, HEIGHT);
      const top = Math.max(...group.map((series) => extremes(series, view.range)?.[1] ?? 1));
      for (const { x, y, length } of group) {
        ctx.beginPath();
        const first = lowerBound(x, from, 0, length);
        const last = lowerBound(x, to, first, length);
        for (let j = first; j < last; j++)
          ctx.lineTo(pixelOf(span, x[j] ?? 0), layout.top + layout.plotHeight * (1 - (y[j] ?? 0) / top));
        ctx.stroke();
      }
    });
  };
}
