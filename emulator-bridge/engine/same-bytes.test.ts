// The engine as WebAssembly writes what the native program writes, byte for byte. PACELINE_WASM_MANIFESTS=50 compares so many runs of
// every algorithm instead of a few.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listCcas } from '#bridge/ccas';
import { nativeDir, programPath } from '#bridge/programs';
import type { RunManifest } from '#protocol/manifest';
import { createEngine, type Shelf } from './engine.ts';
import { Dice, randomManifest, randomTrace } from './testing/random-manifests.ts';

const MANIFESTS = Number(process.env['PACELINE_WASM_MANIFESTS'] ?? 2);
const MODULE = join(nativeDir(), 'paceline.wasm');

const folder = mkdtempSync(join(tmpdir(), 'paceline-wasm-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const dice = new Dice(20);
const traces = new Map(
  Array.from({ length: 4 }, () => randomTrace(dice)).map(({ sha256, text }) => [sha256, text] as const),
);
for (const [sha256, text] of traces) writeFileSync(join(folder, `${sha256}.trace`), text);
const shelf: Shelf = { traces };

/** What the program prints for one run after the other. */
async function natively(manifests: readonly RunManifest[]): Promise<Buffer> {
  const child = spawn(programPath('paceline-simulate'), ['--serve', '--traces', folder]);
  const chunks: Buffer[] = [];
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end(manifests.map((manifest) => `${JSON.stringify(manifest)}\n`).join(''));
  await ended;
  expect(said).toBe('');
  return Buffer.concat(chunks);
}

const listing = await listCcas();
const ccas = listing.ccas.filter(({ engines }) => engines.includes('virtual'));

describe.skipIf(!existsSync(MODULE))('the engine as WebAssembly', () => {
  it.each(ccas)('writes the bytes of the native program: $id', { timeout: 600_000 }, async (cca) => {
    const engine = await createEngine(new Uint8Array(readFileSync(MODULE)));
    expect(engine.version).toBe(listing.engine_version);
    const own = new Dice(new TextEncoder().encode(cca.id).reduce((seed, letter) => (seed * 31 + letter) >>> 0, 7));
    const manifests = Array.from({ length: MANIFESTS }, () => randomManifest(own, cca, listing, [...traces.keys()]));
    const native = await natively(manifests);
    let at = 0;
    for (const manifest of manifests) {
      const frames: Uint8Array[] = [];
      const told = await engine.run(manifest, shelf, { onFrame: (bytes) => frames.push(bytes) });
      expect([told.outcome, told.reason]).toEqual(['done', null]);
      const bytes = Buffer.concat(frames);
      const same = native.subarray(at, at + bytes.byteLength).equals(bytes);
      expect(same, JSON.stringify(manifest)).toBe(true);
      at += bytes.byteLength;
    }
    expect(at).toBe(native.byteLength);
    expect(at).toBeGreaterThan(MANIFESTS * 1000);
  });
});
