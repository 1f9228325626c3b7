import fs from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request } from 'express';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../errors.ts';
import { testFolder } from '../testing/folder.ts';
import { receive } from './upload.ts';

const LIMIT = 100_000;
const folder = testFolder();
let server: Server;
let url: string;
let failure: unknown;
let saved: { content: string; name: string | null } | null;
beforeEach(async () => {
  failure = null;
  saved = null;
  server = createServer((req, res) => {
    void receive(req as Request, folder(), LIMIT)
      .then(async (upload) => {
        saved = { content: await readFile(upload.path, 'utf8'), name: upload.name };
        await upload.remove();
        res.writeHead(204).end();
      })
      .catch((error: unknown) => {
        failure = error;
        if (!res.destroyed) res.writeHead(413).end('too much');
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  expect(await readdir(folder())).toEqual([]);
  server.closeAllConnections();
  server.close();
});

const codeOf = (error: unknown): string | null => (error instanceof AppError ? error.code : null);

/** A body of unknown length, in pieces. */
function* pieces(bytes: number): Generator<Uint8Array> {
  for (let sent = 0; sent < bytes; sent += 10_000) yield new Uint8Array(Math.min(10_000, bytes - sent)).fill(49);
}
const stream = (bytes: number): ReadableStream =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces(bytes)) controller.enqueue(piece);
      controller.close();
    },
  });

describe('an upload', () => {
  it('is saved whole, whatever is in its name', async () => {
    const form = new FormData();
    form.set('note', 'a field');
    form.set('file', new Blob(['1\n2\n']), '../../etc/passwd');
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(204);
    expect(saved).toEqual({ content: '1\n2\n', name: 'passwd' });
  });

  it('that says it is too large is refused before it is read', async () => {
    const response = await fetch(url, { method: 'POST', body: new Uint8Array(LIMIT + 70_000) });
    expect(response.status).toBe(413);
    expect(codeOf(failure)).toBe('UPLOAD_TOO_LARGE');
  });

  it('that turns out too large is refused, and the sender gets the answer', async () => {
    const response = await fetch(url, { method: 'POST', body: stream(LIMIT + 50_000), duplex: 'half' });
    expect([response.status, await response.text()]).toEqual([413, 'too much']);
    expect(codeOf(failure)).toBe('UPLOAD_TOO_LARGE');
  });

  it('that turns out too large in a form is refused, and the sender gets the answer', async () => {
    const form = new FormData();
    form.set('file', new Blob([...pieces(LIMIT + 50_000)] as Uint8Array<ArrayBuffer>[]), 'big.trace');
    const response = await fetch(url, { method: 'POST', body: form });
    expect(response.status).toBe(413);
    expect(codeOf(failure)).toBe('UPLOAD_TOO_LARGE');
  });

  it('that is refused before its file is there leaves none', async () => {
    const { open } = fs;
    const slow = vi.spyOn(fs, 'open').mockImplementation((...words: Parameters<typeof open>) => {
      setTimeout(() => open(...words), 100);
    });
    onTestFinished(() => slow.mockRestore());
    const response = await fetch(url, { method: 'POST', body: new Uint8Array(LIMIT + 50_000) });
    expect([response.status, codeOf(failure)]).toEqual([413, 'UPLOAD_TOO_LARGE']);
    // What was going to be made is made by now.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(slow).toHaveBeenCalled();
  });

  it('that is broken off leaves nothing behind', async () => {
    await new Promise<void>((resolve) => {
      const sending = request(url, { method: 'POST' });
      sending.on('error', () => resolve());
      sending.write('1\n'.repeat(1000));
      setTimeout(() => sending.destroy(new Error('gone')), 100);
    });
    for (let i = 0; i < 100 && failure === null; i++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(failure).toBeInstanceOf(Error);
  });
});
