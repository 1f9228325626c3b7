// The engine in workers of a real browser, under the page's policy: the same frames as from Node.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build, type PluginBuild } from 'esbuild';
import { engineOf } from '#engine/from-bytes';
import type { createPool as makePool } from '#engine/pool';
import type { RunManifest } from '#protocol/manifest';
import { ownCcaId } from '#protocol/own-id';
import { expect, test } from './fixtures.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const INTERPRETER = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
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

/** As the page's own build does: what is imported for its address is that. */
function addressed(built: PluginBuild, address: string): void {
  built.onResolve({ filter: /\?url$/ }, ({ path }) => ({ path, namespace: 'address' }));
  built.onLoad({ filter: /.*/, namespace: 'address' }, () => ({
    contents: `export default ${JSON.stringify(address)}`,
  }));
}

const script = async (file: string, interpreter: string, globalName?: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}${file}`],
    bundle: true,
    write: false,
    format: 'iife',
    plugins: [{ name: 'addresses', setup: (built) => addressed(built, interpreter) }],
    ...(globalName !== undefined && { globalName }),
  });
  return outputFiles[0]?.text ?? '';
};

const programsOf = (one: RunManifest): Map<string, Uint8Array> =>
  new Map(one.flows.flatMap(({ cca: { program } }) => (program === undefined ? [] : [[program, EXAMPLE] as const])));

const EXAMPLE = readFileSync(`${ROOT}emulator-bridge/engine/own/examples/rate.ts`);

/** Both algorithms of ours, and one that is a text beside Cubic. */
function manifestsOf(version: string, params: RunManifest['flows'][number]['cca']['params']): RunManifest[] {
  const ours = [1, 2].map((seed) => manifest(version, seed));
  const program = createHash('sha256').update(EXAMPLE).digest('hex');
  const text = ours.map((one) => ({
    ...one,
    flows: one.flows.map((flow, i) => (i === 0 ? { ...flow, cca: { id: ownCcaId(program), params, program } } : flow)),
  }));
  return [...ours, ...text];
}

test('workers of the page make the runs that Node makes, those of a text too', async ({
  page,
  sharedServer: server,
}) => {
  test.skip(!existsSync(MODULE), 'there is no compiler for WebAssembly here');
  const own = await engineOf(new Uint8Array(readFileSync(MODULE)), () => new Uint8Array(readFileSync(INTERPRETER)));
  const description = await own.describe(EXAMPLE.toString());
  if (!description.ok) throw new Error(description.problem.message);
  const { params } = description.declaration;
  const manifests = manifestsOf(
    own.version,
    Object.fromEntries(params.map(({ name, default: usual }) => [name, usual])),
  );
  const expected: string[] = [];
  for (const one of manifests) {
    const hash = createHash('sha256');
    const { outcome } = await own.run(one, { programs: programsOf(one) }, { onFrame: (bytes) => hash.update(bytes) });
    expected.push(`${outcome} ${hash.digest('hex')}`);
  }

  await page.goto(server.url);
  const answer = await page.request.get(`${server.url}/engine/paceline.wasm`);
  expect(answer.headers()['content-type']).toBe('application/wasm');
  expect(answer.headers()['content-encoding']).toBe('br');
  const interpreter = `${server.url}/assets/${readdirSync(`${ROOT}web/dist/assets`).find((name) => /^emscripten-module-.*\.wasm$/.test(name)) ?? ''}`;
  await page.evaluate(
    `${await script('emulator-bridge/engine/pool.ts', interpreter, 'pools')}; globalThis.pools = pools;`,
  );
  const worker = await script('web/src/engine/worker.ts', interpreter);
  const got = await page.evaluate(
    async ({ worker, manifests, text }) => {
      const { createPool } = (globalThis as unknown as { readonly pools: { readonly createPool: typeof makePool } })
        .pools;
      const url = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
      const module = await WebAssembly.compileStreaming(fetch('/engine/paceline.wasm'));
      const pool = createPool({ module, size: 2, open: () => new Worker(url) });
      const programsOf = (one: RunManifest): Map<string, Uint8Array> =>
        new Map(
          one.flows.flatMap(({ cca: { program } }) => (program ? [[program, new TextEncoder().encode(text)]] : [])),
        );
      return Promise.all(
        manifests.map(async (one) => {
          const frames: Uint8Array<ArrayBuffer>[] = [];
          const shelf = { programs: programsOf(one) };
          const { outcome } = await pool.run(one, shelf, { onFrame: (bytes) => frames.push(bytes.slice()) });
          const all = await new Blob(frames).arrayBuffer();
          const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
          return `${outcome} ${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
        }),
      );
    },
    { worker, manifests, text: EXAMPLE.toString() },
  );
  expect(expected.map((one) => one.split(' ')[0])).toEqual(['done', 'done', 'done', 'done']);
  expect(got).toEqual(expected);
});
