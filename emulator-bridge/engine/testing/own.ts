// What tests of own algorithms have in common: the interpreter, texts as programs, and their runs.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RunManifest } from '#protocol/manifest';
import { ownCcaId } from '#protocol/own-algorithm';
import type { Engine, EngineOptions, EngineOutcome } from '../engine.ts';

const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
export const interpreterModule = (): Promise<WebAssembly.Module> => WebAssembly.compile(readFileSync(file));

export interface OwnProgram {
  readonly id: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export const programOf = (text: string): OwnProgram => {
  const bytes = new TextEncoder().encode(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { id: ownCcaId(sha256), sha256, bytes };
};

type Params = RunManifest['flows'][number]['cca']['params'];

/** The manifest with this algorithm in all of its flows. */
export const withProgram = (manifest: RunManifest, program: OwnProgram, params: Params = {}): RunManifest => ({
  ...manifest,
  flows: manifest.flows.map((flow) => ({ ...flow, cca: { id: program.id, params, program: program.sha256 } })),
});

export const runOwn = (
  engine: Engine,
  manifest: RunManifest,
  text: string,
  params: Params = {},
  options: EngineOptions = {},
): Promise<EngineOutcome> => {
  const program = programOf(text);
  const programs = new Map([[program.sha256, program.bytes]]);
  return engine.run(withProgram(manifest, program, params), { programs }, options);
};
