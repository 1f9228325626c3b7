import { describe, expect, it } from 'vitest';
import { LinkedScales } from './linked-scales';
import type { LimitSpec, PanelSpec, YAxisSpec } from './types';

const panel = (
  values: readonly number[],
  y: Partial<YAxisSpec> = {},
  limits: readonly LimitSpec[] = [],
): PanelSpec => ({
  id: 'queue',
  title: '',
  series: [
    {
      id: 'a',
      kind: 'line',
      label: '',
      unit: 'B',
      group: 'a',
      style: { colour: '#000' },
      data: { x: Float64Array.from(values, (_, i) => i), y: Float32Array.from(values), length: values.length },
    },
  ],
  limits,
  y: { unit: 'B', ...y },
});
const spans = (panels: readonly PanelSpec[]) => {
  const scales = new LinkedScales();
  for (const one of panels) scales.tell({}, [one]);
  return panels.map((one) => scales.axisOf(one)).map(({ scale, span }) => ({ scale, span }));
};

describe('scales of panels beside one another', () => {
  it('take in what all of them show, from zero', () => {
    const [a, b] = spans([panel([1, 5]), panel([2, NaN, 80])]);
    expect(a).toEqual({ scale: 'linear', span: [0, 80] });
    expect(b).toEqual(a);
  });

  it('are logarithmic for all where all together need it', () => {
    const [a, b] = spans([panel([20, 30], { scale: 'auto' }), panel([40, 900], { scale: 'auto' })]);
    expect(a).toEqual({ scale: 'log', span: [20, 900] });
    expect(b).toEqual(a);
  });

  it('have room for limits that come near', () => {
    const limit = (value: number): LimitSpec[] => [{ id: 'limit', label: '', value, colour: '' }];
    expect(spans([panel([1]), panel([60], {}, limit(100))]).map(({ span }) => span?.[1])).toEqual([
      expect.closeTo(110, 9),
      expect.closeTo(110, 9),
    ]);
    expect(spans([panel([1]), panel([40], {}, limit(100))]).map(({ span }) => span?.[1])).toEqual([40, 40]);
  });

  it('of a panel alone are its own, and what is taken back counts no more', async () => {
    const scales = new LinkedScales();
    const [one, other] = [panel([1]), panel([9])];
    let heard = 0;
    scales.subscribe(() => heard++);
    scales.tell({}, [one]);
    const back = scales.tell({}, [other]);
    await Promise.resolve();
    expect(heard).toBe(1);
    expect(scales.axisOf(one).span).toEqual([0, 9]);
    back();
    expect(scales.axisOf(one)).toBe(one.y);
  });
});
