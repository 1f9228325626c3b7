import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from './paths.mjs';
import { serverBundle } from './server-bundle.mjs';

// Where its packages are found.
const folder = `${ROOT}/build/server-test-${process.pid}`;
const stamp = `${folder}/sources.json`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Stamp {
  sources: Record<string, string>;
}
function change(edit: (stamp: Stamp) => void): void {
  const known = JSON.parse(readFileSync(stamp, 'utf8')) as Stamp;
  edit(known);
  writeFileSync(stamp, JSON.stringify(known));
}

it('is made again when a source has changed or gone, and only then', async () => {
  expect(await serverBundle(folder)).toBe('built');
  expect(await serverBundle(folder)).toBe('up to date');
  change(({ sources }) => (sources['server/src/version.ts'] = 'of something else'));
  expect(await serverBundle(folder)).toBe('built');
  change(({ sources }) => (sources['server/src/that-was-there.ts'] = 'of something'));
  expect(await serverBundle(folder)).toBe('built');
  expect(await serverBundle(folder)).toBe('up to date');
});

it('is the same command line', () => {
  const words = ['trace', 'list', '--help'];
  const of = (...command: string[]): string =>
    execFileSync(process.execPath, [...command, ...words], { cwd: ROOT, encoding: 'utf8' });
  expect(of(`${folder}/cli/main.js`)).toBe(of('--import', 'tsx', 'server/src/cli/main.ts'));
});

it('names no folder of the machine that it was made on', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) expect(readFileSync(`${folder}/${file}`, 'utf8')).not.toContain(ROOT);
});
