import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { ROOT } from './paths.mjs';

const SOURCE = `${ROOT}/server/src`;
const BUNDLE = `${ROOT}/build/server`;
const ENTRIES = ['main.ts', 'cli/main.ts', 'cli/start.ts'];
/** Of other rooms: what a thread runs, by the name of its file. */
const THREADS = { 'engine-worker': 'emulator-bridge/src/engine-worker.ts' };
/** It, too, decides what comes out. */
const ALSO = ['package-lock.json', 'scripts/lib/server-bundle.mjs'];

/**
 * Packages that are CommonJS ask for Node's own modules by `require`. What a module finds beside itself lies where its source is: in the
 * folder that the bundle lies in, wherever that is.
 */
const BANNER = `import { createRequire as requireOf } from 'node:module';
const require = requireOf(import.meta.url);
const packageRoot = import.meta.url.slice(0, import.meta.url.lastIndexOf('/build/server') + 1);`;

/** Not bundled: addons, and what only makes pages or pictures or drives a browser. */
const APART = ['better-sqlite3', '@resvg/resvg-js', 'fontkit', 'esbuild', 'vite', 'playwright-core'];

/** @param {string} entry such as `server/src/main.ts` */
export const bundled = (entry) => `${BUNDLE}/${entry.replace(/^server\/src\//, '').replace(/\.ts$/, '.js')}`;

/** Where a fault was, told by the TypeScript. */
export const NODE_FLAGS = ['--enable-source-maps'];

/** @param {string} file */
const hashOf = (file) =>
  existsSync(`${ROOT}/${file}`)
    ? createHash('sha256')
        .update(readFileSync(`${ROOT}/${file}`))
        .digest('hex')
    : null;

/** Whether it was made from what is there now.
 * @param {string} stamp */
function isUpToDate(stamp) {
  if (!existsSync(stamp)) return false;
  const { sources } = JSON.parse(readFileSync(stamp, 'utf8'));
  return Object.entries(sources).every(([file, hash]) => hashOf(file) === hash);
}

/** @type {import('esbuild').Plugin} */
const places = {
  name: 'places',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const place = `(packageRoot + ${JSON.stringify(relative(ROOT, path))})`;
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', place) };
    });
  },
};

/**
 * A few files of JavaScript of the server and the command line: Node reads them in a third of the time that hundreds of files of
 * TypeScript take, and nothing is looked after while it does.
 * @param {string} folder
 * @param {{ sourcemap: boolean }} how
 * @returns {Promise<import('esbuild').Metafile>} what it was made of
 */
export async function bundleServer(folder, { sourcemap }) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      ...Object.fromEntries(ENTRIES.map((entry) => [entry.replace(/\.ts$/, ''), `${SOURCE}/${entry}`])),
      ...THREADS,
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // With its packages, which would be hundreds of files to read at every start.
    external: APART,
    banner: { js: BANNER },
    sourcemap,
    metafile: true,
    logLevel: 'silent',
    plugins: [places],
  });
  return metafile;
}

/**
 * The bundle of this checkout, made again where a source has changed.
 * @param {string} [folder]
 * @returns {Promise<'built' | 'up to date'>}
 */
export async function serverBundle(folder = BUNDLE) {
  if (isUpToDate(`${folder}/sources.json`)) return 'up to date';
  // Others may begin from it meanwhile: they find the old one or the new one, whole.
  const fresh = `${folder}.${process.pid}`;
  const { inputs } = await bundleServer(fresh, { sourcemap: true });
  // What the packages are says the lock file.
  const files = [...Object.keys(inputs).filter((file) => !file.startsWith('node_modules/')), ...ALSO];
  const sources = Object.fromEntries(files.map((file) => [file, hashOf(file)]));
  writeFileSync(`${fresh}/sources.json`, JSON.stringify({ sources }));
  const old = `${fresh}.old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
  return 'built';
}
