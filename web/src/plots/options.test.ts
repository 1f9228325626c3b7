import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { controlsOf, parseOptions } from './options';

const schema = z.object({ scale: z.enum(['log', 'linear']).default('log'), zero: z.boolean().default(false) });

describe('the options of a figure', () => {
  it('fall back one by one where an address is wrong', () => {
    expect(parseOptions(schema, { scale: 'cubic', zero: true, other: 1 })).toEqual({
      all: { scale: 'log', zero: true },
      changed: { zero: true },
    });
  });

  it('may be choices that look like numbers, as an address gives them', () => {
    const windows = z.object({ mean: z.enum(['none', '50', '100']).default('100'), n: z.number().default(1) });
    expect(parseOptions(windows, { mean: 50, n: 2 })).toEqual({
      all: { mean: '50', n: 2 },
      changed: { mean: '50', n: 2 },
    });
    expect(parseOptions(windows, { mean: 70, n: 'many' }).changed).toEqual({});
  });

  it('leave defaults out of the address', () => {
    expect(parseOptions(schema, { scale: 'log', zero: false }).changed).toEqual({});
  });

  it('are controls where they say what they are called', () => {
    const told = z.object({
      scale: z
        .enum(['log', 'linear'])
        .default('log')
        .meta({ title: 'Scale', labels: { log: 'by factors' } }),
      zero: z.boolean().default(false).meta({ title: 'From zero' }),
      mean: z.enum(['none', '50']).default('none'),
    });
    expect(controlsOf(told)).toEqual([
      { key: 'scale', title: 'Scale', choices: ['log', 'linear'], labels: { log: 'by factors' } },
      { key: 'zero', title: 'From zero', choices: null, labels: {} },
    ]);
  });
});
