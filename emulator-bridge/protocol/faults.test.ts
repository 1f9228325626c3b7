import { describe, expect, it } from 'vitest';
import { faultsOf } from './faults.ts';
import { ExperimentSpec } from './spec.ts';

const SOUND = { traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }] };

function faults(part: object): string[] {
  const parsed = ExperimentSpec.safeParse({ ...SOUND, ...part });
  return parsed.success ? [] : faultsOf(parsed.error).map(({ path, detail }) => `${path.join('.')}: ${detail}`);
}

describe('the faults of a document', () => {
  it.each<[string, object, string[]]>([
    ['none', {}, []],
    [
      'no form of a value: the forms',
      { buffers: [{ bdp: 1 }, 'unlimited'] },
      [
        'buffers.1: a queue limit is {"bdp": n}, {"bdp": n, "delay": "link"}, {"packets": n}, {"bytes": n}, {"ms": n} or {"infinite": true}',
      ],
    ],
    [
      'two forms at once: the forms',
      { traces: [{ trace: 'lte', rate_mbps: 3 }] },
      ['traces.0: a trace is {"trace": "name"} or {"rate_mbps": n}'],
    ],
    [
      'one form with a wrong value: the value',
      { buffers: [{ bdp: null }] },
      ['buffers.0.bdp: Invalid input: expected number, received null'],
    ],
    ['an unknown field: the field', { bufers: [] }, ['bufers: There is no such field.']],
    [
      'an unknown kind: the kinds',
      { flows: [{ source: { kind: 'tick' } }] },
      [expect.stringMatching(/^flows\.0\.source\.kind: .*'bulk'/)],
    ],
  ])('%s', (_, part, expected) => {
    expect(faults(part)).toEqual(expected);
  });
});
