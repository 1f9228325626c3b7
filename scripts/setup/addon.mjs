/**
 * better-sqlite3's compiled part. Its own install script downloads a binary and, failing that, Node's headers; neither is
 * possible on a machine that reaches only package registries, so install scripts are off and it is built here, from the
 * source in the package and headers found on this machine.
 */
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram } from '../lib/find.mjs';
import { ROOT } from '../lib/paths.mjs';
import { run, succeeds } from '../lib/run.mjs';

const PACKAGE = `${ROOT}/node_modules/better-sqlite3`;
const BUILT = 'build/Release/better_sqlite3.node';

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

/**
 * @param {string} nodedir
 * @param {{ cwd?: string, arch?: string, compilers?: Readonly<Record<string, string>> }} [choice] `cwd`: the package
 */
async function build(nodedir, { cwd = PACKAGE, arch = process.arch, compilers = {} } = {}) {
  const options = ['rebuild', '--release', `--arch=${arch}`, `--nodedir=${nodedir}`, '-j', 'max'];
  // SQLite's own build takes -O2; the -O3 of this package's needs two thirds more processor time to compile it.
  const env = { ...process.env, CFLAGS: process.env['CFLAGS'] ?? '-O2', ...compilers };
  await run(process.execPath, [await nodeGyp(), ...options], { cwd, env });
}

/**
 * Brings the npm package that holds a Node itself, headers included.
 * @param {string} version
 * @param {(nodedir: string, folder: string) => Promise<void>} work with a folder of its own, which goes away
 */
async function withPackagedHeaders(version, work) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = mkdtempSync(join(tmpdir(), 'paceline-headers-'));
  try {
    const where = ['--prefix', folder, '--no-save', '--ignore-scripts', '--loglevel=error'];
    await run('npm', ['install', ...where, `${name}@${version}`], { cwd: folder });
    await work(join(folder, 'node_modules', name), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<string>} what was done */
export async function sqliteAddon() {
  if (await loads()) return 'up to date';
  const nodedir = headersHere();
  if (nodedir === undefined) await withPackagedHeaders(process.versions.node, (there) => build(there));
  else await build(nodedir);
  if (!(await loads())) {
    throw new Error(
      "better-sqlite3 was built but does not load; `node -e \"require('better-sqlite3')(':memory:')\"` says why.",
    );
  }
  return 'built';
}

/**
 * The addon for another Node than this one, or for this one.
 * @param {string} version such as 22.22.0
 * @param {string} to the folder it is put in, by the number of the interface that Node has for addons
 * @param {{ arch: string, compilers: Readonly<Record<string, string>> }} target the processor, and what compiles for it if it is not this one
 */
export async function addonFor(version, to, { arch, compilers }) {
  const put = (/** @type {string} */ from, /** @type {string | undefined} */ modules) =>
    copyFileSync(join(from, BUILT), join(to, `better_sqlite3-${modules ?? ''}.node`));
  if (version === process.versions.node && arch === process.arch) {
    await sqliteAddon();
    put(PACKAGE, process.versions.modules);
    return;
  }
  await withPackagedHeaders(version, async (nodedir, folder) => {
    const copy = join(folder, 'better-sqlite3');
    cpSync(PACKAGE, copy, { recursive: true, filter: (file) => file !== join(PACKAGE, 'build') });
    await build(nodedir, { cwd: copy, arch, compilers });
    const header = readFileSync(join(nodedir, 'include/node/node_version.h'), 'utf8');
    put(copy, /#define NODE_MODULE_VERSION (\d+)/.exec(header)?.[1]);
  });
}
