import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The first of these programs that is on PATH, or undefined.
 * @param {readonly string[]} names
 */
export function findProgram(...names) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where compilers look for headers on Linux and macOS. */
const INCLUDE_FOLDERS = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'];

/** @param {string} name relative to an include folder */
export function findHeader(name) {
  const folders = [...INCLUDE_FOLDERS, ...(process.env['CPATH'] ?? '').split(delimiter).filter(Boolean)];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * All files below a folder for which `wanted` says yes, sorted; [] if there is no such folder.
 * @param {string} folder
 * @param {(name: string) => boolean} [wanted]
 * @returns {string[]}
 */
export function filesBelow(folder, wanted = () => true) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && wanted(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
