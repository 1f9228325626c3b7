// The engine in workers of a real browser, under the page's policy: the same frames as from Node.
import { existsSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createEngine } from '#engine/engine';
import type { createPool as makePool } from '#engine/pool';
import type { RunManifest } from '#protocol/manifest';
import { expect, test } from './fixtures.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const MODULE = `${ROOT}build/native/bin/paceline.wasm`;

const link = { loss: 0, queue: { id: 'droptail', limit_bytes: 60_000, limit_packets: null, params: {} }, delay_ms: 10 };
const manifest = (engine_version: string, seed: number): RunManifest => ({
  schema: 1,
  engine: 'virtual',
  path: 'memory',
  engine_version,
  duration_s: 5,
  sample_period_ms: 10,
  seed,
  repetition: 0,
  forward: { ...link, loss: 0.001, capacity: { kind: 'constant', rate_mbps: 20 } },
  reverse: { ...link, capacity: { kind: 'unlimited' } },
  flows: ['cubic', 'bbr'].map((id) => ({
    cca: { id, params: {} },
    start_s: 0,
    stop_s: null,
    extra_rtt_ms: 0,
    transport: 'tcp',
    ack_every: 2,
    source: { kind: 'bulk' },
  })),
});

const script = async (file: string, globalName?: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}${file}`],
    bundle: true,
    write: false,
    format: 'iife',
    // The interpreter of own algorithms has an address in the built page alone (write.spec.ts).
    loader: { '.wasm': 'empty' },
    ...(globalName !== undefined && { globalName }),
  });
  return outputFiles[0]?.text ?? '';
};

test('workers of the page make the runs that Node makes', async ({ page, sharedServer: server }) => {
  test.skip(!existsSync(MODULE), 'there is no compiler for WebAssembly here');
  const own = await createEngine(new Uint8Array(readFileSync(MODULE)));
  const expected: string[] = [];
  for (const seed of [1, 2, 3]) {
    const hash = createHash('sha256');
    await own.run(manifest(own.version, seed), {}, { onFrame: (bytes) => hash.update(bytes) });
    expected.push(hash.digest('hex'));
  }

  await page.goto(server.url);
  const answer = await page.request.get(`${server.url}/engine/paceline.wasm`);
  expect(answer.headers()['content-type']).toBe('application/wasm');
  expect(answer.headers()['content-encoding']).toBe('br');
  await page.evaluate(`${await script('emulator-bridge/engine/pool.ts', 'pools')}; globalThis.pools = pools;`);
  const worker = await script('web/src/engine/worker.ts');
  const manifests = [1, 2, 3].map((seed) => manifest(own.version, seed));
  const got = await page.evaluate(
    async ({ worker, manifests }) => {
      const { createPool } = (globalThis as unknown as { readonly pools: { readonly createPool: typeof makePool } })
        .pools;
      const url = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
      const module = await WebAssembly.compileStreaming(fetch('/engine/paceline.wasm'));
      const pool = createPool({ module, size: 2, open: () => new Worker(url) });
      return Promise.all(
        manifests.map(async (one) => {
          const frames: Uint8Array<ArrayBuffer>[] = [];
          const { outcome } = await pool.run(one, {}, { onFrame: (bytes) => frames.push(bytes.slice()) });
          const all = await new Blob(frames).arrayBuffer();
          const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
          return `${outcome} ${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
        }),
      );
    },
    { worker, manifests },
  );
  expect(got).toEqual(expected.map((hash) => `done ${hash}`));
});
