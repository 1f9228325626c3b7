// What a spec may say of own algorithms.
import { describe, expect, it } from 'vitest';
import type { CcaDescriptor } from '#protocol/cca';
import { ExperimentSpec, type ExperimentSpecInput } from '#protocol/spec';
import { checkSpec } from './check-spec.ts';

const cca = (id: string, more: Partial<CcaDescriptor> = {}): CcaDescriptor => ({
  id,
  label: id.toUpperCase(),
  family: 'test',
  kind: 'sender',
  baseline: false,
  summary: '',
  source: '',
  engines: ['virtual', 'realtime'],
  identity: { slot: 0, marker: 'circle', hollow: false },
  params: [],
  internals: [],
  ...more,
});
const OWN = `own-${'a'.repeat(40)}`;
const older = { program: 'b', version: 1, newest: false };
const listing = {
  engine_version: 'test',
  protocol: 1,
  ccas: [
    cca('base', { baseline: true }),
    cca('plugin', { revision: 'f' }),
    cca(OWN, { label: 'Mine', engines: ['virtual'], own: { program: 'a', version: 2, newest: true } }),
    cca('own-old', { own: older }),
  ],
  queues: [{ id: 'droptail', label: '', summary: '', source: '', limited: true, params: [] }],
  unavailable: [],
};
const problems = (spec: Partial<ExperimentSpecInput>): string[] =>
  checkSpec(
    ExperimentSpec.parse({ name: 'x', traces: [{ rate_mbps: 1 }], ccas: [{ id: 'base' }], ...spec }),
    listing,
    () => undefined,
  ).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('an own algorithm in a spec', () => {
  it('may be chosen beside all others, in any of its versions', () => {
    expect(problems({ ccas: [{ id: OWN }, { id: 'own-old' }, { id: 'plugin' }], full_scores: true })).toEqual([]);
    expect(problems({ flows: [{}, { cca: { id: OWN } }] })).toEqual([]);
  });

  it('runs in virtual time alone', () => {
    expect(problems({ ccas: [{ id: OWN }], engine: 'realtime' })).toEqual([
      'ccas.0.id: Mine does not run in real time; it runs in: virtual time',
    ]);
  });

  it('shares no link with a plug-in, whichever of them is chosen', () => {
    const words = 'cannot share the link: plug-ins run in native programs, own algorithms in the engine as WebAssembly';
    expect(problems({ ccas: [{ id: 'plugin' }], flows: [{}, { cca: { id: OWN } }] })).toEqual([
      `flows.1.cca.id: Mine and PLUGIN ${words}`,
    ]);
    expect(problems({ ccas: [{ id: OWN }], flows: [{}, { cca: { id: 'plugin' } }] })).toEqual([
      `flows.1.cca.id: PLUGIN and Mine ${words}`,
    ]);
  });

  it('that is not here is told what to do, and an id that nobody has what there is to choose', () => {
    expect(problems({ ccas: [{ id: `own-${'0'.repeat(40)}` }] })).toEqual([
      expect.stringMatching(/^ccas\.0\.id: the own algorithm own-0+ is not here: open its text in the editor/),
    ]);
    expect(problems({ ccas: [{ id: 'nobody' }] })).toEqual([
      `ccas.0.id: there is no CCA “nobody”; there are: base, plugin, ${OWN}`,
    ]);
  });
});
