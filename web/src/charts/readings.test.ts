import { describe, expect, it } from 'vitest';
import { phasesOf } from './phases';
import { readPanel, valueAt } from './readings';
import { GrowingSeries, seriesOf } from './testing';
import { Visibility } from './visibility';

describe('the value at a time', () => {
  const data = seriesOf([1, 2, NaN, 4], [0.01, 0.02, 0.03, 0.04]);

  it('is the row whose interval contains it', () => {
    expect([0.001, 0.01, 0.011, 0.04].map((time) => valueAt(data, time))).toEqual([1, 1, 2, 4]);
  });

  it('is unknown in gaps, before the first interval and after the last row', () => {
    expect([0.025, -0.5, 0.05].map((time) => valueAt(data, time))).toEqual([NaN, NaN, NaN]);
    expect(valueAt(seriesOf([]), 0)).toBeNaN();
  });

  it('names the state of a ribbon', () => {
    const spec = {
      id: 'p',
      title: '',
      y: { unit: '' },
      series: [
        {
          id: 's',
          kind: 'ribbon' as const,
          label: 'phase',
          unit: '',
          group: 'g',
          data: seriesOf([0, 1]),
          states: ['UP', 'DOWN'],
          style: { colour: '#000' },
        },
      ],
    };
    expect(readPanel(spec, new Visibility(), 1)).toMatchObject([{ value: 1, text: 'DOWN' }]);
    expect(readPanel(spec, new Visibility(['g']), 1)).toEqual([]);
  });
});

describe('phases', () => {
  it('are runs of equal states, extended as the series grows', () => {
    const growing = new GrowingSeries(seriesOf([0, 0, 1, 1, 0], [1, 2, 3, 4, 5]));
    growing.length = 3;
    expect(phasesOf(growing)).toMatchObject({ starts: [0, 2], states: [0, 1], end: 3 });
    growing.length = 5;
    expect(phasesOf(growing)).toMatchObject({ starts: [0, 2, 4], states: [0, 1, 0], end: 5 });
  });
});
