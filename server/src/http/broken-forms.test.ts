// Multipart forms that are none, at every address that takes a form, of a server in a process of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Health, Problem } from '#protocol/api';
import { TestProcess } from '../testing/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'paceline-forms-'));
let server: TestProcess;
let url: string;
beforeAll(async () => {
  server = new TestProcess('server/src/main.ts', ['--port', '0', '--data-dir', folder]);
  [, url = ''] = await server.says(/^Paceline is ready: (http:\S+)/m);
});
afterAll(async () => {
  await server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a body in these pieces, as it is. */
function send(path: string, type: string, pieces: readonly Uint8Array[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request(new URL(`api/v1${path}`, url), { method: 'POST', headers: { 'content-type': type } });
    sending.on('error', reject).on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    for (const piece of pieces) sending.write(piece);
    sending.end();
  });
}

async function isAlive(): Promise<boolean> {
  const response = await fetch(new URL('api/v1/health', url));
  return Health.safeParse(await response.json()).success;
}

const ROUTES = ['/traces', '/trace-sources', '/recordings', '/weights', '/algorithms'] as const;
const FORM = 'multipart/form-data; boundary=B';
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.trace"';

const BROKEN: readonly (readonly [string, string])[] = [
  ['a bad part header', '--B\r\n-6--B--\r\n'],
  ['a part header that does not end', `--B\r\n${FILE}`],
  ['a part header of 20 kB', `--B\r\nX: ${'x'.repeat(20_000)}`],
  ['a file and then a bad header', `--B\r\n${FILE}\r\n\r\n1\n2\n\r\n--B\r\n-6\r\n\r\n--B--\r\n`],
  ['two bad headers', '--B\r\n-6\r\n--B\r\n-6\r\n--B--\r\n'],
  ['a file that does not end', `--B\r\n${FILE}\r\n\r\n1\n2\n`],
  ['nothing at all', ''],
];

const words = fc.constantFrom(
  '--B',
  '--B--',
  '\r\n',
  '\r\n\r\n',
  '\r',
  '\n',
  '--',
  '-6',
  ': ',
  FILE,
  'Content-Disposition: form-data; name="note"',
  'Content-Disposition: form-data; name="file"; filename*=utf-16\'\'%ff%',
  'Content-Type: text/plain; charset=nothing',
  'Content-Type: application/octet-stream',
  'Content-Transfer-Encoding: base64',
  '1\n2\n3\n',
  'x'.repeat(9000),
);
const broken = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: words.map((word) => Buffer.from(word, 'latin1')) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)) },
  ),
  { maxLength: 24 },
);
const types = fc.constantFrom(FORM, FORM, FORM, 'multipart/form-data', 'multipart/form-data; boundary=', `${FORM};=`);

describe('a multipart form that is none', () => {
  it.each(BROKEN)('is refused everywhere: %s', async (_, body) => {
    for (const route of ROUTES) {
      const answer = await send(route, FORM, [Buffer.from(body)]);
      expect([route, answer.status]).toEqual([route, 400]);
      expect(Problem.parse(JSON.parse(answer.body))).toMatchObject({ status: 400, code: 'REQUEST_INVALID' });
    }
    expect(await isAlive()).toBe(true);
  });

  it('never ends the server, whatever is in it and in whatever pieces it comes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ROUTES), types, broken, async (route, type, pieces) => {
        const { status, body } = await send(route, type, pieces);
        expect([200, 201, 400, 413, 422]).toContain(status);
        if (status >= 400) expect(Problem.parse(JSON.parse(body)).status).toBe(status);
      }),
      { numRuns: 400 },
    );
    expect(await isAlive()).toBe(true);
  });
});
