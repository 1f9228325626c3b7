import { describe, expect, it } from 'vitest';
import { frontiersOf } from '#analysis/frontier';
import { overlap } from '../charts/place-labels';
import { THEME } from '../charts/testing';
import { Visibility } from '../charts/visibility';
import { LISTING } from '../gallery/ccas';
import { experimentFixture } from '../gallery/experiment-fixture';
import { traceFixture } from '../gallery/trace-fixture';
import type { ExperimentPlotData } from './data';
import { ccaSeries, cellResults, limitUnit, shortLimit } from './experiment-series';
import { layoutFrontier, oneTwoFive, POINT_RADIUS, type FrontierLook } from './frontier-layout';

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
    hasInset: true,
  });

describe('the frontier', () => {
  it.each([358, 700, 1400])('keeps points, labels and the inset inside and apart at %i px', (width) => {
    const { points, labels, plot, inset } = layout(width);
    for (const { x, y } of points) {
      expect(x).toBeGreaterThanOrEqual(plot.x);
      expect(x).toBeLessThanOrEqual(plot.x + plot.width);
      expect(y).toBeGreaterThanOrEqual(plot.y);
      expect(y).toBeLessThanOrEqual(plot.y + plot.height);
    }
    for (const { box } of labels) {
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      for (const { x, y } of points)
        expect(
          overlap(box, { x: x - POINT_RADIUS, y: y - POINT_RADIUS, width: 2 * POINT_RADIUS, height: 2 * POINT_RADIUS }),
        ).toBe(0);
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
      hasInset: false,
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
