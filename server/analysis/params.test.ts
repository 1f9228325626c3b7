import { describe, expect, test } from 'vitest';
import { changedParams, hasEffect } from '#analysis/params';
import type { ParamDescriptor } from '#protocol/cca';

const choice = (
  name: string,
  choices: readonly string[],
  matters_with?: ParamDescriptor['matters_with'],
): ParamDescriptor => ({
  ...{ name, label: name, type: 'choice', unit: '', default: choices[0]!, min: null, max: null, help: '' },
  ...{ choices: [...choices], matters_with },
});
const number = (name: string, matters_with: ParamDescriptor['matters_with']): ParamDescriptor => ({
  ...{ name, label: name, type: 'number', unit: '', default: 5, min: 0, max: 10, choices: [], help: '', matters_with },
});

const PROFILE = choice('profile', ['draft', 'linux']);
const MARKS = choice('marks', ['off', 'on'], { param: 'profile', values: ['linux'] });
const SHARE = number('share', { param: 'marks', values: ['on'] });
const PLAIN = number('plain', undefined);
const SWITCH: ParamDescriptor = { ...PLAIN, name: 'moves', type: 'boolean', default: true };
const STEP = number('step', { param: 'moves', values: ['true'] });
const WEIGHTS: ParamDescriptor = {
  ...PLAIN,
  ...{ name: 'weights', type: 'weights', default: '', needed_with: { param: 'marks', value: 'on' } },
};
const KNOWN = [PROFILE, MARKS, SHARE, PLAIN, SWITCH, STEP, WEIGHTS];

describe('parameters of a spec', () => {
  test('what has no effect beside the others is dropped, and what has stays', () => {
    expect(changedParams({ share: 7, plain: 6 }, KNOWN)).toEqual({ plain: 6 });
    const all = { profile: 'linux', marks: 'on', share: 7, weights: 'a file' };
    expect(changedParams(all, KNOWN)).toEqual(all);
  });

  test('what depends on something without effect has none', () => {
    expect(changedParams({ marks: 'on', share: 7, weights: 'a file' }, KNOWN)).toEqual({});
    expect(hasEffect(SHARE, { profile: 'linux', marks: 'on' }, KNOWN)).toBe(true);
    expect(hasEffect(SHARE, { marks: 'on' }, KNOWN)).toBe(false);
  });

  test('a switch counts as a choice does', () => {
    expect(changedParams({ step: 7 }, KNOWN)).toEqual({ step: 7 });
    expect(changedParams({ moves: false, step: 7 }, KNOWN)).toEqual({ moves: false });
  });

  test('defaults are not written, unknown names stay for the check to refuse', () => {
    expect(changedParams({ profile: 'draft', plain: 5, other: 1 }, KNOWN)).toEqual({ other: 1 });
  });
});
