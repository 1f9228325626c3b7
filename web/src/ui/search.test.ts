import { describe, expect, it } from 'vitest';
import {
  listText,
  numberText,
  oneOf,
  optionalNumber,
  parseSearch,
  rangeText,
  readSearch,
  stringifySearch,
  writeSearch,
} from './search';

const shape = {
  t: { codec: rangeText, initial: null },
  hide: { codec: listText, initial: [] },
  cursor: { codec: optionalNumber, initial: null },
  scale: { codec: numberText, initial: 1 },
  axis: { codec: oneOf(['linear', 'log']), initial: 'linear' },
};

describe('view state in the address', () => {
  it('reads what it wrote', () => {
    const values = {
      t: [12.5, 20] as [number, number],
      hide: ['flow-1', 'flow-2'],
      cursor: 14.2,
      scale: 2,
      axis: 'log' as const,
    };
    const address = stringifySearch(writeSearch(shape, {}, values));
    expect(address).toBe('?t=12.5,20&hide=flow-1,flow-2&cursor=14.2&scale=2&axis=log');
    expect(readSearch(shape, parseSearch(address))).toEqual({ values, misread: [] });
  });

  it('leaves defaults out', () => {
    const raw = writeSearch(shape, { t: '1,2', scale: '3' }, { t: null, scale: 1, hide: [], axis: 'linear' });
    expect(stringifySearch(raw)).toBe('');
  });

  it('falls back one by one and says which were not understood', () => {
    const { values, misread } = readSearch(shape, { t: '20,12', cursor: 'soon', axis: 'cubic', scale: '4' });
    expect(values).toEqual({ t: null, hide: [], cursor: null, scale: 4, axis: 'linear' });
    expect(misread).toEqual([
      { key: 't', value: '20,12' },
      { key: 'cursor', value: 'soon' },
      { key: 'axis', value: 'cubic' },
    ]);
  });

  it('keeps parameters that it does not know', () => {
    expect(writeSearch(shape, { from: 'newer', t: '1,2' }, { t: [3, 4] })).toEqual({ from: 'newer', t: '3,4' });
  });
});
