import { mkdirSync, readFileSync, rmSync } from 'node:fs';
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
  // Named as npm names it: what it prints may be news of npm itself as well.
  const { name, version } = JSON.parse(readFileSync(join(stage, 'package.json'), 'utf8'));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', out], { cwd: stage });
  return join(out, `${name}-${version}.tgz`);
}
