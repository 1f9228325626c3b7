import { describe, expect, it } from 'vitest';
import {
  formatClock,
  isCut,
  isEmpty,
  logTick,
  settled,
  narrowLogFormat,
  tickFormat,
  timeTicks,
  unitScale,
  yRange,
  yTicks,
} from './scales';
import { seriesOf } from './testing';
import type { LimitSpec, PanelSpec } from './types';
import { Visibility } from './visibility';

const panel = (y: number[], more: Partial<PanelSpec> = {}): PanelSpec => ({
  id: 'p',
  title: '',
  series: [{ id: 's', kind: 'line', label: '', unit: 'ms', group: 's', data: seriesOf(y), style: { colour: '#000' } }],
  y: { unit: 'ms' },
  ...more,
});
const limit = (value: number, pinned = false): LimitSpec => ({ id: 'l', label: '', value, colour: '#000', pinned });

describe('the y range', () => {
  it('starts at zero unless asked otherwise', () => {
    expect(yRange(panel([80, 90, 95]), [0, 2], new Visibility())[0]).toBe(0);
    expect(
      yRange(panel([80, 90, 95], { y: { unit: 'ms', min: 'auto' } }), [0, 2], new Visibility())[0],
    ).toBeGreaterThan(50);
  });

  it('leaves air above the greatest value', () => {
    for (const top of [1, 7, 42, 99.99, 1234])
      expect(yRange(panel([0, top]), [0, 1], new Visibility())[1]).toBeGreaterThan(top);
  });

  it('takes in a limit once the data has come half the way, or when it is pinned', () => {
    expect(yRange(panel([0, 10], { limits: [limit(100)] }), [0, 1], new Visibility())[1]).toBeLessThan(100);
    expect(yRange(panel([0, 60], { limits: [limit(100)] }), [0, 1], new Visibility())[1]).toBeGreaterThan(100);
    expect(yRange(panel([0, 10], { limits: [limit(100, true)] }), [0, 1], new Visibility())[1]).toBeGreaterThan(100);
  });

  it('takes in what the panels beside it show', () => {
    const of = (y: number[], scale: 'linear' | 'log', span: [number, number]) =>
      yRange(panel(y, { y: { unit: 'ms', scale, span } }), [0, 1], new Visibility());
    expect(of([0, 10], 'linear', [0, 90])).toEqual(of([0, 90], 'linear', [0, 90]));
    expect(of([0, 10], 'linear', [0, 90])[1]).toBeGreaterThan(90);
    expect(of([0, 10], 'log', [2, 90])).toEqual([2, 100]);
    expect(of([1, 90], 'log', [2, 90])).toEqual([2, 100]);
  });

  it('chosen by the data is logarithmic from a decade on, whatever is in sight', () => {
    const of = (...y: number[]) => settled(panel(y, { y: { unit: 'ms', scale: 'auto' } })).y.scale;
    expect([of(20, 150), of(20, 250), of(0, 20, 150), of(NaN), of()]).toEqual([
      ...['linear', 'log', 'linear', 'linear', 'linear'],
    ]);
    const spec = panel([20, 250], { y: { unit: 'ms', scale: 'auto' } });
    expect(settled(spec)).toBe(settled(spec));
    const linear = panel([20, 250], { y: { unit: 'ms' } });
    expect(settled(linear)).toBe(linear);
  });

  it('on a logarithmic axis begins at the least value above zero, at most four decades below the greatest', () => {
    const of = (...y: number[]) => yRange(panel(y, { y: { unit: 'B', scale: 'log' } }), [0, 9], new Visibility());
    expect(of(390_000, 50e6)).toEqual([200_000, 100e6]);
    expect(of(0, 15_000, 1e6)).toEqual([100_000, 2e6]);
    expect(of(1, 1e9)).toEqual([100_000, 2e9]);
    expect(of(0, 0)).toEqual([1, 10]);
    expect(yTicks([200_000, 100e6], 150, 'log')).toEqual([1e6, 1e7, 1e8]);
    expect(yTicks([200_000, 5e6], 150, 'log')).toEqual([2e5, 5e5, 1e6, 2e6, 5e6]);
    expect([2e5, 1e7].map((value) => logTick(value, 'B'))).toEqual(['200 kB', '10 MB']);
    const narrow = narrowLogFormat('Mbps');
    expect(narrow.unit).toBe('bps');
    expect([0.01, 100, 1000].map(narrow.format)).toEqual(['10 k', '100 M', '1 G']);
    expect([2e5, 10].map(narrowLogFormat('B').format)).toEqual(['200 k', '10']);
    expect(narrowLogFormat('packets').unit).toBe('packets');
  });

  it('is not set by a few values far above all others where a panel cuts them', () => {
    const spikes = Array.from({ length: 200 }, (_, i) => (i % 100 === 50 ? 6000 : 40 + (i % 10)));
    const top = (y: number[], cut: boolean) =>
      yRange(panel(y, { y: { unit: 'Mbps', ...(cut && { cut: 'lines' }) } }), [0, 1e3], new Visibility())[1];
    expect(top(spikes, false)).toBeGreaterThan(6000);
    expect(top(spikes, true)).toBeGreaterThan(49);
    expect(top(spikes, true)).toBeLessThan(100);
    expect(top([10, 20, 30, 45], true)).toBeGreaterThan(45);
    const often = spikes.map((value, i) => (i % 10 === 0 ? 6000 : value));
    expect(top(often, true)).toBeGreaterThan(6000);
    expect(top([0, 0, 0, 7], true)).toBeGreaterThan(7);
    const pits = panel(
      spikes.map((value) => (value === 6000 ? -9000 : value)),
      { y: { unit: '', cut: 'lines' } },
    );
    expect(yRange(pits, [0, 1e3], new Visibility())[0]).toBeGreaterThan(-150);
  });

  it('is not set by a band far above its lines where a panel cuts it, and says so', () => {
    const with10msRates = (top: number, more: Partial<PanelSpec['y']> = {}): PanelSpec => {
      const one = { label: '', unit: 'Mbps', style: { colour: '#000' } };
      return {
        ...panel([100, 200]),
        series: [
          { ...one, id: 'b', group: 'b', kind: 'band', lower: seriesOf([0, 0]), upper: seriesOf([150, top]) },
          { ...one, id: 'm', group: 'm', kind: 'step', data: seriesOf([100, 200]) },
        ],
        y: { unit: 'Mbps', cut: 'bands', ...more },
      };
    };
    const look = (spec: PanelSpec, hidden: string[] = []): [number, boolean] => [
      yRange(spec, [0, 1], new Visibility(hidden))[1],
      isCut(spec, [0, 1], new Visibility(hidden)),
    ];
    expect(look(with10msRates(4000))).toEqual([400, true]);
    expect(look(with10msRates(490))).toEqual([600, false]);
    expect(look(with10msRates(4000), ['m'])).toEqual([5000, false]);
    expect(look(with10msRates(4000, { scale: 'log' }))).toEqual([5000, false]);
    expect(look(with10msRates(4000), ['b'])).toEqual([250, false]);
  });

  it('ignores what is hidden, out of sight or not there', () => {
    expect(yRange(panel([1, 1, 1, 500]), [0, 1], new Visibility())[1]).toBeLessThan(10);
    expect(yRange(panel([500]), [0, 1], new Visibility(['s']))).toEqual([0, 1]);
    expect(yRange(panel([NaN, NaN]), [0, 1], new Visibility())).toEqual([0, 1]);
  });

  it('is told to be made up where no line that is shown has a value', () => {
    expect(isEmpty(panel([NaN, NaN]), [0, 1], new Visibility())).toBe(true);
    expect(isEmpty(panel([NaN, 0]), [0, 1], new Visibility())).toBe(false);
    expect(isEmpty(panel([NaN, NaN]), [0, 1], new Visibility(['s']))).toBe(false);
    // What is still to come has no scale yet.
    expect(isEmpty(panel([], { series: [] }), [0, 1], new Visibility())).toBe(true);
  });

  it('has two ticks at least, however low the panel', () => {
    for (const range of [
      [-12, 6],
      [-0.6, 0.4],
      [0, 150],
      [-500, 300],
      [-7.3, 1.2],
    ] as const)
      expect(yTicks([range[0], range[1]], 81).length).toBeGreaterThan(1);
  });
});

describe('ticks of time', () => {
  it('fit a phone: no more than one label per 56 px, whatever the zoom', () => {
    for (const span of [0.005, 0.02, 0.3, 1, 7, 60, 599, 601, 3600, 86_400])
      for (const from of [0, 12.345]) {
        const { values, format } = timeTicks([from, from + span], 290);
        expect(values.length).toBeGreaterThan(1);
        const widest = Math.max(...values.map((value) => format(value).length)) * 6.6;
        expect(values.length * (widest + 6)).toBeLessThan(290 + widest);
        expect(new Set(values.map(format)).size).toBe(values.length);
      }
  });

  it('read as a clock in long runs', () => {
    expect([5, 65, 3725].map(formatClock)).toEqual(['0:05', '1:05', '1:02:05']);
  });
});

describe('units', () => {
  it('get the prefix that keeps numbers short', () => {
    expect(unitScale('B', 225_000)).toEqual({ factor: 1e3, unit: 'kB' });
    expect(unitScale('Mbps', 2400)).toEqual({ factor: 1e3, unit: 'Gbps' });
    expect(unitScale('ms', 1500)).toEqual({ factor: 1, unit: 'ms' });
    expect(unitScale('packets', 5)).toEqual({ factor: 1, unit: 'packets' });
    expect(tickFormat([0, 100_000, 200_000], 'B').format(100_000)).toBe('100');
  });
});
