import { describe, expect, it } from 'vitest';
import { lastPlace, placeOf, scaleFor, valueAt, valuesAlong, type Scale } from './scale';

const RTT: Scale = { min: 1, max: 1000, kind: 'log' };
const LOSS: Scale = { min: 1e-5, max: 0.1, kind: 'zero-log' };
const SHARE: Scale = { min: 0, max: 1, kind: 'linear', step: 0.05 };

describe('the places along a slider', () => {
  it.each([RTT, LOSS, SHARE, scaleFor(2, 10_000, true), scaleFor(0, 1, false)])('lead there and back: %j', (scale) => {
    const last = lastPlace(scale);
    expect(valueAt(scale, last)).toBe(scale.max);
    for (let place = 0; place <= last; place++) {
      const value = valueAt(scale, place);
      expect(valueAt(scale, placeOf(scale, value))).toBe(value);
      if (place > 0) expect(value).toBeGreaterThanOrEqual(valueAt(scale, place - 1));
    }
  });

  it('go from the least to the greatest, with zero before them where it is one', () => {
    expect([valueAt(RTT, 0), valueAt(LOSS, 0), valueAt(LOSS, 1)]).toEqual([1, 0, 1e-5]);
    expect(valueAt(SHARE, 3)).toBe(0.15);
  });

  it('are round, and whole where they must be', () => {
    expect([placeOf(RTT, 40), placeOf(RTT, 80)].map((place) => valueAt(RTT, place))).toEqual([40, 80]);
    const whole = scaleFor(1, 5000, true);
    for (let place = 0; place <= lastPlace(whole); place++) expect(Number.isInteger(valueAt(whole, place))).toBe(true);
  });

  it('are nearest to values that lie between them or beyond the ends', () => {
    expect(placeOf(RTT, 0.2)).toBe(0);
    expect(placeOf(RTT, 5000)).toBe(lastPlace(RTT));
    expect(valueAt(SHARE, placeOf(SHARE, 0.61))).toBe(0.6);
  });

  it('spread over the whole rail', () => {
    expect(valuesAlong(SHARE, 5)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(valuesAlong(RTT, 4)).toEqual([1, 10, 100, 1000]);
    expect(valuesAlong(scaleFor(1, 3, true), 9)).toEqual([1, 2, 3]);
  });
});
