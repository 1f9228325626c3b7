// The engine as WebAssembly when something is wrong: each run says why, and the next one finds a sound engine.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nativeDir } from '#bridge/programs';
import { manifest as fakeManifest } from '#bridge/testing/fake-programs';
import type { RunManifest } from '#protocol/manifest';
import { createEngine, type EngineOutcome } from './engine.ts';

const MODULE = join(nativeDir(), 'paceline.wasm');
const there = existsSync(MODULE);
const engine = there ? await createEngine(new Uint8Array(readFileSync(MODULE))) : null;
const utf8 = new TextEncoder();
const SHA = 'a'.repeat(64);

// Not every one is one that the schema would let through.
const manifest = (over: Partial<RunManifest> = {}): RunManifest => ({
  ...fakeManifest({ engine_version: engine?.version ?? '' }),
  ...over,
});
const traced = (over: Partial<RunManifest> = {}): RunManifest => {
  const usual = manifest();
  return {
    ...usual,
    ...over,
    forward: { ...usual.forward, capacity: { kind: 'trace', sha256: SHA, name: 't', offset_ms: 0 } },
  };
};
const run = async (...words: Parameters<NonNullable<typeof engine>['run']>): Promise<EngineOutcome> => {
  if (engine === null) throw new Error('there is no engine');
  return engine.run(...words);
};
const works = async (): Promise<void> => {
  const { outcome, reason, summary } = await run(manifest(), {});
  expect([outcome, reason]).toEqual(['done', null]);
  expect(summary?.links[0]?.utilisation).toBeGreaterThan(0.5);
};

describe.skipIf(!there)('the engine as WebAssembly', () => {
  it.each([
    [
      'an unknown algorithm',
      { flows: manifest().flows.map((flow) => ({ ...flow, cca: { id: 'quubic', params: {} } })) },
      /flows\[0\]\.cca\.id: there is no CCA "quubic"/,
    ],
    [
      'a parameter out of its range',
      { flows: manifest().flows.map((flow) => ({ ...flow, cca: { id: 'cubic', params: { beta: 7 } } })) },
      /flows\[0\]\.cca\.params: parameter beta: 7 is outside/,
    ],
    ['an unknown key', { colour: 'red' }, /colour: is not known/],
    [
      'another engine version',
      { engine_version: '0.0.0' },
      /engine_version: the manifest is for engine 0\.0\.0, this is /,
    ],
    ['a duration beyond all bounds', { duration_s: 1e9 }, /duration_s: 1e\+09 is outside 0\.1 to 86400/],
  ])('refuses %s', async (_what, over, reason) => {
    expect(await run(manifest(over as Partial<RunManifest>), {})).toEqual({
      outcome: 'failed',
      reason: expect.stringMatching(reason) as string,
      cause: 'own',
      summary: null,
    });
    await works();
  });

  it.each([
    ['nothing', ''],
    ['no numbers', '# ms count\nmany packets\n'],
    ['time that runs backwards', '# ms count\n5 1\n4 1\n'],
    ['numbers beyond 64 bits', '# ms count\n99999999999999999999999 1\n'],
    ['a day and more', '# ms count\n1 1\n86400001 1\n'],
    ['no opportunity at all', '# ms count\n1 0\n1000 0\n'],
    ['bytes of anything', String.fromCharCode(...Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256))],
  ])('refuses a trace of %s', async (_what, text) => {
    const told = await run(traced(), { traces: new Map([[SHA, utf8.encode(text)]]) });
    expect([told.outcome, told.cause]).toEqual(['failed', 'own']);
    expect(told.reason).not.toBe('');
    await works();
  });

  it('says which trace it was not given', async () => {
    expect((await run(traced(), {})).reason).toBe('forward.capacity.sha256: this trace was not handed in');
  });

  it('stops where its memory ends', async () => {
    // A day, denser than its memory can hold beside what reads it.
    const day = '# ms count\n0 1\n86400000 1\n';
    const traces = new Map(['b', 'c', 'd'].map((letter) => [letter.repeat(64), utf8.encode(day)]));
    const told = await run(manifest(), { traces });
    expect(told).toMatchObject({ outcome: 'failed', cause: 'own' });
    expect(told.reason).toBe('the run needs more memory than this engine may take');
    await works();
  });

  it('is cancelled between two slices, before and during a run', async () => {
    const before = await run(manifest(), {}, { signal: AbortSignal.abort() });
    expect(before.outcome).toBe('cancelled');
    const controller = new AbortController();
    const times: number[] = [];
    const long = {
      duration_s: 3600,
      forward: { ...manifest().forward, capacity: { kind: 'constant' as const, rate_mbps: 100 } },
    };
    const during = await run(
      manifest(long),
      {},
      {
        signal: controller.signal,
        onProgress: (time) => {
          times.push(time);
          controller.abort();
        },
      },
    );
    expect(during).toEqual({ outcome: 'cancelled', reason: 'The run was cancelled.', cause: null, summary: null });
    expect(times.length).toBeGreaterThan(0);
    expect(Math.max(...times)).toBeLessThan(600);
    await works();
  });

  it('makes one run at a time, and says all but the samples when nobody will look at them', async () => {
    const streams = new Set<number>();
    const first = run(manifest(), {}, { samples: false, onFrame: (_bytes, header) => streams.add(header.kind) });
    await expect(run(manifest(), {})).rejects.toThrow('one run at a time');
    expect((await first).outcome).toBe('done');
    expect([...streams]).toEqual([1]);
  });
});
