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
    expect(readPanel(spec, new Visibility(), { at: 1 })).toMatchObject([{ value: 1, text: 'DOWN' }]);
    expect(readPanel(spec, new Visibility(['g']), { at: 1 })).toEqual([]);
  });
});

describe('the value at the head', () => {
  const line = (id: string, data: ReturnType<typeof seriesOf>) => ({
    ...{ id, kind: 'line' as const, label: id, unit: 'ms', group: id, data },
    style: { colour: '#000' },
  });
  const at = (head: number, ...series: ReturnType<typeof line>[]): number[] =>
    readPanel({ id: 'p', title: '', y: { unit: 'ms' }, series }, new Visibility(), { head }).map(({ value }) => value);
  const rows = line('rows', seriesOf([1, 2, 3, 4], [0.01, 0.02, 0.03, 0.04]));
  const means = line('means', seriesOf([7, 8], [0.02, 0.04]));

  it('is that of the last row that is over, while the one around it is not there yet', () => {
    expect(at(0.045, rows, means)).toEqual([4, 8]);
    expect(at(0.04, rows, means)).toEqual([4, 8]);
    expect(at(0.3, means)).toEqual([8]);
  });

  it('is the last one there was where a sample has none', () => {
    expect(at(0.045, line('gap', seriesOf([1, NaN], [0.03, 0.04])))).toEqual([1]);
  });

  it('is where the data is, however far the clock has run ahead of it', () => {
    expect(at(12, rows)).toEqual([4]);
  });

  it('is unknown for what ended long before, and for what has not begun', () => {
    expect(at(5, line('goes on', seriesOf([1, 2], [4.9, 5])), rows)).toEqual([2, NaN]);
    expect(at(5, line('nothing', seriesOf([])))).toEqual([NaN]);
    expect(at(2.04, line('gap', seriesOf([1, NaN, NaN], [0.03, 2.03, 2.04])))).toEqual([NaN]);
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
