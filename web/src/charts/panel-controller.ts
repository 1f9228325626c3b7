// The living part of a time-series panel: watches its view, data, visibility and size, and redraws what changed, once per frame.
// While a run grows and nothing else changes, only the new columns at the right are painted.
import { drawLimitLabels, drawTimeAxis, drawYAxes, writeTimeNumbers, type AxisGroups } from './axes';
import { pixelOf, timeAt, type Span } from './columns';
import { drawPanel, limitInSight, yPixel, type Scene } from './draw-panel';
import { cancelDraw, cancelPaint, requestDraw, requestPaint, type Painter } from './frame-loop';
import { attachGestures } from './gestures';
import { layoutPanel, type PanelLayout } from './layout';
import { moveOf, type Move } from './moved';
import { valueAt } from './readings';
import { formatClock, isEmpty, settled, yRange } from './scales';
import { dirtyFrom, pictureOf, type Picture } from './repaint';
import { CanvasSurface, SvgSurface } from './surface';
import { setUnderlay } from './underlay';
import type { Range } from './time-view';
import type { TimeSeriesPanelProps } from './figure-props';
import { dataOf } from './types';
import type { Theme } from '../theme/theme';

export interface PanelElements {
  readonly host: HTMLElement;
  /** Around the canvas: cuts at the plot what is moved. */
  readonly frame: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly svg: SVGSVGElement;
  readonly axes: AxisGroups;
  readonly cursor: SVGGElement;
  readonly cursorLine: SVGLineElement;
  readonly cursorTime: SVGTextElement;
  readonly cursorDots: SVGGElement;
  readonly selection: SVGRectElement;
}

export type PanelInput = TimeSeriesPanelProps & { readonly theme: Theme };

export class PanelController {
  readonly #el: PanelElements;
  #input: PanelInput;
  #layout: PanelLayout;
  #painted: Picture | null = null;
  /** Where the picture is shown, if not where it was painted. */
  #moved: Move | null = null;
  #xTicks: readonly number[] = [];
  #yTicks: readonly number[] = [];
  #stops: (() => void)[] = [];

  constructor(elements: PanelElements, input: PanelInput) {
    this.#el = elements;
    this.#input = input;
    this.#layout = layoutOf(input);
    this.#connect();
  }

  /** New props; a changed view, source or visibility is listened to anew. */
  update(input: PanelInput): void {
    const before = this.#input;
    if (sameInput(before, input)) return;
    this.#input = input;
    this.#layout = layoutOf(input);
    if (before.view !== input.view || before.source !== input.source || before.visibility !== input.visibility) {
      this.#disconnect();
      this.#connect();
    }
    requestPaint(this.#painter);
  }

  destroy(): void {
    this.#disconnect();
    cancelPaint(this.#painter);
    cancelDraw(this.#drawCursor);
  }

  #connect(): void {
    const { view, source, visibility } = this.#input;
    const draw = (): void => requestPaint(this.#painter);
    this.#stops = [
      view.subscribe((change) => (change === 'range' ? draw() : requestDraw(this.#drawCursor))),
      visibility.subscribe(draw),
      attachGestures({
        element: this.#el.host,
        view,
        timeAt: (pixel) => timeAt(this.#span(), pixel),
        plotWidth: () => this.#layout.plotWidth,
        showSelection: (range) => this.#showSelection(range),
        step: () => this.#step(),
      }),
    ];
    if (source !== undefined) this.#stops.push(source.subscribe(draw));
    setUnderlay(this.#el.svg, () => this.#toSvg());
    draw();
  }

  #disconnect(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  #span(): Span {
    const [from, to] = this.#input.view.range;
    return { from, to, left: this.#layout.left, width: this.#layout.plotWidth };
  }

  /** One sampling period, or one pixel when that is longer. */
  #step(): number {
    const [from, to] = this.#input.view.range;
    const first = this.#input.spec.series[0];
    const data = first === undefined ? undefined : dataOf(first);
    const period = data !== undefined && data.length > 1 ? (data.x[1] ?? 0) - (data.x[0] ?? 0) : 0;
    return Math.max(period, (to - from) / this.#layout.plotWidth);
  }

  #scene(range: Range, dirtyFrom: number, columnWidth: number): Scene {
    const { visibility, theme } = this.#input;
    const spec = settled(this.#input.spec);
    const y = yRange(spec, range, visibility);
    return {
      spec,
      layout: this.#layout,
      range,
      yRange: y,
      empty: isEmpty(spec, range, visibility),
      yTicks: this.#yTicks,
      xTicks: this.#xTicks,
      visibility,
      theme,
      columnWidth,
      dirtyFrom,
    };
  }

  readonly #paint = (): void => {
    const { view } = this.#input;
    const { canvas } = this.#el;
    const range = view.range;
    const ratio = window.devicePixelRatio || 1;
    const layout = this.#layout;
    const draft = this.#scene(range, 0, 1 / ratio);
    const now = pictureOf(draft);
    const from = dirtyFrom(this.#painted, now);
    this.#place(null);
    if (from === Infinity) return;
    if (from === 0) {
      canvas.style.transformOrigin = `${layout.left}px 0`;
      const [pixelWidth, pixelHeight] = [Math.round(layout.width * ratio), Math.round(layout.height * ratio)];
      if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
        canvas.width = pixelWidth;
        canvas.height = pixelHeight;
        canvas.style.width = `${layout.width}px`;
        canvas.style.height = `${layout.height}px`;
      }
      this.#xTicks = this.#drawTime(range);
      this.#drawScale(draft, this.#painted);
    }
    this.#painted = now;
    if (from === 0) this.#drawCursor();
    const ctx = canvas.getContext('2d');
    // Axes are there without a canvas (tests outside of a browser), too.
    if (ctx === null) return;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(from, 0, layout.width - from, layout.height);
    drawPanel(new CanvasSurface(ctx, ratio), { ...draft, xTicks: this.#xTicks, yTicks: this.#yTicks, dirtyFrom: from });
  };

  /** The picture of before in its new place; false: it must be painted. */
  readonly #move = (): boolean => {
    const { view, theme, visibility, spec } = this.#input;
    const { range } = view;
    const move = moveOf(this.#painted, { spec: settled(spec), layout: this.#layout, theme, visibility, range });
    if (move === null) return false;
    // Where it was painted for this time, only rows are missing.
    this.#place(move.scale === 1 && move.shift === 0 ? null : move);
    if ((this.#input.timeAxis ?? true) === true) this.#drawTime(range);
    this.#drawCursor();
    return true;
  };

  readonly #painter: Painter = { paint: this.#paint, move: this.#move };

  #place(move: Move | null): void {
    if (move === null && this.#moved === null) return;
    // Marks stick out of the plot at its edges; what is moved must not.
    const { left, plotWidth, width } = this.#layout;
    if ((move === null) !== (this.#moved === null))
      this.#el.frame.style.clipPath = move === null ? '' : `inset(0 ${width - left - plotWidth}px 0 ${left}px)`;
    this.#moved = move;
    this.#el.canvas.style.transform = move === null ? '' : `translateX(${move.shift}px) scaleX(${move.scale})`;
  }

  #drawTime(range: Range): readonly number[] {
    return drawTimeAxis(this.#el.axes.x, range, this.#layout, (this.#input.timeAxis ?? true) === true);
  }

  /** The y axes and the names of limits; left alone when nothing about them has changed. */
  #drawScale(scene: Scene, before: Picture | null): void {
    const { axes } = this.#el;
    const { spec, layout, yRange: range, visibility, empty } = scene;
    if (
      before?.scene.spec === spec &&
      before.scene.layout === layout &&
      before.hidden === visibility.state &&
      before.scene.empty === empty &&
      sameRange(before.scene.yRange, range)
    )
      return;
    const scaled = !empty && spec.series.some((series) => series.kind !== 'ribbon');
    axes.unit.style.display = scaled ? '' : 'none';
    axes.y.style.display = scaled ? '' : 'none';
    if (!scaled) for (const right of [axes.right, axes.rightUnit]) right.style.display = 'none';
    this.#yTicks = scaled ? drawYAxes(axes, spec.y, range, layout) : [];
    const limits = (spec.limits ?? []).filter((limit) => limitInSight(limit, scene));
    drawLimitLabels(axes.limits, limits, yPixel(scene), layout);
  }

  readonly #drawCursor = (): void => {
    const { view, visibility, theme } = this.#input;
    const spec = settled(this.#input.spec);
    const { cursor, cursorLine, cursorTime, cursorDots } = this.#el;
    const layout = this.#layout;
    const time = view.cursor;
    const x = time === null ? NaN : pixelOf(this.#span(), time);
    const visible = time !== null && x >= layout.left - 0.5 && x <= layout.left + layout.plotWidth + 0.5;
    cursor.style.display = visible ? '' : 'none';
    if (!visible) return;
    const px = Math.round(x - 0.5) + 0.5;
    cursorLine.setAttribute('x1', String(px));
    cursorLine.setAttribute('x2', String(px));
    cursorLine.setAttribute('y1', String(layout.top - 4));
    cursorLine.setAttribute('y2', String(layout.axisTop));
    cursorTime.textContent = cursorLabel(time, view.range);
    const flip = x > layout.left + layout.plotWidth - 70;
    cursorTime.setAttribute('x', String(px + (flip ? -5 : 5)));
    cursorTime.setAttribute('text-anchor', flip ? 'end' : 'start');
    cursorTime.setAttribute('y', String(layout.top + 2));
    const range = this.#painted?.scene.yRange ?? [0, 1];
    const y = yPixel({ spec, layout, yRange: range });
    const dots = spec.series.flatMap((series) => {
      if (series.kind !== 'line' && series.kind !== 'step') return [];
      if (!visibility.shows(series)) return [];
      const value = valueAt(series.data, time);
      return (value >= range[0] || spec.y.scale === 'log') && value <= range[1]
        ? [{ y: y(value), colour: series.style.colour }]
        : [];
    });
    while (cursorDots.childElementCount > dots.length) cursorDots.lastElementChild?.remove();
    dots.forEach((dot, i) => {
      let circle = cursorDots.children[i];
      if (circle === undefined) {
        circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
        circle.setAttribute('r', '3');
        cursorDots.append(circle);
      }
      circle.setAttribute('cx', String(px));
      circle.setAttribute('cy', String(dot.y));
      circle.setAttribute('fill', dot.colour);
      circle.setAttribute('stroke', theme.surface);
    });
  };

  #showSelection(range: Range | null): void {
    const { selection } = this.#el;
    selection.style.display = range === null ? 'none' : '';
    if (range === null) return;
    const layout = this.#layout;
    const clamp = (x: number): number => Math.min(Math.max(x, layout.left), layout.left + layout.plotWidth);
    const [a, b] = [clamp(pixelOf(this.#span(), range[0])), clamp(pixelOf(this.#span(), range[1]))];
    selection.setAttribute('x', String(a));
    selection.setAttribute('width', String(b - a));
    selection.setAttribute('y', String(layout.top));
    selection.setAttribute('height', String(layout.plotHeight));
  }

  #toSvg(): string {
    const surface = new SvgSurface(`panel-${this.#input.spec.id}`);
    const { view, timeAxis, theme } = this.#input;
    drawPanel(surface, this.#scene(view.range, 0, EXPORT_COLUMN));
    if (timeAxis === 'shared')
      writeTimeNumbers(surface, view.range, this.#layout, { colour: theme.ink3, font: theme.sans });
    return surface.toString();
  }
}

const layoutOf = ({ spec, width, height, timeAxis = true }: PanelInput): PanelLayout =>
  layoutPanel(spec, width, height, timeAxis === true);

/** Finer than on a screen: an exported figure may be printed. */
const EXPORT_COLUMN = 0.25;

const INPUT_KEYS = ['spec', 'view', 'visibility', 'width', 'height', 'source', 'timeAxis', 'theme'] as const;
const sameInput = (a: PanelInput, b: PanelInput): boolean => INPUT_KEYS.every((key) => a[key] === b[key]);

const sameRange = (a: Range, b: Range): boolean => a[0] === b[0] && a[1] === b[1];

/** The cursor's time, as fine as the zoom: 12.3 s, 12.345 s. */
export function cursorLabel(time: number, [from, to]: Range): string {
  const digits = Math.min(6, Math.max(1, Math.ceil(2 - Math.log10(Math.max(to - from, 1e-6)) + 0.3)));
  const seconds = `${time.toFixed(digits)}\u00a0s`;
  return to > 600 ? `${formatClock(time)} (${seconds})` : seconds;
}
