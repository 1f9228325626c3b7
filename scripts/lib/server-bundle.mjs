import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { ROOT } from './paths.mjs';

const SOURCE = `${ROOT}/server/src`;
const BUNDLE = `${ROOT}/build/server`;
const ENTRIES = ['main.ts', 'cli/main.ts', 'cli/start.ts'];
/** Of other rooms: what a thread runs, by the name of its file. */
const THREADS = { 'engine-worker': 'emulator-bridge/src/engine-worker.ts' };
/** It, too, decides what comes out. */
const ALSO = ['package-lock.json', 'scripts/lib/server-bundle.mjs'];

/** Packages that are CommonJS ask for Node's own modules by it. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`;

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

/** Whether it was made from what is there now, here.
 * @param {string} stamp */
function isUpToDate(stamp) {
  if (!existsSync(stamp)) return false;
  const { root, sources } = JSON.parse(readFileSync(stamp, 'utf8'));
  return root === ROOT && Object.entries(sources).every(([file, hash]) => hashOf(file) === hash);
}

/** What a module finds beside itself lies where its source is. @type {import('esbuild').Plugin} */
const places = {
  name: 'places',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) };
    });
  },
};

/**
 * Makes a few files of JavaScript of the server and the command line: Node reads them in a third of the time that hundreds of files of
 * TypeScript take, and nothing is looked after while it does.
 * @param {string} [folder]
 * @returns {Promise<'built' | 'up to date'>}
 */
export async function serverBundle(folder = BUNDLE) {
  if (isUpToDate(`${folder}/sources.json`)) return 'up to date';
  const { build } = await import('esbuild');
  // Others may begin from it meanwhile: they find the old one or the new one, whole.
  const fresh = `${folder}.${process.pid}`;
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      ...Object.fromEntries(ENTRIES.map((entry) => [entry.replace(/\.ts$/, ''), `${SOURCE}/${entry}`])),
      ...THREADS,
    },
    outdir: fresh,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // With its packages, which would be hundreds of files to read at every start; but for addons, and for what only makes pages or pictures or drives a browser.
    external: ['better-sqlite3', '@resvg/resvg-js', 'fontkit', 'esbuild', 'vite', 'playwright-core'],
    banner: { js: REQUIRE },
    sourcemap: true,
    metafile: true,
    logLevel: 'silent',
    plugins: [places],
  });
  // What the packages are says the lock file.
  const files = [...Object.keys(metafile.inputs).filter((file) => !file.startsWith('node_modules/')), ...ALSO];
  const sources = Object.fromEntries(files.map((file) => [file, hashOf(file)]));
  writeFileSync(`${fresh}/sources.json`, JSON.stringify({ root: ROOT, sources }));
  const old = `${fresh}.old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
  return 'built';
}
