/**
 * better-sqlite3's compiled part. Its own install script downloads a binary and, failing that, Node's headers; neither is
 * possible on a machine that reaches only package registries, so install scripts are off and it is built here, from the
 * source in the package and headers found on this machine.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram } from '../lib/find.mjs';
import { ROOT } from '../lib/paths.mjs';
import { run, succeeds } from '../lib/run.mjs';

/** Loads the addon in a process of its own: a binary built for another Node crashes rather than throws. */
function loads() {
  const script = "new (require('better-sqlite3'))(':memory:').prepare('select 1').get()";
  return succeeds(process.execPath, ['-e', script]);
}

/** @param {string} prefix a folder that may have include/node in it */
function hasHeaders(prefix) {
  const header = join(prefix, 'include/node/node_version.h');
  if (!existsSync(header)) return false;
  const text = readFileSync(header, 'utf8');
  const number = (/** @type {string} */ name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1];
  const version = [number('MAJOR'), number('MINOR'), number('PATCH')].join('.');
  return version === process.versions.node;
}

/**
 * The first folder with the headers of exactly this Node.
 * @returns {string | undefined}
 */
function headersHere() {
  const chosen = process.env['NODE_HEADERS_DIR'];
  if (chosen !== undefined && !hasHeaders(chosen)) {
    throw new Error(`NODE_HEADERS_DIR=${chosen} has no include/node of Node ${process.versions.node}.`);
  }
  return chosen ?? [dirname(dirname(process.execPath)), '/usr', '/usr/local'].find(hasHeaders);
}

/** npm's own node-gyp, next to the npm on PATH. */
async function nodeGyp() {
  const npm = process.env['npm_execpath'] ?? findProgram('npm');
  const folders = npm === undefined ? [] : [join(dirname(npm), '../..')];
  folders.push((await run('npm', ['root', '-g', '--loglevel=silent'])).trim());
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'npm/package.json')).resolve('node-gyp/bin/node-gyp.js');
    } catch {
      // npm is not in this folder; the next one may have it.
    }
  }
  throw new Error(`npm's node-gyp was not found near ${folders.join(' or ')}; please reinstall npm.`);
}

/** @param {string} nodedir */
async function build(nodedir) {
  const cwd = `${ROOT}/node_modules/better-sqlite3`;
  const options = ['rebuild', '--release', `--nodedir=${nodedir}`, '-j', 'max'];
  // SQLite's own build takes -O2; the -O3 of this package's needs two thirds more processor time to compile it.
  const env = { ...process.env, CFLAGS: process.env['CFLAGS'] ?? '-O2' };
  await run(process.execPath, [await nodeGyp(), ...options], { cwd, env });
}

/** Builds against the npm package that holds Node itself, headers included. */
async function buildWithPackagedHeaders() {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = mkdtempSync(join(tmpdir(), 'paceline-headers-'));
  try {
    const where = ['--prefix', folder, '--no-save', '--ignore-scripts', '--loglevel=error'];
    await run('npm', ['install', ...where, `${name}@${process.versions.node}`], { cwd: folder });
    await build(join(folder, 'node_modules', name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<string>} what was done */
export async function sqliteAddon() {
  if (await loads()) return 'up to date';
  const nodedir = headersHere();
  if (nodedir === undefined) await buildWithPackagedHeaders();
  else await build(nodedir);
  if (!(await loads())) {
    throw new Error(
      "better-sqlite3 was built but does not load; `node -e \"require('better-sqlite3')(':memory:')\"` says why.",
    );
  }
  return 'built';
}
