// What is refused of a bundle, by name, before anything of it is used.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { testFolder } from '../testing/folder.ts';
import { Bundle, isZip } from './read.ts';
import { rehashed, zipped, type Files } from './testing.ts';

const folder = testFolder();
const path = (name = 'x.zip'): string => join(folder(), name);

const HEAD = {
  format: 'paceline.bundle',
  version: 1,
  experiment: 'a'.repeat(20),
  name: 'small',
  created_at: '2026-01-01T00:00:00Z',
  paceline: '0.1.0',
  engine_version: '1.2.3',
  measured: false,
  runs: 0,
  traces: [],
  weights: [],
};
const SOUND: Files = new Map([
  ['paceline-bundle.json', JSON.stringify(HEAD)],
  ['spec.json', JSON.stringify({ traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }] })],
  ['runs.ndjson', ''],
]);

const withFile = (name: string, content: string | Buffer): Files => rehashed(new Map([...SOUND, [name, content]]));
async function refusal(file: string): Promise<string> {
  try {
    (await Bundle.open(file)).close();
  } catch (error) {
    if (error instanceof AppError && error.code === 'BUNDLE_REFUSED') return error.message;
    throw error;
  }
  return 'not refused';
}

/** The same bytes instead, wherever they stand. */
function patched(file: string, from: string | Buffer, to: string | Buffer): string {
  const bytes = readFileSync(file);
  const [old, now] = [Buffer.from(from), Buffer.from(to)];
  expect(now.length).toBe(old.length);
  for (let at = bytes.indexOf(old); at >= 0; at = bytes.indexOf(old, at + 1)) now.copy(bytes, at);
  writeFileSync(file, bytes);
  return file;
}

describe('a bundle', () => {
  it('that is sound is read', async () => {
    const file = await zipped(path(), rehashed(SOUND));
    expect(await isZip(file)).toBe(true);
    const bundle = await Bundle.open(file);
    expect([bundle.head.name, bundle.spec.ccas[0]?.id]).toEqual(['small', 'cubic']);
    bundle.close();
  });

  it.each([
    ['../../../x', 'README.md', '../../xyz'],
    ['an absolute name', 'README.md', '/etc/shad'],
    ['a backslash', 'README.md', '..\\..\\x.m'],
    ['another name', 'README.md', 'readme.sh'],
  ])('with %s is refused, and nothing is written', async (_, from, to) => {
    const file = patched(await zipped(path(), withFile('README.md', 'hello')), from, to);
    expect(await refusal(file)).toMatch(
      /invalid relative path|absolute path|a bundle has no such file|invalid characters/,
    );
    expect(existsSync(join(folder(), '..', 'xyz'))).toBe(false);
  });

  it.each([
    ['a symbolic link', 0o120777],
    ['a folder', 0o040755],
    ['a device', 0o020666],
  ])('with %s is refused', async (_, mode) => {
    expect(await refusal(await zipped(path(), rehashed(SOUND), mode))).toMatch(
      /"paceline-bundle\.json": it is no plain file/,
    );
  });

  it('with a file twice is refused', async () => {
    expect(await refusal(await zipped(path(), [...rehashed(SOUND), ['spec.json', '{}']]))).toBe(
      '"spec.json": it is there twice',
    );
  });

  it('that would become far more than it is is refused before it is unpacked', async () => {
    const file = await zipped(path(), withFile('summary.csv', Buffer.alloc(100 * 2 ** 20)));
    expect(await refusal(file)).toMatch(/it would become more than \d+ bytes of \d+/);
  });

  it('is given no more room and time than there is', async () => {
    const file = await zipped(path(), withFile('summary.csv', Buffer.alloc(2 ** 20)));
    await expect(Bundle.open(file, { most: 2 ** 19 })).rejects.toThrow(/it would become more than/);
    await expect(Bundle.open(file, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });

  it('that lies about its sizes is refused', async () => {
    const content = 'x'.repeat(1234);
    const file = await zipped(path(), withFile('README.md', content));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(1234);
    const less = Buffer.alloc(4);
    less.writeUInt32LE(12);
    expect(await refusal(patched(file, size, less))).toMatch(/too many bytes|size|expected/i);
  });

  it.each(['paceline-bundle.json', 'spec.json', 'runs.ndjson', 'sha256.json'])(
    'without %s is refused',
    async (name) => {
      const files = [...rehashed(SOUND)].filter(([own]) => own !== name);
      expect(await refusal(await zipped(path(), files))).toBe(`it has no ${name}`);
    },
  );

  it('with a file that was changed, that is not listed, or that is listed and not there is refused by name', async () => {
    const sound = rehashed(SOUND);
    expect(await refusal(await zipped(path('a'), new Map([...sound, ['runs.ndjson', '\n']])))).toMatch(
      /^runs\.ndjson was changed/,
    );
    expect(await refusal(await zipped(path('b'), new Map([...sound, ['README.md', 'x']])))).toBe(
      'sha256.json does not name README.md',
    );
    const listed = [...withFile('README.md', 'x')].filter(([name]) => name !== 'README.md');
    expect(await refusal(await zipped(path('c'), listed))).toBe('"README.md" is in sha256.json, but not in the file');
  });

  it.each([
    ['no JSON', '{', /^paceline-bundle\.json is not JSON/],
    ['JSON of another form', '[]', /^paceline-bundle\.json: /],
    ['JSON that is nested without end', '['.repeat(200_000) + ']'.repeat(200_000), /^paceline-bundle\.json/],
    ['a prototype', JSON.stringify({ ...HEAD, version: 2, constructor: { prototype: { a: 1 } } }), /version/],
  ])('with %s is refused', async (_, text, said) => {
    expect(await refusal(await zipped(path(), withFile('paceline-bundle.json', text)))).toMatch(said);
  });

  it('that is no zip file, or the half of one, is refused', async () => {
    writeFileSync(path('a'), 'a spec');
    expect(await isZip(path('a'))).toBe(false);
    expect(await refusal(path('a'))).toMatch(/cannot be read as a zip file/);
    const whole = readFileSync(await zipped(path('b'), rehashed(SOUND)));
    writeFileSync(path('c'), whole.subarray(0, whole.length / 2));
    expect(await refusal(path('c'))).toMatch(/cannot be read as a zip file/);
  });

  it('with more files than there can be is refused', async () => {
    const many = Array.from({ length: 2200 }, (_, i) => [`traces/${String(i).padStart(64, '0')}.trace`, ''] as const);
    expect(await refusal(await zipped(path(), [...SOUND, ...many]))).toMatch(/it says that it has 2203 files/);
  });
});
