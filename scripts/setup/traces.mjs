import { existsSync, readdirSync, statSync } from 'node:fs';
import { NATIVE_BUILD, ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

const TRACES = `${ROOT}/traces`;
const MADE = `${TRACES}/made/library.json`;

/** Newest change of what the library is made from. */
function changed() {
  const folders = [`${TRACES}/recipes`, `${TRACES}/recordings`];
  const files = folders.flatMap((folder) => [folder, ...readdirSync(folder).map((name) => `${folder}/${name}`)]);
  return Math.max(...[`${TRACES}/catalog.json`, ...files].map((path) => statSync(path).mtimeMs));
}

/**
 * Makes the shipped traces from recipes and recordings; fails when one does not come out as the catalog says.
 * @returns {Promise<string>} what was done
 */
export async function traceLibrary() {
  if (existsSync(MADE) && statSync(MADE).mtimeMs > changed()) return 'up to date';
  return (await run(`${NATIVE_BUILD}/bin/paceline-trace`, ['library', TRACES])).trim();
}
