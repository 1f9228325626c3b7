import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from '../testing/server.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

let server: TestServer;
let experiment: string;
let run: string;
beforeAll(async () => {
  server = await TestServer.start();
  const record = await server.submit({
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }],
    buffers: [{ bdp: 1 }],
    duration_s: 1,
  });
  await server.over(record);
  experiment = record.id;
  run = record.runs[0]?.id ?? '';
});
afterAll(() => server.close());

/** What comes over the line: `fetch` would unpack it. */
function get(path: string, accepted: string, more: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(server.url(path), { headers: { 'accept-encoding': accepted, ...more } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('an answer of the API', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
    ['', undefined, (body: Buffer) => body],
  ])('travels packed as the other side can unpack it: %j', async (accepted, encoding, unpack) => {
    const plain = await get('/openapi.json', 'identity');
    const { headers, body } = await get('/openapi.json', accepted);
    expect(headers['content-encoding']).toBe(encoding);
    expect(unpack(body).equals(plain.body)).toBe(true);
    expect(headers.vary).toContain('Accept-Encoding');
    if (encoding !== undefined) expect(body.byteLength).toBeLessThan(plain.body.byteLength / 5);
  });

  it('is known again by its tag, packed or not', async () => {
    const { headers } = await get(`/experiments/${experiment}`, 'br');
    const again = await get(`/experiments/${experiment}`, 'br', { 'if-none-match': headers.etag ?? '' });
    expect([headers['content-encoding'], again.status, again.body.byteLength]).toEqual(['br', 304, 0]);
  });

  it('is not packed where it is small', async () => {
    const { status, headers } = await get('/health', 'br');
    expect([status, headers['content-encoding']]).toEqual([200, undefined]);
  });

  it('is not packed where it flows: files and samples', async () => {
    for (const path of [
      `/experiments/${experiment}/export?format=json`,
      `/experiments/${experiment}/export?format=csv`,
      `/runs/${run}/export?format=csv`,
      `/runs/${run}/samples`,
    ]) {
      const { status, headers, body } = await get(path, 'br, gzip');
      expect([path, status, headers['content-encoding'], body.byteLength > 0]).toEqual([path, 200, undefined, true]);
    }
  });

  it('is a whole answer to HEAD and to a refusal', async () => {
    const refused = await get('/runs/none', 'br');
    expect([refused.status, JSON.parse(refused.body.toString())]).toEqual([
      400,
      expect.objectContaining({ status: 400 }),
    ]);
    const head = await fetch(server.url('/openapi.json'), { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
  });
});
