import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { findProgram } from '../lib/find.mjs';
import { NATIVE_BUILD, NATIVE_SOURCE } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { nativeBuild } from './native.mjs';
import { systemPackages } from './packages.mjs';

const MODULE = `${NATIVE_BUILD}/bin/paceline.wasm`;
/** The last of the packages that it needs. */
const LIBRARY = '/usr/lib/wasm32-wasi/libc++abi.a';

/** A folder that was configured before the compiler came knows nothing of this target. */
const known = () => /^build paceline-wasm:/m.test(readFileSync(`${NATIVE_BUILD}/build.ninja`, 'utf8'));

/** As it travels: packed as small as it gets, which takes a second or two, once. */
function pack() {
  const packed = `${MODULE}.br`;
  if (existsSync(packed) && statSync(packed).mtimeMs >= statSync(MODULE).mtimeMs) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(packed, brotliCompressSync(readFileSync(MODULE), { params }));
}

/**
 * The engine for the page, where there is a compiler for it; all else works without.
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
  const done = await nativeBuild({ target: 'paceline-wasm', priority: 'low' });
  pack();
  return done;
}
