import { existsSync, readFileSync, rmSync } from 'node:fs';
import { findHeader } from '../lib/find.mjs';
import { NATIVE_BUILD, NATIVE_SOURCE } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

/** A build folder that was configured for a checkout elsewhere (moved, copied) cannot be used.
 * @param {string} folder */
function foreign(folder) {
  const cache = `${folder}/CMakeCache.txt`;
  return existsSync(cache) && !readFileSync(cache, 'utf8').includes(`CMAKE_HOME_DIRECTORY:INTERNAL=${NATIVE_SOURCE}\n`);
}

/**
 * Configures if need be, then builds what changed.
 * @param {{ folder?: string, options?: readonly string[], targets?: readonly string[] }} [choice]
 * @returns {Promise<string>} what was done
 */
export async function nativeBuild({ folder = NATIVE_BUILD, options = [], targets = [] } = {}) {
  if (foreign(folder)) rmSync(folder, { recursive: true });
  if (!existsSync(`${folder}/build.ninja`)) {
    await run('cmake', ['-S', NATIVE_SOURCE, '-B', folder, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', ...options]);
  }
  const target = targets.length === 0 ? [] : ['--target', ...targets];
  const output = await run('cmake', ['--build', folder, ...target]);
  return output.includes('ninja: no work to do') ? 'up to date' : 'built';
}

/** Whether the C++ tests can be built here. */
export const testsCanBeBuilt = () => findHeader('doctest/doctest.h') !== undefined;
