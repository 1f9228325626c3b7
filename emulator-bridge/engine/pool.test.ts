// A pool over channels, behind which are real engines.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nativeDir } from '#bridge/programs';
import { manifest as fakeManifest } from '#bridge/testing/fake-programs';
import type { RunManifest } from '#protocol/manifest';
import { createEngine } from './engine.ts';
import type { Port } from './messages.ts';
import { createPool, type EnginePool } from './pool.ts';
import { serveEngine } from './serve.ts';
import { Dice, randomTrace } from './testing/random-manifests.ts';

const MODULE = join(nativeDir(), 'paceline.wasm');
const there = existsSync(MODULE);
const module = there ? await WebAssembly.compile(new Uint8Array(readFileSync(MODULE))) : null;
const version = module === null ? '' : (await createEngine(module)).version;
const manifest = (over: Partial<RunManifest> = {}): RunManifest => fakeManifest({ engine_version: version, ...over });
const fast = { ...manifest().forward, capacity: { kind: 'constant' as const, rate_mbps: 100 } };

let channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1 } of channels) port1.close();
  channels = [];
});
function channelToEngine(): Port {
  const channel = new MessageChannel();
  channels.push(channel);
  serveEngine(channel.port2);
  return channel.port1;
}
function pool(size: number): EnginePool {
  if (module === null) throw new Error('there is no engine');
  return createPool({
    module,
    size,
    open: channelToEngine,
  });
}

describe.skipIf(!there)('a pool of engines', () => {
  it('makes runs in as few workers as are needed, and at most as many as it may', async () => {
    const engines = pool(2);
    expect((await engines.run(manifest(), {})).outcome).toBe('done');
    expect((await engines.run(manifest({ seed: 2 }), {})).outcome).toBe('done');
    expect(channels).toHaveLength(1);
    const many = await Promise.all(Array.from({ length: 5 }, (_, seed) => engines.run(manifest({ seed }), {})));
    expect(many.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => 'done'));
    expect(channels).toHaveLength(2);
  });

  it('gives the frames of an engine of one’s own, over a trace that it was given once', async () => {
    const { sha256, text } = randomTrace(new Dice(5));
    const traced = manifest({
      forward: { ...manifest().forward, capacity: { kind: 'trace', sha256, name: 't', offset_ms: 0 } },
    });
    const shelf = { traces: new Map([[sha256, text]]) };
    const engines = pool(1);
    if (module === null) throw new Error('there is no engine');
    const own = await createEngine(module);
    const bytes = async (of: Pick<EnginePool, 'run'>): Promise<Buffer> => {
      const frames: Uint8Array[] = [];
      const told = await of.run(traced, shelf, { onFrame: (frame) => frames.push(frame) });
      expect(told.outcome).toBe('done');
      return Buffer.concat(frames);
    };
    const expected = await bytes(own);
    expect(expected.byteLength).toBeGreaterThan(1000);
    expect((await bytes(engines)).equals(expected)).toBe(true);
    expect((await bytes(engines)).equals(expected)).toBe(true);
  });

  it('cancels what runs and what waits, and goes on with the newest', async () => {
    const engines = pool(1);
    const older = [new AbortController(), new AbortController()];
    const long = manifest({ duration_s: 3600, forward: fast });
    const given = older.map(({ signal }) => engines.run(long, {}, { signal }));
    const newest = engines.run(manifest(), {});
    for (const controller of older) controller.abort();
    expect((await Promise.all(given)).map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
    expect((await newest).outcome).toBe('done');
  });

  it('says why a run failed, and goes on', async () => {
    const engines = pool(1);
    expect(await engines.run({ ...manifest(), engine_version: 'another' }, {})).toMatchObject({
      outcome: 'failed',
      cause: 'own',
    });
    expect((await engines.run(manifest(), {})).outcome).toBe('done');
  });

  it('replaces a worker that breaks', async () => {
    if (module === null) throw new Error('there is no engine');
    const ports: Port[] = [];
    const engines = createPool({
      module,
      size: 1,
      open: () => {
        if (ports.length > 0) return channelToEngine();
        const port: Port = {
          onmessage: null,
          postMessage: () => void setTimeout(() => port.onerror?.({ message: 'no such file' } as ErrorEvent)),
        };
        ports.push(port);
        return port;
      },
    });
    const [first, second] = await Promise.all([engines.run(manifest(), {}), engines.run(manifest(), {})]);
    expect(first).toMatchObject({ outcome: 'failed', reason: 'The engine stopped: no such file.', cause: 'crashed' });
    expect(second.outcome).toBe('done');
  });

  it('ends a worker that an own algorithm holds up, and leaves the others their time', async () => {
    if (module === null) throw new Error('there is no engine');
    const given: { ended: boolean }[] = [];
    const silent = (): Port => {
      const one = { ended: false };
      given.push(one);
      return { onmessage: null, postMessage: () => undefined, terminate: () => (one.ended = true) };
    };
    const engines = createPool({
      module,
      size: 1,
      open: () => (given.length < 3 ? silent() : channelToEngine()),
      patience: { silentMs: 60, cancelledMs: 20 },
    });
    expect(await engines.describe('')).toEqual({
      ok: false,
      problem: { message: 'it was not read within 0.06 s: does a loop end?', at: null },
    });
    const own = { programs: new Map([['a'.repeat(64), new Uint8Array()]]) };
    const held = await engines.run(manifest(), own);
    expect([held.outcome, held.cause, held.reason]).toEqual([
      'failed',
      'own',
      expect.stringMatching(/^The own algorithm kept the engine busy for 0\.06 s without a word/),
    ]);
    const gone = new AbortController();
    const cancelled = engines.run(manifest(), own, { signal: gone.signal });
    setTimeout(() => gone.abort(), 5);
    expect((await cancelled).outcome).toBe('cancelled');
    expect(given).toEqual([{ ended: true }, { ended: true }, { ended: true }]);
    // One without such an algorithm may take its time.
    expect((await engines.run(manifest({ duration_s: 600, forward: fast }), {})).outcome).toBe('done');
  });
});
