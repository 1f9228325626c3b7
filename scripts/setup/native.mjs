import { existsSync, readFileSync, rmSync } from 'node:fs';
import { findProgram } from '../lib/find.mjs';
import { NATIVE_BUILD, NATIVE_SOURCE } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

/** A build folder that was configured for a checkout elsewhere (moved, copied) cannot be used.
 * @param {string} folder */
function foreign(folder) {
  const cache = `${folder}/CMakeCache.txt`;
  return existsSync(cache) && !readFileSync(cache, 'utf8').includes(`CMAKE_HOME_DIRECTORY:INTERNAL=${NATIVE_SOURCE}\n`);
}

/**
 * Whether a folder compiles through ccache is decided once: `npm test` installs ccache while the programs are being compiled, and with
 * another launcher each command would be another, and all of it compiled again.
 * @param {string} folder
 * @param {boolean} there whether this machine has ccache
 * @returns {readonly string[]} what CMake is told
 */
export const compilerCache = (folder, there) =>
  existsSync(`${folder}/CMakeCache.txt`) ? [] : [`-DPACELINE_CCACHE=${there ? 'ON' : 'OFF'}`];

/**
 * Configures if need be, then builds what changed.
 * @param {{ folder?: string, options?: readonly string[], target?: string, priority?: import('../lib/run.mjs').Priority,
 *   told?: import('./steps.mjs').Told }} [choice] `target`: `programs`, or one with tests
 * @returns {Promise<string>} what was done
 */
export async function nativeBuild({
  folder = NATIVE_BUILD,
  options = [],
  target = 'programs',
  priority,
  told = () => undefined,
} = {}) {
  if (foreign(folder)) rmSync(folder, { recursive: true });
  // Without doctest CMake leaves the tests out, so a folder configured before doctest came must be configured again.
  if (!existsSync(`${folder}/build.ninja`) || (target !== 'programs' && !existsSync(`${folder}/CTestTestfile.cmake`))) {
    const cache = compilerCache(folder, findProgram('ccache') !== undefined);
    const words = ['-DCMAKE_BUILD_TYPE=Release', ...cache, ...options];
    await run('cmake', ['-S', NATIVE_SOURCE, '-B', folder, '-G', 'Ninja', ...words]);
  }
  const heard = (/** @type {string} */ text) => {
    // Ninja's own words before each file.
    const [, done, of] = [...text.matchAll(/^\[(\d+)\/(\d+)\]/gm)].at(-1) ?? [];
    if (done !== undefined && of !== undefined) told({ done: Number(done), of: Number(of) });
  };
  const output = await run('cmake', ['--build', folder, '--target', target], { heard, priority });
  return output.includes('ninja: no work to do') ? 'up to date' : 'built';
}
