import { describe, expect, it } from 'vitest';
import type { ExperimentRecord, RunRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';
import { healthOf, nameRun } from './describe';

const flow = (id: string) => ({ cca: { id, params: {} } });
const manifest = (flows: string[], more: object = {}) =>
  ({
    engine: 'virtual',
    repetition: 1,
    forward: { capacity: { kind: 'trace', name: 'lte-drive' }, queue: { limit_bytes: 64_700, limit_packets: null } },
    flows: flows.map(flow),
    ...more,
  }) as unknown as RunManifest;
const ccas = new Map([
  ['a', { label: 'Alpha' } as CcaDescriptor],
  ['b', { label: 'Beta' } as CcaDescriptor],
]);
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe('the name of a run', () => {
  it('says trace, algorithms and limit', () => {
    expect(plain(nameRun({ manifest: manifest(['a']), experiments: [] }, ccas).title)).toBe(
      'lte-drive · Alpha · 64.7 kB',
    );
    expect(nameRun({ manifest: manifest(['a', 'a', 'b']), experiments: [] }, ccas).ccas).toEqual(['2 × Alpha', 'Beta']);
  });

  it('takes the limit as it was asked for, the role and the repetition from the experiment', () => {
    const run = {
      manifest: manifest(['a', 'b']),
      experiments: [{ id: 'e', name: 'x', cell: 'k', role: 'baseline_pair' as const }],
    } satisfies Pick<RunRecord, 'manifest' | 'experiments'>;
    const experiment = {
      id: 'e',
      spec: { repetitions: 5 },
      cells: [{ key: 'k', buffer: { bdp: 5 } }],
    } as unknown as ExperimentRecord;
    expect(nameRun(run, ccas, experiment).title).toBe(
      'lte-drive · Alpha + Beta · 5 BDP · against the baseline · repetition 2 of 5',
    );
  });

  it('names a CCA that this engine does not know by its id', () => {
    expect(nameRun({ manifest: manifest(['other']), experiments: [] }, ccas).ccas).toEqual(['other']);
  });
});

describe('health of the emulator', () => {
  const late = (overrun: boolean) => ({ lateness: { p99_us: 120, max_us: 900, overrun } }) as unknown as RunSummary;

  it('is certain in virtual time and measured in real time', () => {
    expect(healthOf(manifest(['a']), null)).toMatchObject({ kind: 'good', text: 'virtual time' });
    const real = manifest(['a'], { engine: 'realtime' });
    expect(healthOf(real, late(false))).toMatchObject({ kind: 'good', text: 'on time' });
    expect(healthOf(real, late(true))).toMatchObject({ kind: 'bad', text: 'overrun' });
    expect(plain(healthOf(real, late(false)).detail)).toContain('120 µs');
    const programs = [{ flow: 0, end: 'sender', looked_s: 10, ran_s: 1, waited_s: 3, kept_waiting_s: 3 }] as const;
    const starved = healthOf(real, { ...late(false), programs: [...programs] });
    expect(starved).toMatchObject({ kind: 'bad', text: 'program starved' });
    expect(starved.detail).toContain('The program that is the sender of flow 1 waited 30 % of the time');
  });
});
