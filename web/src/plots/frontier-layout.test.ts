import { describe, expect, it } from 'vitest';
import { frontiersOf } from '#analysis/frontier';
import { overlap } from '#analysis/place-labels';
import { THEME } from '../charts/testing';
import { Visibility } from '../charts/visibility';
import { LISTING } from '../gallery/ccas';
import { experimentFixture } from '../gallery/experiment-fixture';
import { traceFixture } from '../gallery/trace-fixture';
import type { ExperimentPlotData } from './data';
import { ccaSeries, cellResults, limitUnit, shortLimit } from './experiment-series';
import { layoutFrontier, oneTwoFive, type FrontierLook } from '#analysis/frontier-layout';

const trace = traceFixture('lte', 18, 1);
const data: ExperimentPlotData = {
  record: experimentFixture({
    traces: [trace],
    ccas: ['curve', 'halving', 'modelled', 'delaying', 'lively', 'seer', 'perfect'],
    repetitions: 3,
  }),
  ccas: LISTING,
  traces: new Map(),
  visibility: new Visibility(),
  selected: new Set(),
  onSelect: () => undefined,
};
const [frontier] = frontiersOf(cellResults(data), { x: 'rtt_mean', y: 'throughput' });
const LOOK: FrontierLook = { scale: 'log', inverted: true, fromZero: false, share: false };
const layout = (width: number, look = LOOK, of = frontier!) =>
  layoutFrontier({
    frontier: of,
    series: ccaSeries(data, THEME),
    shows: () => true,
    look,
    width,
    height: 320,
    measure: (text) => text.length * 7,
    write: (delay) => `${delay} ms`,
    insetLines: 1,
    capacityName: 'mean capacity',
  });

describe('the frontier', () => {
  it.each([358, 700, 1400])('keeps points, labels and the inset inside and apart at %i px', (width) => {
    const { stacks, labels, plot, inset } = layout(width);
    for (const { box } of stacks) {
      expect(box.x).toBeGreaterThanOrEqual(plot.x);
      expect(box.x + box.width).toBeLessThanOrEqual(plot.x + plot.width);
      expect(box.y).toBeGreaterThanOrEqual(plot.y);
      expect(box.y + box.height).toBeLessThanOrEqual(plot.y + plot.height);
    }
    for (const { box } of labels) {
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      for (const stack of stacks) expect(overlap(box, stack.box)).toBe(0);
      if (inset !== null) expect(overlap(box, inset)).toBe(0);
    }
    expect(labels.length).toBeGreaterThanOrEqual(6);
  });

  it('puts better up and to the right when delay is inverted, else up and to the left', () => {
    const place = (look: FrontierLook) => layout(700, look).points.find((point) => point.series.cca?.kind === 'ideal')!;
    const others = (look: FrontierLook) => layout(700, look).points.filter((point) => !point.reference);
    expect(others(LOOK).every((point) => point.x < place(LOOK).x && point.y > place(LOOK).y)).toBe(true);
    const plain = { ...LOOK, inverted: false };
    expect(others(plain).every((point) => point.x > place(plain).x)).toBe(true);
  });

  it('writes the limit in each point of an algorithm and none in the references', () => {
    const texts = layout(700).points.map(({ text, reference }) => (reference ? `[${text}]` : text));
    expect(new Set(texts)).toEqual(new Set(['1', '5', '10', '∞', '[]']));
  });

  it('is scaled by what was measured: an interval that goes beyond stays open at the edge', () => {
    const wide = {
      ...frontier!,
      series: frontier!.series.map((one) => ({
        ...one,
        points: one.points.map((point) => ({ ...point, x: { ...point.x, low: -1e3, high: 1e6 } })),
      })),
    };
    const usual = layout(700);
    const { points, x } = layout(700, LOOK, wide);
    expect(x.domain()).toEqual(usual.x.domain());
    const ends = points.map(({ whiskerX }) => whiskerX!);
    expect(ends.every(([low, high]) => low.cut && high.cut)).toBe(true);
    expect(new Set(ends.flat().map(({ at }) => at))).toEqual(new Set(usual.x.range()));
    expect(usual.points.some(({ whiskerX }) => whiskerX !== null && !whiskerX[0].cut)).toBe(true);
  });

  /** The same frontier with other places: (x, y) of the nth point of a series. */
  const moved = (to: (series: number, nth: number) => readonly [x: number, y: number]) => ({
    ...frontier!,
    hull: [],
    series: frontier!.series.map((one, i) => ({
      ...one,
      points: one.points.map((point, nth) => {
        const [x, y] = to(i, nth);
        const exactly = (mean: number) => ({ mean, low: null, high: null, sd: null, n: 1, values: [mean] });
        return { ...point, x: exactly(x), y: exactly(y) };
      }),
    })),
  });
  const competing = (of: typeof frontier) =>
    layout(700, LOOK, of).stacks.filter(({ members }) => !members[0].reference);

  it('writes the limits of points that coincide beside one mark, each with a place of its own to point at', () => {
    const stacks = competing(moved((i) => [30 + 20 * i, 5 + i]));
    expect(stacks.map(({ members }) => members.map(({ text }) => text).join(' '))).toEqual(
      stacks.map(() => '1 5 10 ∞'),
    );
    for (const { slots, box } of stacks) {
      for (const [i, slot] of slots.entries()) {
        expect(slot.box.width).toBeGreaterThanOrEqual(15);
        expect(slot.box.x + slot.box.width).toBeLessThanOrEqual(box.x + box.width + 1e-9);
        for (const other of slots.slice(i + 1)) expect(overlap(slot.box, other.box)).toBeLessThan(1e-6);
      }
    }
  });

  it('shows the limits that differ in their own places', () => {
    const stacks = competing(moved((i, nth) => [30 + 20 * i + (nth === 3 ? 300 : 0), 5 + i]));
    expect(new Set(stacks.map(({ members }) => members.map(({ text }) => text).join(' ')))).toEqual(
      new Set(['1 5 10', '∞']),
    );
  });

  it.each([358, 588, 1176])('covers no point with another of all that are in one place, at %i px', (width) => {
    const { stacks, plot, points } = layout(
      width,
      LOOK,
      moved((i, nth) => [40 + (i + nth) / 10, 8 + (i - nth) / 100]),
    );
    expect(stacks.flatMap(({ slots }) => slots)).toHaveLength(points.length);
    for (const [i, { box }] of stacks.entries()) {
      for (const other of stacks.slice(i + 1)) expect(overlap(box, other.box)).toBe(0);
      expect(box.x).toBeGreaterThanOrEqual(plot.x - 1e-9);
      expect(box.x + box.width).toBeLessThanOrEqual(plot.x + plot.width + 1e-9);
    }
    // A line leads back to the true place.
    for (const { leader, at, x, y } of stacks) expect(leader).toBe(Math.hypot(at.x - x, at.y - y) > 3);
  });

  it('puts one delay far beyond the others into the margin with its value, and gives the others the axis', () => {
    const usual = (i: number, nth: number): readonly [number, number] => [25 + 10 * i + 3 * nth, 2 + i];
    const far = moved((i, nth) => (i === 1 && nth === 3 ? [15_000, 9] : usual(i, nth)));
    const { points, margin, x } = layout(700, LOOK, far);
    const beyond = points.filter((point) => point.beyond !== null);
    expect(beyond.map((point) => [point.text, point.beyond])).toEqual([['∞', '15000 ms']]);
    expect(beyond[0]!.x).toBeGreaterThan(margin!.x);
    expect(beyond[0]!.x).toBeLessThan(margin!.x + margin!.width);
    expect(Math.max(...x.domain())).toBeLessThan(120);
    const span = (of: typeof points) => Math.max(...of.map((one) => one.x)) - Math.min(...of.map((one) => one.x));
    expect(span(points.filter((point) => point.beyond === null))).toBeGreaterThan(400);
    // Without such a point there is no margin.
    expect(layout(700, LOOK, moved(usual)).margin).toBeNull();
  });

  it('can show a delay of zero on its logarithmic axis', () => {
    const [queueing] = frontiersOf(cellResults(data), { x: 'queueing_mean', y: 'utilisation' });
    const { points } = layoutFrontier({
      frontier: queueing!,
      series: ccaSeries(data, THEME),
      shows: () => true,
      look: { ...LOOK, share: true },
      width: 700,
      height: 320,
      measure: () => 50,
      write: String,
      insetLines: 0,
      capacityName: 'mean capacity',
    });
    expect(points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });
});

describe('ticks of a logarithmic axis', () => {
  it('are 1, 2 and 5 times powers of ten, fewer where there is no room', () => {
    expect(oneTwoFive(15, 600, 800)).toEqual([20, 50, 100, 200, 500]);
    expect(oneTwoFive(0.5, 60_000, 300)).toEqual([1, 10, 100, 1000, 10_000]);
    expect(oneTwoFive(21, 33, 300)).toEqual([25, 30]);
    expect(oneTwoFive(21, 33, 800)).toEqual([22, 24, 26, 28, 30, 32]);
  });
});

describe('queue limits in points', () => {
  it('are short and say what they count', () => {
    expect(
      [{ bdp: 5 }, { bdp: 0.5 }, { infinite: true as const }, { packets: 3200 }, { bytes: 129_000 }, { ms: 40 }].map(
        shortLimit,
      ),
    ).toEqual(['5', '0.5', '∞', '3.2K', '129K', '40']);
    expect(limitUnit([{ buffer: { bdp: 1 } }, { buffer: { infinite: true } }])).toBe('BDP');
    expect(limitUnit([{ buffer: { bdp: 1 } }, { buffer: { ms: 4 } }])).toBe('BDP or ms');
  });
});
