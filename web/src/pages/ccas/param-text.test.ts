import { describe, expect, it } from 'vitest';
import type { ParamDescriptor } from '#protocol/cca';
import { readEarlier, readParams, writeEarlier, writeParams } from './param-text';

const param = (name: string, type: ParamDescriptor['type'], initial: number | boolean | string): ParamDescriptor => ({
  name,
  label: name,
  type,
  unit: '',
  default: initial,
  min: null,
  max: type === 'number' ? 1 : null,
  choices: ['x', 'a:b'],
  help: '',
});
const KNOWN = [param('beta', 'number', 0.7), param('on', 'boolean', true), param('profile', 'choice', 'x')];

describe('parameters in the address', () => {
  it('come back as they were written, in the order of the algorithm', () => {
    const words = writeParams({ profile: 'a:b', on: false, beta: 0.5 }, KNOWN);
    expect(words).toEqual(['beta:0.5', 'on:false', 'profile:a:b']);
    expect(readParams(words, KNOWN)).toEqual({ values: { beta: 0.5, on: false, profile: 'a:b' }, misread: [] });
  });

  it('leave out what is as usual', () => {
    expect(readParams(['beta:0.7', 'on:true'], KNOWN).values).toEqual({});
  });

  it('tell what is none', () => {
    const words = ['gamma:1', 'beta:', 'beta:fast', 'beta:7', 'on:yes', 'profile:y', 'beta', ':1', '__proto__:1', ''];
    expect(readParams(words, KNOWN)).toEqual({ values: {}, misread: words });
  });

  it('of before may be the usual ones, which is not the same as none', () => {
    expect(readEarlier([], KNOWN)).toBeNull();
    expect(readEarlier(writeEarlier({}, KNOWN), KNOWN)).toEqual({});
    expect(readEarlier(writeEarlier({ beta: 0.5 }, KNOWN), KNOWN)).toEqual({ beta: 0.5 });
  });
});
