// What is imported is declared, and what is declared is used.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { filesBelow } from './lib/find.mjs';
import { ROOT } from './lib/paths.mjs';

const manifest = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>;
const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });

const FOLDERS = [
  'bin',
  'e2e',
  'emulator-bridge/engine',
  'emulator-bridge/protocol',
  'emulator-bridge/src',
  'scripts',
  'server',
  'traces',
  'web',
];
const CONFIGS = ['eslint.config.mjs', 'playwright.config.ts', 'vitest.config.ts'];
const sources = [
  ...FOLDERS.flatMap((folder) => filesBelow(`${ROOT}/${folder}`, (name) => /\.(ts|tsx|mjs|css)$/.test(name))),
  ...CONFIGS.map((name) => `${ROOT}/${name}`),
].filter((path) => !/\/(node_modules|dist|build)\//.test(path));

/** Tools that are started, or asked for by another one, and not imported. */
const STARTED = [
  '@testing-library/dom',
  'oxlint',
  'oxlint-tsgolint',
  'prettier',
  'jsdom',
  'tsx',
  'typescript-native',
  '@types/node',
];

/** `d3-scale` of `d3-scale/src/x`, `@a/b` of `@a/b/c`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** What a style sheet imports, or what a script does, as the compiler reads it. */
const importsOf = (path: string, text: string): string[] =>
  path.endsWith('.css')
    ? [...text.matchAll(/@import\s+['"]([^'"]+)['"]/g)].map(([, specifier = '']) => specifier)
    : ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);

const imported = new Map<string, string>();
for (const path of sources)
  for (const specifier of importsOf(path, readFileSync(path, 'utf8')))
    if (!/^[./#]|^node:/.test(specifier) && !builtinModules.includes(specifier))
      imported.set(packageOf(specifier), path.slice(ROOT.length + 1));

it('every package that is imported is declared', () => {
  expect([...imported].filter(([name]) => !declared.includes(name))).toEqual([]);
});

it('every package that is declared is imported, started, or the types of one that is', () => {
  const used = (name: string): boolean =>
    imported.has(name) ||
    STARTED.includes(name) ||
    (name.startsWith('@types/') && imported.has(name.slice('@types/'.length)));
  expect(declared.filter((name) => !used(name))).toEqual([]);
});
