import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { engineModule } from './engine-module.ts';
import { problemHandler } from './problem.ts';

const folder = testFolder();
const BYTES = Buffer.from('module '.repeat(500));
const OLDER = Buffer.from('of before '.repeat(500));
let server: Server;
let url: string;
beforeEach(async () => {
  mkdirSync(folder(), { recursive: true });
  const app = express();
  app.get('/engine/paceline.wasm', engineModule(folder()));
  server = createServer(app.use(problemHandler(pino({ level: 'silent' }))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/engine/paceline.wasm`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** What came, and how it was packed. */
async function got(encoding: string): Promise<readonly [string, string | null]> {
  const answer = await fetch(url, { headers: { 'accept-encoding': encoding } });
  expect(answer.headers.get('content-type')).toBe('application/wasm');
  expect(answer.headers.get('vary')).toContain('Accept-Encoding');
  return [await answer.text(), answer.headers.get('content-encoding')];
}

it('is packed where the browser can unpack it, and only with what was packed since it was built', async () => {
  expect((await fetch(url)).status).toBe(404);
  const file = join(folder(), 'paceline.wasm');
  writeFileSync(file, BYTES);
  expect(await got('br')).toEqual([BYTES.toString(), null]);
  writeFileSync(`${file}.br`, brotliCompressSync(BYTES));
  expect(await got('br, gzip')).toEqual([BYTES.toString(), 'br']);
  expect(await got('gzip')).toEqual([BYTES.toString(), null]);
  writeFileSync(`${file}.br`, brotliCompressSync(OLDER));
  utimesSync(`${file}.br`, 1, 1);
  expect(await got('br')).toEqual([BYTES.toString(), null]);
});
