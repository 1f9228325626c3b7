import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { Limits } from '../limits.ts';
import { endSlowBodies } from './slow-bodies.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const WINDOW_MS = 500;

/** Sends pieces of a body, one every so many milliseconds, and gives the answer's first line. */
async function answerTo(pieces: number, everyMs: number, length: number): Promise<string> {
  server = createServer((req, res) => {
    req.on('error', () => undefined);
    req.resume().on('end', () => res.end('all of it'));
  });
  endSlowBodies(server, Limits.parse({ body_bytes_per_s: 20 }), WINDOW_MS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
  const timer = setInterval(() => (pieces-- > 0 ? socket.write('x'.repeat(100)) : undefined), everyMs);
  const answer = await text(socket).finally(() => clearInterval(timer));
  return answer.split('\r\n')[0] ?? '';
}

it('a body that stops arriving ends, with the reason', async () => {
  expect(await answerTo(2, 50, 10_000)).toBe('HTTP/1.1 408 Request Timeout');
});

it('one that moves may take as long as it likes', async () => {
  expect(await answerTo(30, 100, 3000)).toBe('HTTP/1.1 200 OK');
});
