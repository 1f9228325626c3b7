import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

/** Where what goes into a package is laid out. @param {string} name */
export function emptyStage(name) {
  const folder = `${ROOT}/build/pack/${name}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * A folder as the file that npm installs.
 * @param {string} stage
 * @param {string} out
 * @returns {Promise<string>} the file
 */
export async function packed(stage, out) {
  mkdirSync(out, { recursive: true });
  const told = await run('npm', ['pack', '--json', '--loglevel=error', '--ignore-scripts', '--pack-destination', out], {
    cwd: stage,
  });
  const [{ filename }] = JSON.parse(told);
  return join(out, filename);
}
