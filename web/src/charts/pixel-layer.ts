// A canvas that bars reach through memory: they are gathered as pixels and handed over when something else is drawn, or at the end.
import { PixelBuffer, rgbWord, type Box } from './pixel-buffer';
import type { BarSink } from './sinks';

/** One for all panels: each is done with it before the next begins. */
let shared: { readonly image: ImageData; readonly buffer: PixelBuffer } | null = null;

function bufferFor(width: number, height: number): { readonly image: ImageData; readonly buffer: PixelBuffer } {
  if (shared === null || shared.image.width < width || shared.image.height < height) {
    const image = new ImageData(Math.max(width, shared?.image.width ?? 0), Math.max(height, shared?.image.height ?? 0));
    shared = { image, buffer: new PixelBuffer(new Uint32Array(image.data.buffer), image.width) };
  }
  return shared;
}

function small(width: number, height: number): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas.getContext('2d', { willReadFrequently: true });
}

interface Ink {
  readonly rgb: number;
  readonly alpha: number;
}
const inks = new Map<string, Ink>();
let probe: CanvasRenderingContext2D | null = null;

/** What a CSS colour is on a canvas: asked once for each. */
function inkOf(colour: string): Ink {
  let ink = inks.get(colour);
  if (ink === undefined) {
    probe ??= small(1, 1);
    if (probe === null) return { rgb: 0, alpha: 255 };
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = probe.getImageData(0, 0, 1, 1).data;
    ink = { rgb: rgbWord(red, green, blue), alpha };
    inks.set(colour, ink);
  }
  return ink;
}

export class PixelLayer {
  readonly #ctx: CanvasRenderingContext2D;
  readonly #ratio: number;
  readonly #box: Box;
  /** Nothing has been drawn in the box on the canvas itself. */
  #untouched = true;
  #begun = false;

  /** The box in CSS pixels; the canvas is clear there. */
  constructor(ctx: CanvasRenderingContext2D, ratio: number, x: number, y: number, width: number, height: number) {
    this.#ctx = ctx;
    this.#ratio = ratio;
    this.#box = {
      left: Math.max(0, Math.round(x * ratio)),
      top: Math.max(0, Math.round(y * ratio)),
      right: Math.min(ctx.canvas.width, Math.round((x + width) * ratio)),
      bottom: Math.min(ctx.canvas.height, Math.round((y + height) * ratio)),
    };
  }

  bars(build: (bar: BarSink) => void, style: { readonly colour: string; readonly opacity?: number }): void {
    const { buffer } = bufferFor(this.#ctx.canvas.width, this.#ctx.canvas.height);
    if (!this.#begun) buffer.begin(this.#box);
    this.#begun = true;
    const { rgb, alpha } = inkOf(style.colour);
    const strength = Math.round(alpha * (style.opacity ?? 1));
    const ratio = this.#ratio;
    build((x, y, width, height) => buffer.bar(x * ratio, y * ratio, width * ratio, height * ratio, rgb, strength));
  }

  /** Before anything else is drawn on the canvas. */
  flush(): void {
    const { left, top, right, bottom } = this.#box;
    if (this.#begun && right > left && bottom > top) {
      const { image } = bufferFor(this.#ctx.canvas.width, this.#ctx.canvas.height);
      if (this.#untouched) this.#ctx.putImageData(image, 0, 0, left, top, right - left, bottom - top);
      else this.#drawOver(image);
    }
    this.#begun = false;
    this.#untouched = false;
  }

  #drawOver(image: ImageData): void {
    const { left, top, right, bottom } = this.#box;
    const between = small(right - left, bottom - top);
    if (between === null) return;
    between.putImageData(image, -left, -top, left, top, right - left, bottom - top);
    this.#ctx.save();
    this.#ctx.setTransform(1, 0, 0, 1, 0, 0);
    this.#ctx.drawImage(between.canvas, left, top);
    this.#ctx.restore();
  }
}
