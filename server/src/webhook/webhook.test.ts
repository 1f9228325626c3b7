// Whom a server tells of experiments that ended: a real receiver on this machine, which only an operator's flag lets it reach.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { Problem } from '#protocol/api';
import { ServerSettings, WebhookAnswer, WebhookEvent } from '#protocol/settings';
import { serveConfig } from '../config.ts';
import { TestServer } from '../testing/server.ts';
import { isPublic, lookupWithin, readAddress } from './address.ts';
import { Webhooks } from './webhooks.ts';

const SHORT = { name: 'Short', traces: [{ rate_mbps: 100 }], ccas: [{ id: 'cubic' }], duration_s: 1, repetitions: 8 };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Receiver {
  readonly url: string;
  readonly bodies: unknown[];
  readonly asked: IncomingMessage[];
  readonly next: () => Promise<void>;
}

/** `answer`: how each request, counted from 0, is answered. */
async function receiver(answer: (res: ServerResponse, n: number) => void): Promise<Receiver> {
  const bodies: unknown[] = [];
  const asked: IncomingMessage[] = [];
  const waiting: (() => void)[] = [];
  const server: Server = createServer((req, res) => {
    let text = '';
    req.on('data', (part: Buffer) => (text += part.toString()));
    req.on('end', () => {
      asked.push(req);
      bodies.push(JSON.parse(text === '' ? 'null' : text));
      answer(res, bodies.length - 1);
      for (const wake of waiting.splice(0)) wake();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  const next = (): Promise<void> => new Promise((done) => waiting.push(done));
  return { url: `http://127.0.0.1:${port}/hook?secret=1`, bodies, asked, next };
}

async function serverWith(allowWebhook: string[]): Promise<TestServer> {
  const server = await TestServer.start({ allowWebhook });
  closing.push(() => server.stop());
  return server;
}

const set = (server: TestServer, webhook: object): Promise<Response> =>
  fetch(server.url('/settings'), {
    method: 'PATCH',
    body: JSON.stringify({ webhook }),
    headers: { 'content-type': 'application/json' },
  });

describe('where a webhook may go', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.100.200',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'no address',
  ])('%s is not public', (address) => expect(isPublic(address)).toBe(false));
  it.each(['1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])('%s is', (address) =>
    expect(isPublic(address)).toBe(true),
  );

  it.each([
    ['ftp://example.org/', 'is not spoken'],
    ['file:///etc/passwd', 'is not spoken'],
    ['javascript:alert(1)', 'is not spoken'],
    ['example.org', 'no address'],
    ['http://name:word@example.org/', 'password'],
    ['http://169.254.169.254/latest/meta-data', 'not a public address'],
    // The same, as browsers and Node read it.
    ['http://0x7f.1/', '127.0.0.1 is not a public address'],
    ['http://2130706433/', '127.0.0.1 is not a public address'],
    ['http://[::1]:9/', '::1 is not a public address'],
  ])('%s is refused', (text, why) => expect(readAddress(text, [])).toEqual({ fault: expect.stringContaining(why) }));

  it('is kept without its fragment', () =>
    expect(readAddress('https://example.org/a?b#c', [])).toEqual({ url: 'https://example.org/a?b' }));

  it('a name that leads to a network of ours is refused when it is connected to, unless it was allowed', async () => {
    const find = ((_name: string, _options: object, told: (error: null, found: object[]) => void) =>
      told(null, [
        { address: '10.0.0.7', family: 4 },
        { address: '1.1.1.1', family: 4 },
      ])) as never;
    const looked = (allowed: string[], all: boolean): Promise<unknown> =>
      new Promise((done) =>
        lookupWithin(allowed, find)('hooks.example', { all }, (error, to) => done(error?.message ?? to)),
      );
    expect(await looked([], false)).toBe('1.1.1.1');
    expect(await looked([], true)).toEqual([{ address: '1.1.1.1', family: 4 }]);
    expect(await looked(['hooks.example'], false)).toBe('10.0.0.7');
    const inside = ((_name: string, _options: object, told: (error: null, found: object[]) => void) =>
      told(null, [{ address: '127.0.0.1', family: 4 }])) as never;
    const refused = await new Promise((done) =>
      lookupWithin([], inside)('rebound.example', {}, (error) => done(error?.message)),
    );
    expect(refused).toContain('rebound.example (127.0.0.1) is not a public address');
  });

  it('the flag takes hosts', () => {
    expect(serveConfig(['--allow-webhook', '[::1]', '--allow-webhook', 'LAB.local'], {})?.allowWebhook).toEqual([
      '::1',
      'lab.local',
    ]);
    expect(serveConfig(['--allow-webhook', '::1', '--allow-webhook', '*'], {})?.allowWebhook).toEqual(['::1', '*']);
    expect(() => serveConfig(['--allow-webhook', 'a/b'], {})).toThrow(/^--allow-webhook: wants a host/);
  });
});

describe('the settings of a server', () => {
  it('take an address, and tell only where it leads', async () => {
    const server = await serverWith(['127.0.0.1']);
    expect(await server.json('/settings', ServerSettings)).toEqual({ webhook: { shown: null, after_s: 60 } });
    const answer = await set(server, { url: ' http://127.0.0.1:9/a?secret#x ', after_s: 5 });
    expect(ServerSettings.parse(await answer.json())).toEqual({ webhook: { shown: 'http://127.0.0.1:9', after_s: 5 } });
    await set(server, { after_s: 7 });
    expect(await server.json('/settings', ServerSettings)).toEqual({
      webhook: { shown: 'http://127.0.0.1:9', after_s: 7 },
    });
    expect(await (await fetch(server.url('/settings'))).text()).not.toContain('secret');
    await set(server, { url: null });
    expect((await server.json('/settings', ServerSettings)).webhook.shown).toBeNull();
    expect((await server.post('/settings/webhook/test')).status).toBe(422);
  });

  it('refuse what they must not reach, with the place of the fault', async () => {
    const server = await serverWith([]);
    const refused = await set(server, { url: 'http://169.254.169.254/' });
    expect(refused.status).toBe(422);
    expect(Problem.parse(await refused.json())).toMatchObject({ code: 'WEBHOOK_REFUSED', where: 'webhook.url' });
    expect((await set(server, { url: 'x'.repeat(3000) })).status).toBe(400);
    expect((await set(server, { nothing: 1 })).status).toBe(400);
    // A name may be kept before it is known where it leads: it is looked at when something is sent.
    expect((await set(server, { url: 'http://localhost:9/' })).status).toBe(200);
    const { ok, detail } = WebhookAnswer.parse(await (await server.post('/settings/webhook/test')).json());
    expect([ok, detail]).toEqual([false, expect.stringContaining('not a public address')]);
  });

  it('send a test, and follow no redirect', async () => {
    const server = await serverWith(['127.0.0.1']);
    const elsewhere = await receiver((res) => res.end());
    const hook = await receiver((res, n) => {
      if (n === 0) res.writeHead(204).end();
      else res.writeHead(302, { location: elsewhere.url }).end();
    });
    await set(server, { url: hook.url });
    const test = async (): Promise<WebhookAnswer> =>
      WebhookAnswer.parse(await (await server.post('/settings/webhook/test')).json());
    expect(await test()).toEqual({ ok: true, detail: 'it was taken (status 204)' });
    expect(WebhookEvent.parse(hook.bodies[0])).toMatchObject({ event: 'test', title: 'A test' });
    expect((await test()).detail).toContain('leads elsewhere');
    expect(elsewhere.bodies).toEqual([]);
  });
});

/** What the server makes for its home page at its first start. */
async function homeIsOver({ lab }: TestServer): Promise<void> {
  while (lab.store.experiments.going().length > 0) await new Promise((done) => setTimeout(done, 50));
}

describe('an experiment that ends', () => {
  it('is told of once, with its counts and its page', async () => {
    const server = await serverWith(['127.0.0.1']);
    const hook = await receiver((res) => res.end('thanks'));
    server.lab.store.settings.set('webhook', { url: hook.url, after_s: 0 });
    const { id } = await server.submit(SHORT);
    const own = (): unknown => hook.bodies.find((body) => WebhookEvent.parse(body).id === id);
    while (own() === undefined) await hook.next();
    expect(hook.asked[0]?.headers['content-type']).toBe('application/json');
    expect(hook.asked[0]?.url).toBe('/hook?secret=1');
    const event = WebhookEvent.parse(own());
    expect(event).toMatchObject({
      event: 'experiment.ended',
      id,
      title: 'Short',
      state: 'done',
      counts: { total: 8, done: 8, failed: 0, cancelled: 0 },
      url: new URL(`/e/${id}`, server.page).href,
    });
  });

  it('is told again where nobody took it, and not where it was refused; a close waits for nothing', async () => {
    const server = await serverWith(['127.0.0.1']);
    const hook = await receiver((res, n) => {
      res.statusCode = [503, 200, 400][n] ?? 500;
      res.end();
    });
    const { store, feed } = server.lab;
    // The server's own, whose tries lie further apart, is silent.
    await server.lab.webhooks.close();
    await homeIsOver(server);
    store.settings.set('webhook', { url: hook.url, after_s: 0 });
    const webhooks = new Webhooks({
      store,
      feed,
      log: pino({ level: 'silent' }),
      allowed: ['127.0.0.1'],
      retriesMs: [10, 60_000],
    });
    closing.push(() => webhooks.close());
    webhooks.start('http://lab.example');
    const run = async (seed: number): Promise<void> => server.over(await server.submit({ ...SHORT, seed }));
    await run(1);
    while (hook.bodies.length < 2) await hook.next();
    await run(2);
    while (hook.bodies.length < 3) await hook.next();
    await run(3);
    while (hook.bodies.length < 4) await hook.next();
    // The fourth was answered with 500: its next try is a minute away, and ends with the server.
    const asked = performance.now();
    await webhooks.close();
    expect(performance.now() - asked).toBeLessThan(5000);
    expect(hook.bodies.length).toBe(4);
  });

  it('is not told of when it took less than is asked', async () => {
    const server = await serverWith(['127.0.0.1']);
    const hook = await receiver((res) => res.end());
    await set(server, { url: hook.url, after_s: 3600 });
    await server.over(await server.submit(SHORT));
    await new Promise((done) => setTimeout(done, 1200));
    expect(hook.bodies).toEqual([]);
  });
});
