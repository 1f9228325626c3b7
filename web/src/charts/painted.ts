// A figure's SVG with a canvas beneath it: what is many and only looked at is painted, and an export gets it as SVG.
import { useEffect, useId, useLayoutEffect, useReducer, useRef, type RefObject } from 'react';
import { CanvasSurface, SvgSurface, type Surface } from './surface';
import { setUnderlay } from './underlay';

interface Painted {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly svg: RefObject<SVGSVGElement | null>;
}

/** Painted anew after every render. */
export function usePainted(
  draw: (on: Surface) => void,
  { width, height }: { readonly width: number; readonly height: number },
): Painted {
  const canvas = useRef<HTMLCanvasElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const id = useId();
  const latest = useRef(draw);
  useLayoutEffect(() => {
    latest.current = draw;
    if (canvas.current !== null) paint(canvas.current, width, height, (ctx) => draw(new CanvasSurface(ctx)));
  });
  useLayoutEffect(() => {
    if (svg.current === null) return;
    setUnderlay(svg.current, () => {
      const surface = new SvgSurface(id);
      latest.current(surface);
      return surface.toString();
    });
  }, [id]);
  // Painted text does not change by itself when its font arrives.
  const [, repaint] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    if (!('fonts' in document)) return;
    document.fonts.addEventListener('loadingdone', repaint);
    return () => document.fonts.removeEventListener('loadingdone', repaint);
  }, []);
  return { canvas, svg };
}

/** Fills a canvas of so many CSS pixels; what was on it is gone. */
export function paint(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  draw: (ctx: CanvasRenderingContext2D) => void,
): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const ctx = canvas.getContext('2d');
  if (ctx === null) return;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw(ctx);
}
