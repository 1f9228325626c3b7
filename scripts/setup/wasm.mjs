import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { findProgram } from '../lib/find.mjs';
import { NATIVE_BUILD, NATIVE_SOURCE } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { nativeBuild } from './native.mjs';
import { systemPackages } from './packages.mjs';

/** The engine, and the reader of traces: what CMake calls them, and their files. */
const MODULES = new Map([
  ['paceline-wasm', `${NATIVE_BUILD}/bin/paceline.wasm`],
  ['paceline-trace-wasm', `${NATIVE_BUILD}/bin/paceline-trace.wasm`],
]);
/** The last of the packages that it needs. */
const LIBRARY = '/usr/lib/wasm32-wasi/libc++abi.a';

/** A folder that was configured before the compiler came knows nothing of these targets. */
function known() {
  const rules = readFileSync(`${NATIVE_BUILD}/build.ninja`, 'utf8');
  return [...MODULES.keys()].every((target) => rules.includes(`\nbuild ${target}:`));
}

/** As it travels: packed as small as it gets, which takes a second or two, once.
 * @param {string} module */
function pack(module) {
  const packed = `${module}.br`;
  if (existsSync(packed) && statSync(packed).mtimeMs >= statSync(module).mtimeMs) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(packed, brotliCompressSync(readFileSync(module), { params }));
}

/**
 * The engine and the reader of traces for the page, where there is a compiler for them; all else works without.
 * @returns {Promise<string>} what was done
 */
export async function wasmEngine() {
  const why = 'not built, needs clang-19, lld-19 and the libraries for wasm32-wasi';
  await systemPackages('wasm');
  if (findProgram('clang++-19') === undefined || findProgram('wasm-ld-19') === undefined) return why;
  if (!known()) await run('cmake', ['-S', NATIVE_SOURCE, '-B', NATIVE_BUILD]);
  // Skipped tests would not tell.
  if (!known() && existsSync(LIBRARY))
    throw new Error('the compiler for WebAssembly is there, but CMake does not find it all');
  if (!known()) return why;
  const done = [];
  for (const [target, module] of MODULES) {
    done.push(await nativeBuild({ target, priority: 'low' }));
    pack(module);
  }
  return done.includes('built') ? 'built' : 'up to date';
}
