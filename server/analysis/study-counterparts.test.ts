import { describe, expect, test } from 'vitest';
import { overOthers } from '#analysis/study-counterparts';
import { Claim, type Tested } from '#protocol/study';

const claim = (measure: object, expect_: object): Tested => {
  const whole = { experiment: 'solo', value: 'utilisation', by: 'cca', ...measure };
  const { tested } = Claim.parse({ id: 'a', text: 'a', tested: { measure: whole, expect: expect_ } });
  if ('not' in tested) throw new Error('it is tested');
  return tested;
};
const values = (paper: Record<string, unknown>) => ({ kind: 'values', paper, tolerance: { absolute: 1 } });
const COUNTERPARTS = { drive: 'recorded drive', walk: 'recorded walk', canyon: 'nowhere' };
const THERE = new Set(['recorded drive', 'recorded walk']);

describe('a claim of networks by name', () => {
  test('is asked of their counterparts, and those that have none are left out', () => {
    const asked = overOthers(
      claim({ by: 'trace' }, values({ drive: 1, canyon: 2, walk: 3, hill: 4 })),
      THERE,
      COUNTERPARTS,
    );
    expect(asked?.measure.where.trace).toEqual(['recorded drive', 'recorded walk']);
    expect(asked?.expect.paper).toEqual({ 'recorded drive': 1, 'recorded walk': 3 });
  });

  test('where two have the same the first speaks', () => {
    const asked = overOthers(claim({ by: 'trace' }, values({ walk: 1, drive: 2 })), THERE, {
      drive: 'recorded walk',
      walk: 'recorded walk',
    });
    expect(asked?.expect.paper).toEqual({ 'recorded walk': 1 });
  });

  test('that chooses some is asked of the counterparts of these', () => {
    const chosen = claim({ where: { trace: ['walk', 'canyon'], cca: 'base' } }, values({ base: 1 }));
    expect(overOthers(chosen, THERE, COUNTERPARTS)?.measure.where).toEqual({ trace: ['recorded walk'], cca: 'base' });
    const beside = claim({ against: { where: { trace: 'drive' }, how: 'ratio' } }, values({ base: 1 }));
    expect(overOthers(beside, THERE, COUNTERPARTS)?.measure.against?.where).toEqual({ trace: ['recorded drive'] });
  });

  test('is not asked where there is nothing to ask, and an order wants two', () => {
    expect(overOthers(claim({ by: 'trace' }, values({ canyon: 1 })), THERE, COUNTERPARTS)).toBe(null);
    expect(overOthers(claim({ by: 'trace' }, values({ drive: 1 })), THERE, undefined)).toBe(null);
    expect(overOthers(claim({ where: { trace: 'canyon' } }, values({ base: 1 })), THERE, COUNTERPARTS)).toBe(null);
    const order = (paper: Record<string, number>) =>
      overOthers(claim({ by: 'trace' }, { kind: 'order', paper, holds: 1, direction: 0 }), THERE, COUNTERPARTS);
    expect(order({ drive: 1, canyon: 2 })).toBe(null);
    expect(order({ drive: 1, walk: 2 })?.expect.paper).toEqual({ 'recorded drive': 1, 'recorded walk': 2 });
  });

  test('of none by name is the same over others', () => {
    const all = claim({}, values({ base: 1 }));
    expect(overOthers(all, THERE, undefined)).toEqual(all);
  });
});
