/**
 * `npm run arm64 [-- --manifests 50]`: the engine as compiled for ARM with 64 bits, run by an emulator of that processor: its tests, and every
 * algorithm over random runs, whose bytes must be those of WebAssembly (emulator-bridge/engine/same-bytes.test.ts), which are those of x86-64.
 */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findProgram } from './lib/find.mjs';
import { NATIVE_BUILD, NATIVE_SOURCE, ROOT } from './lib/paths.mjs';
import { builtFor } from './setup/cross.mjs';

/** Those that ask nothing of the machine and take a minute here; the algorithms are compared by their bytes. */
const ROOMS = ['core', 'link', 'queue', 'metrics', 'formats', 'transport'];
const { values } = parseArgs({ options: { manifests: { type: 'string', default: '10' } } });

/** @param {string} program @param {readonly string[]} words @param {import('node:child_process').SpawnOptions} options */
async function shown(program, words, options) {
  const [code] = await once(spawn(program, words, { stdio: 'inherit', ...options }), 'exit');
  if (code !== 0) process.exitCode = 1;
}

const emulator = findProgram('qemu-aarch64-static', 'qemu-aarch64');
if (emulator === undefined) throw new Error('there is no emulator; on Debian: apt-get install qemu-user-static');
const { build } = await builtFor('arm64', ['programs', ...ROOMS.map((room) => `paceline-test-${room}`)]);
for (const room of ROOMS) await shown(emulator, [`${build}/bin/paceline-test-${room}`], { cwd: NATIVE_SOURCE });

// Programs that are the emulator's, under the names of ours.
const emulated = `${build}/emulated`;
rmSync(emulated, { recursive: true, force: true });
mkdirSync(emulated);
for (const name of readdirSync(`${build}/bin`).filter((one) => !one.startsWith('paceline-test-'))) {
  writeFileSync(join(emulated, name), `#!/bin/sh\nexec '${emulator}' '${build}/bin/${name}' "$@"\n`);
  chmodSync(join(emulated, name), 0o755);
}
copyFileSync(`${NATIVE_BUILD}/bin/paceline.wasm`, join(emulated, 'paceline.wasm'));
const env = { ...process.env, PACELINE_NATIVE_DIR: emulated, PACELINE_WASM_MANIFESTS: values.manifests };
await shown('npx', ['vitest', 'run', 'emulator-bridge/engine/same-bytes.test.ts'], { cwd: ROOT, env });
