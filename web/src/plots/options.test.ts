import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseOptions } from './options';

const schema = z.object({ scale: z.enum(['log', 'linear']).default('log'), zero: z.boolean().default(false) });

describe('the options of a figure', () => {
  it('fall back one by one where an address is wrong', () => {
    expect(parseOptions(schema, { scale: 'cubic', zero: true, other: 1 })).toEqual({
      all: { scale: 'log', zero: true },
      changed: { zero: true },
    });
  });

  it('leave defaults out of the address', () => {
    expect(parseOptions(schema, { scale: 'log', zero: false }).changed).toEqual({});
  });
});
