import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { TestServer } from '../testing/server.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/paceline.mjs', import.meta.url));
const OPERATORS = 'the-token-of-the-operator';
const folder = testFolder();
let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** What it prints; throws with what it says instead. */
async function paceline(words: readonly string[], token = ''): Promise<string> {
  const env = { ...process.env, PACELINE_TOKEN: token };
  return (await promisify(execFile)('node', [PROGRAM, ...words], { env })).stdout;
}

it('gives tokens at a server, which are taken there until they are revoked', async () => {
  server = await TestServer.start({ token: OPERATORS });
  const at = ['--server', server.page];
  const given = await paceline(['token', 'add', 'Nightly', '--days', '30', ...at], OPERATORS);
  const [token = '', said = ''] = given.split('\n');
  expect(said).toMatch(/^Nightly, author, until \d{4}-\d\d-\d\d\. It is not shown again\.$/);
  expect(await paceline(['token', 'list', ...at], OPERATORS)).toMatch(/Nightly +author +\d{4}-\d\d-\d\d +never/);
  await expect(paceline(['token', 'list', ...at], token)).rejects.toThrow(
    'this takes the operator’s token; Nightly is an author',
  );
  expect(await paceline(['experiments', ...at], token)).toContain('Sample: two algorithms');
  await paceline(['token', 'revoke', 'Nightly', ...at], OPERATORS);
  await expect(paceline(['experiments', ...at], token)).rejects.toThrow('those who have a token');
  const deeds = await paceline(['deeds', '--last', '2', ...at], OPERATORS);
  expect(deeds).toMatch(/the operator +operator +200 +DELETE \/tokens\/\w{12} \(Nightly\)/);
  expect(deeds).toMatch(/the operator +operator +201 +POST \/tokens \(Nightly, author\)/);
});

it('gives tokens in a data folder, which its server takes', async () => {
  const dataDir = folder();
  const at = ['--data-dir', dataDir];
  const made = JSON.parse(await paceline(['token', 'add', 'Ann', '--role', 'viewer', '--json', ...at])) as {
    token: string;
    id: string;
  };
  expect(await paceline(['deeds', ...at])).toContain('paceline token add (Ann, viewer)');
  server = await TestServer.start({ dataDir, token: OPERATORS });
  const ask = async (): Promise<number> =>
    (await fetch(server?.url('/traces') ?? '', { headers: { authorization: `Bearer ${made.token}` } })).status;
  expect(await ask()).toBe(200);
  await expect(paceline(['token', 'list', ...at])).rejects.toThrow('ask the server that has it: --server');
  await server.close();
  await paceline(['token', 'revoke', made.id, ...at]);
  expect(await paceline(['token', 'list', ...at])).toBe('Nobody has a token but the operator.\n');
  server = await TestServer.start({ dataDir, token: OPERATORS });
  expect(await ask()).toBe(401);
});

it.each([
  [['token', 'add'], /token add NAME: a name has at least one character/],
  [['token', 'add', 'Ann', '--role', 'root'], /--role: root is none of viewer, author, operator/],
  [['token', 'add', 'Ann', '--days', 'ever'], /--days: /],
  [['token', 'revoke'], /token revoke: whose\?/],
  [['token', 'revoke', 'Nobody'], /there is no token Nobody/],
  [['token', 'steal'], /token steal: add, list or revoke/],
  [['token', 'list', '--server', 'nowhere'], /--server: nowhere is no address/],
  [['deeds', '--last', '0'], /--last: /],
])('%j is refused with what is wrong', async (words, why) => {
  const error = (await paceline([...words, ...(words.includes('--server') ? [] : ['--data-dir', folder()])]).catch(
    (thrown: unknown) => thrown,
  )) as { code: number; stderr: string };
  expect([error.code, error.stderr]).toEqual([2, expect.stringMatching(why)]);
});
