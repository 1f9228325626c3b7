import { describe, expect, it } from 'vitest';
import { checkParams } from '#analysis/check-params';
import type { ParamDescriptor } from '#protocol/cca';

const common = { unit: '', min: null, max: null, help: '' };
const KNOWN: readonly ParamDescriptor[] = [
  { ...common, name: 'policy', label: 'Agent', type: 'choice', default: 'rule', choices: ['rule', 'network'] },
  {
    ...common,
    name: 'weights',
    label: 'Weights',
    type: 'weights',
    default: '',
    choices: ['delay'],
    algorithm: 'foo',
    needed_with: { param: 'policy', value: 'network' },
  },
];
const FOO = 'a'.repeat(64);
const BAR = 'b'.repeat(64);
const find = (id: string) =>
  ({ [FOO]: { name: 'mine', algorithm: 'foo' }, [BAR]: { name: 'other', algorithm: 'bar' } })[id];

const faults = (params: Record<string, string | number>): string[] =>
  checkParams('Foo', params, KNOWN, ['params'], find).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('a parameter that names a weights file', () => {
  it('is sound when the file is here and for this algorithm, or when none is needed', () => {
    expect(faults({ policy: 'network', weights: FOO })).toEqual([]);
    expect(faults({ weights: '' })).toEqual([]);
    expect(faults({})).toEqual([]);
  });
  it('is missed when another parameter needs it', () => {
    expect(faults({ policy: 'network' })).toEqual([
      'params.weights: Foo: weights must name a weights file when policy is network',
    ]);
  });
  it('is refused when the file is not here, or for another algorithm', () => {
    const unknown = 'c'.repeat(64);
    expect(faults({ weights: unknown })).toEqual([
      `params.weights: Foo: weights names a weights file that is not here: ${unknown}; upload it first`,
    ]);
    expect(faults({ weights: BAR })).toEqual([
      'params.weights: Foo: weights names “other”, which is for bar, not for foo',
    ]);
    expect(faults({ weights: 3 })).toEqual(['params.weights: Foo: weights must be a weights file, not 3']);
  });
});
