import { describe, expect, it } from 'vitest';
import type { ParamDescriptor } from '#protocol/cca';
import { keptParams } from './kept-params';

const param = (name: string, rest: Partial<ParamDescriptor>): ParamDescriptor => ({
  ...{ name, label: name, type: 'number', unit: '', default: 1, min: 0, max: 10, choices: [], help: '' },
  ...rest,
});

describe('parameters of a text that was changed', () => {
  it('stay where they were as long as the text has them and they fit', () => {
    const known = [
      param('rate', {}),
      param('count', { type: 'integer' }),
      param('on', { type: 'boolean', default: false }),
      param('how', { type: 'choice', default: 'a', choices: ['a', 'b'] }),
    ];
    expect(keptParams({ rate: 5, count: 3, on: true, how: 'b' }, known)).toEqual({
      rate: 5,
      count: 3,
      on: true,
      how: 'b',
    });
    expect(keptParams({ rate: 11, count: 2.5, on: 1, how: 'c', gone: 4 }, known)).toEqual({});
    expect(keptParams({ rate: 1 }, known)).toEqual({});
  });
});
