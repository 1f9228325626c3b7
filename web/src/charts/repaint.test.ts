// A picture is a function of data and view: pieces, their order and what was painted in between leave no trace.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SampleBlock } from '#protocol/frames';
import { SampleStore } from '../live/sample-store';
import { columnSeries, windowMean } from '../plots/columns';
import { drawPanel, type Scene } from './draw-panel';
import { layoutPanel } from './layout';
import { dirtyFrom, pictureOf, type Picture } from './repaint';
import { isEmpty, yRange, yTicks } from './scales';
import type { PathSink } from './sinks';
import type { Fill, Stroke, Surface } from './surface';
import { GrowingSeries, seriesOf, THEME } from './testing';
import type { Range } from './time-view';
import type { LineSeries, PanelSpec, SeriesData } from './types';
import { Visibility } from './visibility';

const near = (value: number): number => Math.round(value * 1e4) / 1e4;

/** What reaches into each pixel of a row of pixels: a canvas without colours. */
class Pixels implements Surface {
  readonly columns: string[][];
  readonly #width: number;
  #clip: Range = [-Infinity, Infinity];

  constructor(width: number, columnWidth: number) {
    this.#width = columnWidth;
    this.columns = Array.from({ length: Math.ceil(width / columnWidth) }, () => []);
  }

  clear(from: number): void {
    for (let i = Math.round(from / this.#width); i < this.columns.length; i++) this.columns[i] = [];
  }

  /** Puts what `describe` says into each pixel between two places. */
  #touch(from: number, to: number, describe: (left: number, right: number) => string): void {
    const [low, high] = [Math.max(from, this.#clip[0]), Math.min(to, this.#clip[1])];
    for (let i = Math.max(0, Math.floor(low / this.#width + 1e-6)); i * this.#width < high - 1e-6; i++)
      this.columns[i]?.push(describe(i * this.#width, (i + 1) * this.#width));
  }

  stroke(build: (path: PathSink) => void, { colour, width, opacity = 1 }: Stroke): void {
    let [px, py] = [0, 0];
    build({
      moveTo: (x, y) => void ([px, py] = [x, y]),
      lineTo: (x, y) => {
        const segment = `stroke ${colour} ${opacity} ${[px, py, x, y].map(near).join()}`;
        const across = py === y ? 0 : width / 2;
        // The grid and limits are long level lines: each pixel has its part.
        this.#touch(Math.min(px, x) - across, Math.max(px, x) + across, () =>
          py === y ? `level ${colour} ${opacity} ${near(y)}` : segment,
        );
        [px, py] = [x, y];
      },
      closePath: () => undefined,
    });
  }

  rules(build: (path: PathSink) => void, style: Stroke): void {
    this.stroke(build, style);
  }

  fill(build: (path: PathSink) => void, { colour, opacity = 1 }: Fill): void {
    let [px, py, sx, sy] = [0, 0, 0, 0];
    const edge = (x: number, y: number): void => {
      const at = (pixel: number): number => {
        const clamped = Math.min(Math.max(pixel, Math.min(px, x)), Math.max(px, x));
        return near(py + ((y - py) * (clamped - px)) / (x - px));
      };
      if (px !== x)
        this.#touch(Math.min(px, x), Math.max(px, x), (a, b) => `fill ${colour} ${opacity} ${at(a)} ${at(b)}`);
      [px, py] = [x, y];
    };
    build({
      moveTo: (x, y) => void ([px, py, sx, sy] = [x, y, x, y]),
      lineTo: edge,
      closePath: () => edge(sx, sy),
    });
  }

  bars(build: (bar: (x: number, y: number, width: number, height: number) => void) => void, style: Fill): void {
    build((x, y, width, height) =>
      this.#touch(
        x,
        x + width,
        (a, b) =>
          `bar ${style.colour} ${style.opacity ?? 1} ${near(y)} ${near(height)} ${near(Math.min(b, x + width) - Math.max(a, x))}`,
      ),
    );
  }

  text(): void {
    // Names of phases are only ever drawn whole.
  }

  shape(path: string, x: number, y: number): void {
    this.#touch(x - 6, x + 6, () => `shape ${path} ${near(x)} ${near(y)}`);
  }

  clip(x: number, _y: number, width: number, _height: number, draw: () => void): void {
    const before = this.#clip;
    this.#clip = [Math.max(before[0], x), Math.min(before[1], x + width)];
    draw();
    this.#clip = before;
  }
}

/** A panel that is painted now and then while its data comes in. */
class Panel {
  readonly pixels: Pixels;
  paintedAnew = 0;
  readonly #spec: PanelSpec;
  readonly #range: Range;
  readonly #columnWidth: number;
  readonly #layout;
  readonly #visibility = new Visibility();
  #before: Picture | null = null;

  constructor(spec: PanelSpec, range: Range, width: number, columnWidth: number) {
    this.#spec = spec;
    this.#range = range;
    this.#columnWidth = columnWidth;
    this.#layout = layoutPanel(spec, width, 140, true);
    this.pixels = new Pixels(width, columnWidth);
  }

  paint(): void {
    const y = yRange(this.#spec, this.#range, this.#visibility);
    const scene: Scene = {
      spec: this.#spec,
      layout: this.#layout,
      range: this.#range,
      yRange: y,
      empty: isEmpty(this.#spec, this.#range, this.#visibility),
      yTicks: yTicks(y, this.#layout.plotHeight),
      xTicks: [],
      visibility: this.#visibility,
      theme: THEME,
      columnWidth: this.#columnWidth,
      dirtyFrom: 0,
    };
    const now = pictureOf(scene);
    const from = dirtyFrom(this.#before, now);
    if (from === Infinity) return;
    if (from > this.#layout.left) this.paintedAnew++;
    this.#before = now;
    this.pixels.clear(from);
    drawPanel(this.pixels, { ...scene, dirtyFrom: from });
  }
}

const look = (key: string, colour: string) => ({ id: key, label: key, unit: 'ms', group: key, style: { colour } });

/** Every kind of series that is painted in parts, of the same data. */
function panelOf(data: SeriesData, upper: SeriesData, marks: readonly number[], cut = false): PanelSpec {
  const lines: LineSeries[] = (['step-area', 'area', 'line', 'step'] as const).map((kind, i) => ({
    ...look(kind, `#00000${i}`),
    kind,
    data,
  }));
  return {
    id: 'p',
    title: '',
    y: { unit: 'ms', ...(cut && { cut: 'lines' }) },
    limits: [{ id: 'limit', label: 'limit', value: 50, colour: '#a00' }],
    marks: [{ id: 'loss', label: 'loss', shape: 'loss', colour: '#00f', group: 'line', times: marks }],
    series: [
      ...lines,
      { ...look('dashed', '#00000d'), kind: 'line', data, style: { colour: '#00000d', dash: [7, 3], opacity: 0.7 } },
      { ...look('band', '#00000b'), kind: 'band', lower: data, upper },
    ],
  };
}

interface Case {
  readonly steps: readonly number[];
  readonly rows: number;
  readonly seed: number;
  readonly cuts: readonly number[];
  readonly zoom: Range;
  readonly ratio: number;
  readonly cut: boolean;
}

const share = fc.integer({ min: 0, max: 1000 }).map((value) => value / 1000);
const cases = fc.record<Case>({
  steps: fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 5 }),
  rows: fc.integer({ min: 0, max: 1200 }),
  seed: fc.integer({ min: 1, max: 1e6 }),
  cuts: fc.array(share, { maxLength: 12 }),
  zoom: fc.oneof(
    fc.constant<Range>([0, 1]),
    fc.constant<Range>([0, 3]),
    share.map((at): Range => [0.9 * at, 0.9 * at + 0.1]),
  ),
  ratio: fc.constantFrom(1, 2, 1.5),
  cut: fc.boolean(),
});

/** A wave with gaps and a few values far beyond it. */
function wave(rows: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: rows }, (_, i) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 29 === 0 ? NaN : state % 397 === 0 ? 900 : 40 + 20 * Math.sin(i / 40) + (state % 11);
  });
}

describe('a picture', () => {
  it('painted in parts is the one painted at once', () => {
    let inParts = 0;
    fc.assert(
      fc.property(cases, ({ steps, rows, seed, cuts, zoom, ratio, cut: beyond }) => {
        let time = 0;
        const x = Array.from({ length: rows }, (_, i) => (time += steps[i % steps.length] ?? 1));
        const y = wave(rows, seed);
        const all = [
          seriesOf(y, x),
          seriesOf(
            y.map((v) => v + 5),
            x,
          ),
        ] as const;
        const growing = [new GrowingSeries(all[0]), new GrowingSeries(all[1])] as const;
        const losses = x.filter((_, i) => i % 37 === 5);
        const seen: number[] = [];
        const range: Range = [zoom[0] * time, zoom[1] * time + 0.01];
        const slowly = new Panel(panelOf(...growing, seen, beyond), range, 240, 1 / ratio);
        for (const cut of [...[...cuts].sort((a, b) => a - b), 1]) {
          const length = Math.round(cut * rows);
          for (const series of growing) series.length = length;
          while (seen.length < losses.length && losses[seen.length]! <= (x[length - 1] ?? -1))
            seen.push(losses[seen.length]!);
          slowly.paint();
        }
        const atOnce = new Panel(panelOf(...all, losses, beyond), range, 240, 1 / ratio);
        atOnce.paint();
        expect(slowly.pixels.columns).toEqual(atOnce.pixels.columns);
        inParts += slowly.paintedAnew;
      }),
      { numRuns: 60 },
    );
    expect(inParts).toBeGreaterThan(40);
  });

  it('is the same in whatever pieces and order the samples of a run come', () => {
    const column = (name: string, type: 'f32' | 'f64') => ({ name, type, unit: 'ms', label: name });
    const info = { stream: 1, kind: 'link', columns: [column('time_s', 'f64'), column('queue', 'f32')] };
    const hello = { type: 'hello', streams: [info] } as unknown as Parameters<SampleStore['addControl']>[1];
    const piece = (x: readonly number[], y: readonly number[], from: number, to: number): SampleBlock => ({
      stream: 1,
      firstRow: from,
      rows: to - from,
      time: Float64Array.from(x.slice(from, to)),
      columns: [Float32Array.from(y.slice(from, to))],
    });
    const paintStore = (store: SampleStore, mean: number, width: number): Panel | null => {
      const stream = store.streams.get(1);
      if (stream === undefined) return null;
      const data = mean === 0 ? columnSeries(stream, 'queue') : windowMean(stream, 'queue', mean);
      return new Panel(panelOf(data, data, []), [0, 30], width, 0.5);
    };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3000 }),
        fc.array(fc.record({ at: share, order: fc.nat(), twice: fc.boolean() }), {
          maxLength: 10,
        }),
        fc.constantFrom(0, 50, 500),
        fc.integer({ min: 100, max: 500 }),
        (rows, cuts, mean, width) => {
          const x = Array.from({ length: rows }, (_, i) => (i + 1) * 0.01);
          const y = wave(rows, rows);
          const edges = [0, ...cuts.map(({ at }) => Math.round(at * rows)).sort((a, b) => a - b), rows];
          const pieces = edges
            .slice(1)
            .map((to, i) => ({ from: edges[i]!, to, order: cuts[i]?.order ?? 0, twice: cuts[i]?.twice === true }))
            .filter(({ from, to }) => to > from)
            .flatMap((one) => (one.twice ? [one, one] : [one]))
            .sort((a, b) => a.order - b.order);
          const store = new SampleStore(() => undefined);
          store.addControl(0, hello);
          const slowly = paintStore(store, mean, width);
          for (const { from, to } of pieces) {
            store.addSamples(piece(x, y, from, to));
            slowly?.paint();
          }
          const loaded = new SampleStore(() => undefined);
          loaded.addControl(0, hello);
          loaded.addSamples(piece(x, y, 0, rows));
          const atOnce = paintStore(loaded, mean, width);
          atOnce?.paint();
          expect(slowly?.pixels.columns).toEqual(atOnce?.pixels.columns);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('that has just begun is drawn as it will be when it is complete', () => {
    const x = Array.from({ length: 6000 }, (_, i) => (i + 1) * 0.01);
    const data = new GrowingSeries(seriesOf(wave(6000, 7), x));
    const panel = new Panel(panelOf(data, data, []), [0, 60], 900, 1);
    const kinds = (): Set<string> =>
      new Set(
        panel.pixels.columns.slice(60, 100).flatMap((ops) => ops.map((op) => op.split(' ').slice(0, 2).join(' '))),
      );
    data.length = 500;
    panel.paint();
    const early = kinds();
    data.length = 6000;
    panel.paint();
    expect(early).toContain('bar #000002');
    expect(kinds()).toEqual(early);
  });
});
