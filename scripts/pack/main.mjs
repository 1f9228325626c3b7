import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from '../lib/paths.mjs';
import { bundleServer } from '../lib/server-bundle.mjs';
import { licences } from './licences.mjs';
import { emptyStage } from './packed.mjs';

/** Platforms that there are packages for; npm takes the one that fits. */
const PLATFORMS = ['paceline-linux-x64', 'paceline-linux-arm64'];
/** The command of a package; that of a checkout brings itself up to date first. */
const BIN = 'bin/packed.mjs';
/** With what a person wants to read, or to start it by. */
const BESIDE = ['LICENSE', 'NOTICE', 'CHANGELOG.md', 'SECURITY.md', 'docs', 'examples', 'deploy'];
/** Modules ask for them by name while they work. */
const ASKED_FOR = ['@jitl/quickjs-wasmfile-release-sync', '@fontsource-variable/inter'];
/** Named by modules and no part of the package: what is compiled comes with another one; a checkout is told by how it is built; all of it. */
const ELSEWHERE = ['build/native/bin', 'scripts/setup.mjs', ''];
/** Of our dependencies, those of which no code is in what we make. */
const TOOLS = ['vite', '@vitejs/plugin-react', 'tsx', 'esbuild', 'playwright-core'];
const UNWANTED = /\.test\.(ts|mjs)$|(^|\/)(testing|__pycache__)(\/|$)|\.map$/;

/** @param {string} file @returns {readonly string[]} what the module names beside itself, by their paths in the checkout */
function beside(file) {
  const here = pathToFileURL(`${ROOT}/${file}`);
  const names = readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(/new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g);
  return [...names].map(([, name = '']) => relative(ROOT, fileURLToPath(new URL(name, here))));
}

/** A module that is taken as it is, with those that it imports. @param {string} file @returns {readonly string[]} */
function withImports(file) {
  if (!file.endsWith('.mjs')) return [file];
  const names = readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(/from '(\.[^']+)'/g);
  return [file, ...[...names].flatMap(([, name = '']) => withImports(join(dirname(file), name)))];
}

/** @param {string} stage @param {string} path */
function take(stage, path) {
  const from = `${ROOT}/${path}`;
  if (!existsSync(from)) throw new Error(`${path} is wanted in the package and is not there; npm run setup makes it`);
  const to = join(stage, path);
  mkdirSync(dirname(to), { recursive: true });
  if (statSync(from).isFile()) copyFileSync(from, to);
  else cpSync(from, to, { recursive: true, filter: (one) => !UNWANTED.test(relative(ROOT, one)) });
}

/** better-sqlite3 without the script that downloads, compiles or fails; its compiled part comes from the platform's package. @param {string} stage */
function takeSqlite(stage) {
  const name = 'better-sqlite3';
  const from = `${ROOT}/node_modules/${name}`;
  const to = join(stage, 'node_modules', name);
  const { version, license, main, author } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  cpSync(join(from, 'lib'), join(to, 'lib'), { recursive: true });
  copyFileSync(join(from, 'LICENSE'), join(to, 'LICENSE'));
  const bindings = { name: 'bindings', version: '1.5.0', main: 'bindings.cjs', license: 'MIT' };
  const about = { name, version, license, author, main, dependencies: { bindings: bindings.version } };
  writeFileSync(join(to, 'package.json'), JSON.stringify(about, null, 2));
  const inside = join(to, 'node_modules/bindings');
  mkdirSync(inside, { recursive: true });
  copyFileSync(`${ROOT}/scripts/pack/bindings.cjs`, join(inside, bindings.main));
  writeFileSync(join(inside, 'package.json'), JSON.stringify(bindings, null, 2));
  return { [name]: version };
}

/** The server, the command line, the page, and all that their modules find beside themselves. @returns {Promise<string>} the folder */
export async function mainPackage() {
  const stage = emptyStage('paceline');
  const { inputs, outputs } = await bundleServer(join(stage, 'build/server'), { sourcemap: false });
  const modules = Object.keys(inputs).filter((file) => !file.startsWith('node_modules/'));
  const found = new Set([...modules.flatMap(beside), ...BESIDE].map((path) => path.replace(/\/$/, '')));
  const wanted = [...found].filter((path) => !ELSEWHERE.includes(path) && !path.startsWith('build/server/'));
  for (const path of [...wanted, BIN].flatMap(withImports)) if (path !== BIN) take(stage, path);

  const root = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  const outside = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter(({ external, path }) => external === true && !isNodes(path)).map(({ path }) => packageOf(path)),
  );
  const { version, description, license, engines } = root;
  const sqlite = takeSqlite(stage);
  const packages = [...new Set([...outside, ...ASKED_FOR])].filter((name) => !(name in sqlite)).sort();
  const about = {
    name: 'paceline',
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { paceline: 'bin/paceline.mjs' },
    dependencies: { ...sqlite, ...Object.fromEntries(packages.map((name) => [name, root.dependencies[name]])) },
    bundleDependencies: Object.keys(sqlite),
    optionalDependencies: Object.fromEntries(PLATFORMS.map((name) => [name, version])),
  };
  mkdirSync(join(stage, 'bin'));
  copyFileSync(`${ROOT}/${BIN}`, join(stage, 'bin/paceline.mjs'));
  copyFileSync(`${ROOT}/docs/package.md`, join(stage, 'README.md'));
  const bundled = Object.keys(inputs).filter((file) => file.startsWith('node_modules/'));
  const pages = Object.keys(root.dependencies).filter((name) => !TOOLS.includes(name));
  writeFileSync(join(stage, 'THIRD-PARTY-LICENSES.txt'), licences(bundled, pages));
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  return stage;
}

/** @param {string} path */
const isNodes = (path) => path.startsWith('node:') || builtinModules.includes(path);
/** @param {string} path such as `a/b.js` or `@a/b/c.js` */
const packageOf = (path) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
