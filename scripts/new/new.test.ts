// What `npm run new` makes. That its C++ compiles and passes its own tests is cmake/made.cmake's to show.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { KINDS } from './kinds.mjs';
import { filesOf, make } from './make.mjs';

const run = promisify(execFile);
const made: string[] = [];
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'paceline-new-'));
  made.push(path);
  return path;
};
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true });
});

describe('the files of something new', () => {
  it.each(Object.keys(KINDS))('of kind %s lie where such files lie, and are called by the name', (kind) => {
    const files = filesOf(kind, 'my-idea');
    expect(files.size).toBeGreaterThan(1);
    for (const [path, text] of files) {
      expect(existsSync(join(ROOT, path, '..'))).toBe(true);
      expect(path).toMatch(/my[-_]idea/);
      expect(text).not.toMatch(/foo/i);
    }
    expect(existsSync(join(ROOT, KINDS[kind]?.guide ?? 'none'))).toBe(true);
  });

  it.each([
    '',
    '../up',
    'Upper',
    'a_b',
    'a--b',
    '-a',
    'a/b',
    'a.b',
    'a b',
    '__proto__',
    'ü',
    '1st',
    'x'.repeat(41),
    'a\0b',
  ])('cannot be called %j', (name) => {
    expect(() => filesOf('cca', name)).toThrow(/cannot be a name/);
  });

  it('are of a kind there is', () => {
    for (const kind of ['ccas', '__proto__', 'constructor'])
      expect(() => filesOf(kind, 'x')).toThrow(/there is no kind .*cca, queue/);
  });

  it('never take the place of what is there', () => {
    expect(() => make('cca', 'cubic')).toThrow(/cca\/cubic\.cc is there already/);
    const root = folder();
    const [, test = ''] = filesOf('cca', 'mine').keys();
    mkdirSync(join(root, test, '..'), { recursive: true });
    writeFileSync(join(root, test), 'kept');
    expect(() => make('cca', 'mine', root)).toThrow(/is there already/);
    expect(existsSync(join(root, 'emulator-bridge/native/cca/mine.cc'))).toBe(false);
    expect(readFileSync(join(root, test), 'utf8')).toBe('kept');
  });
});

describe('the guides', () => {
  it.each([
    ['docs/adding-a-cca.md', 'cca', 'cca/foo.cc', '   '],
    ['docs/paths.md', 'element', 'path/foo.cc', ''],
    ['docs/traces.md', 'format', 'formats/foo.cc', ''],
    ['docs/figures.md', 'figure', 'run-foo.plot.tsx', ''],
  ])('%s shows just what is made', (guide, kind, file, indent) => {
    const [, made = ''] = [...filesOf(kind, 'foo')].find(([path]) => path.endsWith(file)) ?? [];
    expect(made).not.toBe('');
    expect(readFileSync(join(ROOT, guide), 'utf8')).toContain(made.replaceAll(/^(?=.)/gm, indent));
  });
});

describe('a new figure', () => {
  it('is found, and passes the test that comes with it', { timeout: 300_000 }, async () => {
    const root = folder();
    const bare = (source: string): boolean => !['node_modules', 'dist', 'build'].includes(basename(source));
    for (const part of [
      'web',
      'emulator-bridge/engine',
      'emulator-bridge/protocol',
      'server/analysis',
      'package.json',
      'vitest.config.ts',
      'tsconfig.base.json',
    ])
      cpSync(join(ROOT, part), join(root, part), { recursive: true, filter: bare });
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    const config = { server: { fs: { allow: [ROOT, root] } }, test: { environment: 'jsdom' } };
    writeFileSync(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};\n`);
    const [, test = ''] = make('figure', 'my-idea', root);
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const files = [test, 'web/src/plots/registry.test.ts'];
    const { stdout } = await run(
      process.execPath,
      [vitest, 'run', '--config', 'vitest.config.mjs', '--reporter', 'verbose', ...files],
      { cwd: root },
    );
    expect(stdout).toContain('has a row for each sample of each flow that is shown');
    expect(stdout).toContain('my-idea has rows, each as wide as its header');
  });
});
