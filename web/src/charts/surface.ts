// Where figures are drawn: the same drawing code fills a canvas on the screen and writes an SVG for export.
import { pathRound } from 'd3';
import { PixelLayer } from './pixel-layer';
import type { BarSink, PathSink } from './sinks';

export interface Stroke {
  readonly colour: string;
  readonly width: number;
  readonly opacity?: number;
}
export interface Fill {
  readonly colour: string;
  readonly opacity?: number;
}
export interface TextStyle {
  readonly colour: string;
  readonly font: string;
  readonly size: number;
  readonly align?: 'start' | 'middle' | 'end';
  readonly weight?: number;
  readonly opacity?: number;
}

export interface Surface {
  stroke(build: (path: PathSink) => void, style: Stroke): void;
  /** Level and upright lines on whole pixels. */
  rules(build: (path: PathSink) => void, style: Stroke): void;
  fill(build: (path: PathSink) => void, style: Fill): void;
  /** Upright bars: what long series are made of, and what a canvas fills fastest. */
  bars(build: (bar: BarSink) => void, style: Fill): void;
  /** Text whose middle line is at y. */
  text(text: string, x: number, y: number, style: TextStyle): void;
  /** A shape given as SVG path around (0, 0). */
  shape(
    path: string,
    x: number,
    y: number,
    style: { readonly fill?: string; readonly stroke?: Stroke; readonly opacity?: number },
  ): void;
  /** Everything that `draw` draws is cut at the rectangle. `dense`: nothing is there yet, and most will be bars. */
  clip(x: number, y: number, width: number, height: number, draw: () => void, dense?: boolean): void;
}

/** Lines that are level or upright, as bars. */
function ruledBars(bar: BarSink, width: number): PathSink {
  let [px, py] = [0, 0];
  return {
    moveTo(x, y) {
      [px, py] = [x, y];
    },
    lineTo(x, y) {
      if (y === py) bar(Math.min(x, px), y - width / 2, Math.abs(x - px), width);
      else bar(x - width / 2, Math.min(y, py), width, Math.abs(y - py));
      [px, py] = [x, y];
    },
    closePath: () => undefined,
  };
}

const shapes = new Map<string, Path2D>();
function shapeOf(path: string): Path2D {
  let shape = shapes.get(path);
  if (shape === undefined) {
    shape = new Path2D(path);
    shapes.set(path, shape);
  }
  return shape;
}

export class CanvasSurface implements Surface {
  readonly #ctx: CanvasRenderingContext2D;
  readonly #ratio: number;
  #pixels: PixelLayer | null = null;

  /** `ratio`: device pixels per CSS pixel. */
  constructor(ctx: CanvasRenderingContext2D, ratio = 1) {
    this.#ctx = ctx;
    this.#ratio = ratio;
    // Bevelled joins: mitres would add spikes to noise that are not in the data.
    ctx.lineJoin = 'bevel';
    ctx.lineCap = 'butt';
  }

  stroke(build: (path: PathSink) => void, style: Stroke): void {
    const ctx = this.#drawn();
    ctx.beginPath();
    build(ctx);
    ctx.globalAlpha = style.opacity ?? 1;
    ctx.strokeStyle = style.colour;
    ctx.lineWidth = style.width;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  rules(build: (path: PathSink) => void, style: Stroke): void {
    if (this.#pixels === null) this.stroke(build, style);
    else this.#pixels.bars((bar) => build(ruledBars(bar, style.width)), style);
  }

  fill(build: (path: PathSink) => void, style: Fill): void {
    const ctx = this.#drawn();
    ctx.beginPath();
    build(ctx);
    ctx.globalAlpha = style.opacity ?? 1;
    ctx.fillStyle = style.colour;
    ctx.fill();
    ctx.globalAlpha = 1;
  }

  bars(build: (bar: BarSink) => void, style: Fill): void {
    if (this.#pixels !== null) {
      this.#pixels.bars(build, style);
      return;
    }
    const ctx = this.#ctx;
    ctx.globalAlpha = style.opacity ?? 1;
    ctx.fillStyle = style.colour;
    build((x, y, width, height) => ctx.fillRect(x, y, width, height));
    ctx.globalAlpha = 1;
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    const ctx = this.#drawn();
    ctx.font = `${style.weight ?? 400} ${style.size}px ${style.font}`;
    ctx.textAlign = style.align === 'middle' ? 'center' : (style.align ?? 'start');
    ctx.textBaseline = 'middle';
    ctx.globalAlpha = style.opacity ?? 1;
    ctx.fillStyle = style.colour;
    ctx.fillText(text, x, y);
    ctx.globalAlpha = 1;
  }

  shape(path: string, x: number, y: number, style: { fill?: string; stroke?: Stroke; opacity?: number }): void {
    const ctx = this.#drawn();
    const shape = shapeOf(path);
    ctx.save();
    ctx.translate(x, y);
    ctx.globalAlpha = style.opacity ?? 1;
    if (style.stroke !== undefined) {
      ctx.strokeStyle = style.stroke.colour;
      ctx.lineWidth = style.stroke.width;
      ctx.stroke(shape);
    }
    if (style.fill !== undefined) {
      ctx.fillStyle = style.fill;
      ctx.fill(shape);
    }
    ctx.restore();
  }

  clip(x: number, y: number, width: number, height: number, draw: () => void, dense = false): void {
    const ctx = this.#drawn();
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, y, width, height);
    ctx.clip();
    if (dense) this.#pixels = new PixelLayer(ctx, this.#ratio, x, y, width, height);
    draw();
    if (dense) this.#drawn();
    if (dense) this.#pixels = null;
    ctx.restore();
  }

  /** The canvas with all on it that was drawn so far. */
  #drawn(): CanvasRenderingContext2D {
    this.#pixels?.flush();
    return this.#ctx;
  }
}

export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const attribute = (name: string, value: string | number | undefined): string =>
  value === undefined ? '' : ` ${name}="${escapeXml(String(value))}"`;
const opacityOf = (opacity: number | undefined): string =>
  opacity === undefined || opacity === 1 ? '' : attribute('opacity', opacity);

export class SvgSurface implements Surface {
  readonly #parts: string[] = [];
  readonly #idPrefix: string;
  readonly #digits: number;
  #clips = 0;

  /** `idPrefix` keeps ids of several surfaces in one document apart; paths have so many decimals. */
  constructor(idPrefix: string, digits = 2) {
    this.#idPrefix = idPrefix;
    this.#digits = digits;
  }

  toString(): string {
    return this.#parts.join('');
  }

  stroke(build: (path: PathSink) => void, style: Stroke): void {
    const path = pathRound(this.#digits);
    build(path);
    const d = path.toString();
    if (d === '') return;
    this.#parts.push(
      `<path d="${d}" fill="none"${attribute('stroke', style.colour)}${attribute('stroke-width', style.width)} stroke-linejoin="bevel"${opacityOf(style.opacity)}/>`,
    );
  }

  rules(build: (path: PathSink) => void, style: Stroke): void {
    this.stroke(build, style);
  }

  fill(build: (path: PathSink) => void, style: Fill): void {
    const path = pathRound(this.#digits);
    build(path);
    const d = path.toString();
    if (d !== '') this.#parts.push(`<path d="${d}"${attribute('fill', style.colour)}${opacityOf(style.opacity)}/>`);
  }

  bars(build: (bar: BarSink) => void, style: Fill): void {
    this.fill(
      (path) =>
        build((x, y, width, height) => {
          path.moveTo(x, y);
          path.lineTo(x + width, y);
          path.lineTo(x + width, y + height);
          path.lineTo(x, y + height);
          path.closePath();
        }),
      style,
    );
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    this.#parts.push(
      `<text x="${x}" y="${y}" dy="0.35em"${attribute('fill', style.colour)}${attribute('font-family', style.font)} font-size="${style.size}"` +
        `${attribute('font-weight', style.weight)}${attribute('text-anchor', style.align)}${opacityOf(style.opacity)}>${escapeXml(text)}</text>`,
    );
  }

  shape(path: string, x: number, y: number, style: { fill?: string; stroke?: Stroke; opacity?: number }): void {
    this.#parts.push(
      `<path d="${path}" transform="translate(${x},${y})"${attribute('fill', style.fill ?? 'none')}${attribute('stroke', style.stroke?.colour)}` +
        `${attribute('stroke-width', style.stroke?.width)} paint-order="stroke"${opacityOf(style.opacity)}/>`,
    );
  }

  clip(x: number, y: number, width: number, height: number, draw: () => void): void {
    const id = `${this.#idPrefix}-clip-${this.#clips++}`;
    this.#parts.push(
      `<clipPath id="${id}"><rect x="${x}" y="${y}" width="${width}" height="${height}"/></clipPath><g clip-path="url(#${id})">`,
    );
    draw();
    this.#parts.push('</g>');
  }
}
