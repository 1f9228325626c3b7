// Threads with engines as WebAssembly: what the native program writes, a bounded number of frames ahead, and an end whatever they do.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RunManifest } from '#protocol/manifest';
import { ownCcaId } from '#protocol/own-algorithm';
import { listCcas } from './ccas.ts';
import { MOST_FRAMES } from './engine-thread.ts';
import { OwnEngines } from './own-engines.ts';
import { nativeDir, ProgramMissing } from './programs.ts';
import { Simulators } from './simulators.ts';
import { manifest as usual } from './testing/fake-programs.ts';

const there = existsSync(join(nativeDir(), 'paceline.wasm'));
const { engine_version } = await listCcas();
const manifest = (over: Partial<RunManifest> = {}): RunManifest => usual({ engine_version, ...over });

/** A flow that runs this text. */
const running =
  (text: string) =>
  (flow: RunManifest['flows'][number]): RunManifest['flows'][number] => {
    const program = createHash('sha256').update(text).digest('hex');
    return { ...flow, cca: { id: ownCcaId(program), params: {}, program } };
  };

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
function engines(...limits: ConstructorParameters<typeof OwnEngines>): OwnEngines {
  const made = new OwnEngines(...limits);
  open.push(made);
  return made;
}

interface Watching {
  readonly slow?: boolean;
  readonly tracesDir?: string;
}

async function bytesOf(
  who: Pick<OwnEngines, 'run'>,
  of: RunManifest,
  { slow = false, tracesDir = '/nowhere' }: Watching = {},
): Promise<Buffer> {
  const frames: Uint8Array[] = [];
  const told = await who.run(of, {
    tracesDir,
    onFrame: async (bytes, _header, control) => {
      // What a run cost differs from one execution to the next; the last frame is numbered behind it.
      if (control?.type === 'cost' || control?.type === 'end') return;
      if (slow && frames.length % 50 === 0) await sleep(5);
      frames.push(bytes.slice());
    },
  });
  expect([told.outcome, told.reason]).toEqual(['done', null]);
  expect(told.summary).not.toBeNull();
  return Buffer.concat(frames);
}

describe.skipIf(!there)('engines in threads', () => {
  it('write the bytes of the native program, whoever is slow', async () => {
    const natively = new Simulators();
    open.push(natively);
    const long = manifest({ duration_s: 600, sample_period_ms: 5 });
    const expected = await bytesOf(natively, long);
    expect(expected.byteLength).toBeGreaterThan(1_000_000);
    const threads = engines();
    expect((await bytesOf(threads, long)).equals(expected)).toBe(true);
    expect((await bytesOf(threads, long, { slow: true })).equals(expected)).toBe(true);
  });

  it('read traces where the native program reads them', async () => {
    const natively = new Simulators();
    open.push(natively);
    const tracesDir = mkdtempSync(join(tmpdir(), 'paceline-threads-'));
    try {
      const text = `# ms count\n${Array.from({ length: 900 }, (_, i) => `${i * 2} ${1 + (i % 3)}\n`).join('')}`;
      const sha256 = createHash('sha256').update(text).digest('hex');
      writeFileSync(join(tracesDir, `${sha256}.trace`), text);
      const capacity = { kind: 'trace' as const, sha256, name: 't', offset_ms: 0 };
      const traced = manifest({ forward: { ...manifest().forward, capacity }, duration_s: 20 });
      const expected = await bytesOf(natively, traced, { tracesDir });
      expect(expected.byteLength).toBeGreaterThan(10_000);
      // The second is made by another thread: the first has been given all that it may keep.
      const threads = engines({ mostBytes: 1000 });
      for (const _ of [1, 2]) expect((await bytesOf(threads, traced, { tracesDir })).equals(expected)).toBe(true);
    } finally {
      rmSync(tracesDir, { recursive: true, force: true });
    }
  });

  it('stand still while their frames are not taken', async () => {
    const long = manifest({ duration_s: 3600, sample_period_ms: 1 });
    const gate: { open: () => void } = { open: () => undefined };
    const shut = new Promise<void>((resolve) => (gate.open = resolve));
    let seen = 0;
    const stop = new AbortController();
    const running = engines().run(long, {
      tracesDir: '/nowhere',
      signal: stop.signal,
      onFrame: async () => {
        seen += 1;
        await shut;
      },
    });
    const before = process.memoryUsage().arrayBuffers;
    await sleep(2000);
    expect(seen).toBe(1);
    const most = process.memoryUsage().arrayBuffers - before;
    await sleep(1000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(most + MOST_FRAMES * 100_000);
    gate.open();
    stop.abort();
    expect((await running).outcome).toBe('cancelled');
  });

  it('end at once when a run is stopped, and others go on', async () => {
    const threads = engines();
    const stop = new AbortController();
    const running = threads.run(manifest({ duration_s: 36_000 }), {
      tracesDir: '/nowhere',
      signal: stop.signal,
      onFrame: () => undefined,
    });
    await sleep(300);
    const at = performance.now();
    stop.abort();
    expect(await running).toMatchObject({ outcome: 'cancelled', reason: 'stopped' });
    expect(performance.now() - at).toBeLessThan(1000);
    expect((await bytesOf(threads, manifest())).byteLength).toBeGreaterThan(1000);
  });

  it('end when a run takes longer than one of its length may', async () => {
    const threads = engines({ wallS: 0.5, wallSPerFlowSecond: 0 });
    const told = await threads.run(manifest({ duration_s: 36_000 }), {
      tracesDir: '/nowhere',
      onFrame: () => undefined,
    });
    expect(told).toMatchObject({ outcome: 'failed', cause: 'own' });
    expect(told.reason).toMatch(/^it was not done within 1 s/);
    expect((await bytesOf(engines(), manifest())).byteLength).toBeGreaterThan(1000);
  });

  it('end the run whose sink fails, with its reason', async () => {
    const told = await engines().run(manifest({ duration_s: 600 }), {
      tracesDir: '/nowhere',
      onFrame: (_bytes, _header, control) => {
        if (control === null) throw new Error('no room');
      },
    });
    expect(told).toMatchObject({ outcome: 'failed', reason: 'no room' });
  });

  it('end what no count of steps stops, as a text is read and as it runs', async () => {
    // Few steps, each of which takes long.
    const slow = 'const all = new Uint8Array(8e6); for (let i = 0; i < 1e5; i++) all.fill(i).sort();';
    const text = (before: string, within: string): string =>
      `${before} export default { name: 'Slow', create: () => ({ cwnd_bytes: 15000, onAck() { ${within} } }) };`;
    const threads = engines({ describeS: 4 });
    expect(await threads.describe(text(slow, ''))).toEqual({
      ok: false,
      problem: { message: 'it was not read within 4 s: does a loop end?', at: null },
    });
    const told = await threads.run(manifest({ flows: manifest().flows.map(running(text('', slow))) }), {
      tracesDir: '/nowhere',
      program: () => text('', slow),
      hangMs: 1000,
      onFrame: () => undefined,
    });
    expect(told).toMatchObject({ outcome: 'failed', cause: 'hung' });
    expect(told.reason).toMatch(/^the engine has said nothing for 1 s and was stopped/);
    expect((await threads.describe(text('', ''))).ok).toBe(true);
    expect((await bytesOf(threads, manifest())).byteLength).toBeGreaterThan(1000);
  });

  it('say what to install where the engine was not built', async () => {
    vi.stubEnv('PACELINE_NATIVE_DIR', '/nowhere');
    try {
      const told = await engines().run(manifest(), { tracesDir: '/nowhere', onFrame: () => undefined });
      // Others can be made: nothing holds the queue.
      expect(told).toMatchObject({ outcome: 'failed', cause: 'own' });
      expect(told.reason).toMatch(/paceline\.wasm is missing: install Debian’s clang-19, .*, then npm run setup$/);
      await expect(engines().describe('')).rejects.toThrow(ProgramMissing);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('say which text or trace is not here', async () => {
    const { flows, forward } = manifest();
    const program = 'a'.repeat(64);
    const own = flows.map((flow) => ({ ...flow, cca: { id: `own-${program.slice(0, 40)}`, params: {}, program } }));
    const options = { tracesDir: '/nowhere', onFrame: () => undefined };
    expect(await engines().run(manifest({ flows: own }), options)).toMatchObject({
      outcome: 'failed',
      cause: 'own',
      reason: `the text of own-${program.slice(0, 40)} is not here: send it again, then repeat the run`,
    });
    const traced = { ...forward, capacity: { kind: 'trace' as const, sha256: program, name: 't', offset_ms: 0 } };
    expect((await engines().run(manifest({ forward: traced }), options)).reason).toContain(`${program}.trace`);
  });
});
