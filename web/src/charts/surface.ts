// Where figures are drawn: the same drawing code fills a canvas on the screen and writes an SVG for export.
import { pathRound } from 'd3';
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
  /** Everything that `draw` draws is cut at the rectangle. */
  clip(x: number, y: number, width: number, height: number, draw: () => void): void;
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

  constructor(ctx: CanvasRenderingContext2D) {
    this.#ctx = ctx;
    // Bevelled joins: mitres would add spikes to noise that are not in the data.
    ctx.lineJoin = 'bevel';
    ctx.lineCap = 'butt';
  }

  stroke(build: (path: PathSink) => void, style: Stroke): void {
    const ctx = this.#ctx;
    ctx.beginPath();
    build(ctx);
    ctx.globalAlpha = style.opacity ?? 1;
    ctx.strokeStyle = style.colour;
    ctx.lineWidth = style.width;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  fill(build: (path: PathSink) => void, style: Fill): void {
    const ctx = this.#ctx;
    ctx.beginPath();
    build(ctx);
    ctx.globalAlpha = style.opacity ?? 1;
    ctx.fillStyle = style.colour;
    ctx.fill();
    ctx.globalAlpha = 1;
  }

  bars(build: (bar: BarSink) => void, style: Fill): void {
    const ctx = this.#ctx;
    ctx.globalAlpha = style.opacity ?? 1;
    ctx.fillStyle = style.colour;
    build((x, y, width, height) => ctx.fillRect(x, y, width, height));
    ctx.globalAlpha = 1;
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    const ctx = this.#ctx;
    ctx.font = `${style.weight ?? 400} ${style.size}px ${style.font}`;
    ctx.textAlign = style.align === 'middle' ? 'center' : (style.align ?? 'start');
    ctx.textBaseline = 'middle';
    ctx.globalAlpha = style.opacity ?? 1;
    ctx.fillStyle = style.colour;
    ctx.fillText(text, x, y);
    ctx.globalAlpha = 1;
  }

  shape(path: string, x: number, y: number, style: { fill?: string; stroke?: Stroke; opacity?: number }): void {
    const ctx = this.#ctx;
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

  clip(x: number, y: number, width: number, height: number, draw: () => void): void {
    const ctx = this.#ctx;
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, y, width, height);
    ctx.clip();
    draw();
    ctx.restore();
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
