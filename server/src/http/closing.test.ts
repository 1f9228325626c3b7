import { once } from 'node:events';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { QUICK, TestServer } from '../testing/server.ts';

const answerTo = (asked: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    asked.on('error', reject).on('response', (response) => response.resume().on('end', () => resolve(response)));
  });

it('answers what it was asked before it ended, once more on the same connection, and no longer', async () => {
  const server = await TestServer.start();
  onTestFinished(() => server.close());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const spec = JSON.stringify(QUICK);
  const headers = { 'content-type': 'application/json', 'content-length': spec.length, expect: '100-continue' };
  const slow = request(server.url('/plan'), { agent, method: 'POST', headers });
  // The server says that the beginning is there: how long that takes is the machine's affair.
  const begun = once(slow, 'continue');
  slow.write(spec.slice(0, 10));
  await begun;
  const closed = server.stop();
  // Whatever does not wait for it is over.
  await after(300);
  const asked = answerTo(slow);
  slow.end(spec.slice(10));
  const first = await asked;
  expect(first.statusCode).toBe(200);
  const second = await answerTo(request(server.url('/traces'), { agent }).end());
  expect([second.statusCode, second.headers.connection]).toEqual([200, 'close']);
  await closed;
  await expect(answerTo(request(server.url('/traces'), { agent }).end())).rejects.toThrow('ECONNREFUSED');
});

it('keeps idle connections for longer than proxies do', async () => {
  const server = await TestServer.start();
  onTestFinished(() => server.close());
  const answer = await answerTo(request(server.url('/traces'), { agent: new Agent({ keepAlive: true }) }).end());
  expect(answer.headers['keep-alive']).toBe('timeout=75');
});
