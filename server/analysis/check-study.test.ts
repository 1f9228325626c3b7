import { describe, expect, test } from 'vitest';
import { checkStudy } from '#analysis/check-study';
import { LISTING } from '#analysis/testing';
import type { EngineListing } from '#protocol/cca';
import { Study } from '#protocol/study';

const spec = { traces: [{ trace: 'lte.down' }], ccas: [{ id: 'base' }, { id: 'base', params: { rounds: 5 } }] };
const measure = { experiment: 'solo', value: 'utilisation', by: 'cca' };
const expectation = { kind: 'values', paper: { base: 1 }, tolerance: { absolute: 0 } };
const claim = { id: 'a', text: 'a', tested: { measure, expect: expectation } };

function faults(
  change: object,
  { claims = [claim] as object[], experiment = {} } = {},
  listing: EngineListing = LISTING,
): string[] {
  const study = {
    id: 'a',
    title: 'a',
    question: 'a',
    paper: null,
    setup: 'a',
    experiments: { solo: { title: 'a', why: 'a', origin: 'modelled', spec: { ...spec, ...experiment } } },
    figures: [{ id: 'f', title: 'f', claims }],
    ...change,
  };
  return checkStudy(Study.parse(study), listing, new Set(['lte.down']));
}
const ofClaim = (change: object): string[] => faults({}, { claims: [{ ...claim, ...change }] });
const measured = (change: object): string[] =>
  ofClaim({ tested: { measure: { ...measure, ...change }, expect: expectation } });

describe('what a study names', () => {
  test('is there', () => {
    expect(faults({})).toEqual([]);
    expect(measured({ where: { cca: 'BASE (rounds 5)', limit: '1 BDP', trace: 'lte.down' } })).toEqual([]);
  });

  test('or is told, with its place', () => {
    expect(measured({ value: 'happiness' })).toEqual(['f/a: there is no value happiness']);
    expect(measured({ where: { limit: '2 BDP' } })).toEqual(['f/a: its experiment has no limit 2 BDP']);
    expect(measured({ against: { where: { cca: 'rival' }, how: 'ratio' } })).toEqual([
      'f/a: its experiment has no cca rival',
    ]);
    expect(measured({ experiment: 'pairs' })).toEqual(['f/a: there is no experiment pairs']);
    expect(measured({ by: 'trace' })).toEqual(['f/a: its experiment has no trace base']);
    expect(measured({ by: 'all' })).toEqual(['f/a: told apart by nothing it has one key, all']);
    expect(ofClaim({ because: { text: 'a', variant: 'deep' } })).toEqual(['f/a: there is no variant deep']);
    expect(faults({ answers: ['pairs'] })).toEqual(['answers: there is no experiment pairs']);
    expect(faults({ variants: { deep: { title: 'a', origin: 'modelled', instead: { solo: 'deep' } } } })).toEqual([
      'variant deep: there is no experiment deep',
    ]);
    const traces = { 'lte.down': '5g.down', 'umts.down': 'lte.down' };
    const elsewhere = { title: 'a', origin: 'recorded', instead: { solo: 'solo' }, traces };
    expect(faults({ variants: { elsewhere } })).toEqual([
      'variant elsewhere: none of its experiments is over 5g.down',
      'variant elsewhere: nothing that it replaces is over umts.down',
    ]);
    expect(faults({}, { claims: [claim, claim] })).toEqual(['f/a: there are two of this id']);
    expect(faults({}, { experiment: { traces: [{ trace: 'gone' }] } })).toEqual(['solo: there is no trace gone']);
  });

  test('can run here: in real time, too, but not where an algorithm does not', () => {
    const withSlow = { ccas: [...spec.ccas, { id: 'slow' }] };
    expect(faults({}, { experiment: withSlow })).toEqual([]);
    expect(faults({}, { experiment: { engine: 'realtime' } })).toEqual([]);
    expect(faults({}, { experiment: { ...withSlow, engine: 'realtime' } })).toEqual([
      'solo: slow cannot run here: it has no engine “realtime”',
    ]);
    const without = { ...LISTING, ccas: LISTING.ccas.map((cca) => ({ ...cca, unavailable: 'there is no TUN' })) };
    expect(faults({}, {}, without)).toEqual(Array(2).fill('solo: base cannot run here: there is no TUN'));
  });
});
