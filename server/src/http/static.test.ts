import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import express from 'express';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { problemHandler } from './problem.ts';
import { pageRoutes } from './static.ts';

const CODE = 'export const answer = 42;\n'.repeat(100);
const folder = testFolder();
let server: Server;
let url: string;
beforeEach(async () => {
  mkdirSync(join(folder(), 'assets'));
  writeFileSync(join(folder(), 'index.html'), '<!doctype html><script>let theme;</script><div id="root"></div>');
  writeFileSync(join(folder(), 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder(), 'assets', 'index-1.js'), CODE);
  writeFileSync(join(folder(), 'assets', 'index-1.js.br'), brotliCompressSync(CODE));
  writeFileSync(join(folder(), 'assets', 'index-1.js.gz'), gzipSync(CODE));
  writeFileSync(join(folder(), 'assets', 'page-2.css'), '.a { color: red }');
  server = createServer(express().use(pageRoutes({ dist: folder() }), problemHandler(pino({ level: 'silent' }))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('the page', () => {
  it('has one policy at every address, whatever is there', async () => {
    const policies = new Set<string | null>();
    for (const path of [
      '/',
      '/index.html',
      '/e/abc',
      '/mark.svg',
      '/assets/index-1.js',
      '/assets/',
      '/assets/nothing.js',
    ])
      policies.add((await fetch(url + path)).headers.get('content-security-policy'));
    const [policy, ...others] = policies;
    expect(others).toEqual([]);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'sha256-[^']+';/);
  });
});

/** What comes over the line: `fetch` would unpack it. */
function get(
  path: string,
  headers: Record<string, string>,
): Promise<{ headers: IncomingHttpHeaders; status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    request(url + path, { headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({ headers: response.headers, status: response.statusCode ?? 0, body: Buffer.concat(pieces) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('a file of the build', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['identity', undefined, (body: Buffer) => body],
    ['zstd', undefined, (body: Buffer) => body],
    ['', undefined, (body: Buffer) => body],
  ])('comes packed as the other side can unpack it: %j -> %s', async (accepted, encoding, unpack) => {
    const { headers, body } = await get('/assets/index-1.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(unpack(body).toString()).toBe(CODE);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(body.byteLength),
    });
    expect(headers.vary).toContain('Accept-Encoding');
  });

  it('is known again by the tag of what was sent, and by no other form', async () => {
    const tags = new Set<string | undefined>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { headers } = await get('/assets/index-1.js', { 'accept-encoding': encoding });
      tags.add(headers.etag);
      const asked = { 'accept-encoding': encoding, 'if-none-match': headers.etag ?? '' };
      const again = await get('/assets/index-1.js', asked);
      expect([again.status, again.body.byteLength, again.headers.vary]).toEqual([304, 0, 'Accept-Encoding']);
    }
    expect(tags.size).toBe(3);
  });

  it('comes as it is where nothing was packed, and is not found where there is none', async () => {
    const plain = await get('/assets/page-2.css', { 'accept-encoding': 'br' });
    expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, '.a { color: red }']);
    const posted = await fetch(`${url}/assets/index-1.js`, { method: 'POST' });
    expect([posted.status, posted.headers.get('content-encoding')]).toEqual([404, null]);
    for (const path of ['/assets/none.js', '/assets/..%2findex.html', '/assets/%00.js', '/assets/index-1.js/']) {
      const { status, headers } = await get(path, { 'accept-encoding': 'br' });
      expect([path, status >= 400 && status < 500, headers['content-encoding']]).toEqual([path, true, undefined]);
    }
  });
});
