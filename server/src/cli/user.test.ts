import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { TestServer } from '../testing/server.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/paceline.mjs', import.meta.url));
const OPERATORS = 'the-token-of-the-operator';
const folder = testFolder();

/** What it prints; throws with what it says instead. */
async function paceline(words: readonly string[], token = ''): Promise<string> {
  const env = { ...process.env, PACELINE_TOKEN: token };
  return (await promisify(execFile)('node', [PROGRAM, ...words], { env })).stdout;
}

it('says what persons may, in a folder and at its server', async () => {
  const dataDir = folder();
  const inFolder = ['--data-dir', dataDir];
  expect(await paceline(['user', 'set', 'ann@example.org', '--role', 'author', ...inFolder])).toBe(
    'ann@example.org: author.\n',
  );
  expect(await paceline(['deeds', ...inFolder])).toContain('paceline user set (ann@example.org, author)');
  const server = await TestServer.start({ dataDir, token: OPERATORS, trustedProxies: ['127.0.0.1'] });
  try {
    const asAnn = async (): Promise<number> =>
      (await fetch(server.url('/traces'), { headers: { 'x-forwarded-user': 'ann@example.org' } })).status;
    expect(await asAnn()).toBe(200);
    const at = ['--server', server.page];
    expect(await paceline(['user', 'list', ...at], OPERATORS)).toMatch(
      /ann@example\.org +author +\d{4}-\d\d-\d\d +\d{4}/,
    );
    expect(await paceline(['user', 'set', 'ann@example.org', '--role', 'none', ...at], OPERATORS)).toBe(
      'ann@example.org is turned away.\n',
    );
    expect(await asAnn()).toBe(403);
    await paceline(['user', 'remove', 'ann@example.org', ...at], OPERATORS);
    expect(await paceline(['user', ...at], OPERATORS)).toBe('Nothing is said of anybody.\n');
    expect(await asAnn()).toBe(403);
  } finally {
    await server.close();
  }
});

it.each([
  [['user', 'set', 'Ann'], /user set: what may they\? --role none\|viewer/],
  [['user', 'set', 'Ann', '--role', 'root'], /--role: root is none of none, viewer, author, operator/],
  [['user', 'set', 'a,b', '--role', 'viewer'], /user set NAME: a name has no commas/],
  [['user', 'remove'], /user remove NAME: a name has at least one character/],
  [['user', 'steal'], /user steal: list, set or remove/],
])('%j is refused with what is wrong', async (words, why) => {
  const error = (await paceline([...words, '--data-dir', folder()]).catch((thrown: unknown) => thrown)) as {
    code: number;
    stderr: string;
  };
  expect([error.code, error.stderr]).toEqual([2, expect.stringMatching(why)]);
});
