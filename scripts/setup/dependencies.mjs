import { existsSync, readFileSync } from 'node:fs';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, link?: boolean }} Locked
 * @param {string} path
 * @returns {Record<string, Locked>}
 */
function packagesOf(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

/**
 * npm writes node_modules/.package-lock.json when an install has succeeded. Comparing it with the lock file tells whether
 * the folder is what the lock file asks for, whoever installed it; optional packages for other platforms may be absent.
 */
function upToDate() {
  const wanted = packagesOf(`${ROOT}/package-lock.json`);
  const present = packagesOf(`${ROOT}/node_modules/.package-lock.json`);
  const names = Object.keys(wanted).filter((name) => name !== '');
  return (
    names.every((name) => {
      const there = present[name];
      if (there === undefined) return wanted[name]?.optional === true;
      return there.version === wanted[name]?.version && there.integrity === wanted[name]?.integrity;
    }) && Object.keys(present).every((name) => name in wanted)
  );
}

/** @returns {Promise<string>} what was done */
export async function nodeModules() {
  if (upToDate()) return 'up to date';
  await run('npm', ['ci', '--no-progress', '--loglevel=error']);
  return 'installed';
}
