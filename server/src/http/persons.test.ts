// Who has signed in at a proxy in front of the server is known by name; and nobody else is whom they say they are.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Caller, DeedList, UserList } from '#protocol/access';
import { LIVE_SUBPROTOCOL } from '#protocol/live';
import { ServeConfig, serveConfig } from '../config.ts';
import { startServer } from '../server.ts';
import { testFolder } from '../testing/folder.ts';
import { TestProxy } from '../testing/proxy.ts';
import { QUICK, TestServer } from '../testing/server.ts';
import { networkOf } from './proxies.ts';

const OPERATORS = 'the-token-of-the-operator';
/** Addresses of this machine from which the server is asked: the proxy's, and one that anybody might have. */
const TRUSTED = '127.0.0.3';
const ELSEWHERE = '127.0.0.2';
const HEADER = 'X-Forwarded-User';
const folder = testFolder();

interface Asking {
  readonly from?: string;
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: unknown;
}
interface Answer {
  readonly status: number;
  readonly json: unknown;
  readonly location: string | undefined;
}

function ask(url: string, { from, method = 'GET', headers = {}, body }: Asking = {}): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    request(url, { method, headers: { ...headers, ...type }, localAddress: from, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        const isJson = /json/.test(response.headers['content-type'] ?? '');
        const json: unknown = isJson ? JSON.parse(text) : null;
        resolve({ status: response.statusCode ?? 0, json, location: response.headers.location });
      });
    })
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}
const codeOf = ({ status, json }: Answer): [number, string] => [status, (json as { code: string }).code];

async function upgrade(url: string, headers: Record<string, string | string[]>, from?: string): Promise<number> {
  const socket = new WebSocket(url, LIVE_SUBPROTOCOL, { headers, localAddress: from });
  socket.on('error', () => undefined);
  const refused = once(socket, 'unexpected-response').then(
    ([, response]) => (response as { statusCode: number }).statusCode,
  );
  const status = await Promise.race([refused, once(socket, 'open').then(() => 101)]);
  socket.terminate();
  return status;
}

const asOperator = { authorization: `Bearer ${OPERATORS}` };
const asVisitor = (name: string): Record<string, string> => ({ cookie: `visitor=${encodeURIComponent(name)}` });
const saysUser = (visitor: string): Record<string, string> => ({
  [HEADER.toLowerCase()]: Buffer.from(visitor).toString('latin1'),
});

describe.each(['127.0.0.1', '::'])('behind a proxy that it trusts, a server on %s', (host) => {
  let server: TestServer;
  let proxy: TestProxy;
  let other: TestProxy;
  let at: string;
  const api = (path: string): string => `${proxy.url}/api/v1${path}`;
  /** Straight to the server. */
  const direct = (path: string): string => `${at}/api/v1${path}`;
  const setRole = (name: string, role: string): Promise<Answer> =>
    ask(direct('/users'), { method: 'POST', headers: asOperator, body: { name, role } });
  const callerAt = async (url: string, asking: Asking) => {
    const answer = await ask(url, asking);
    return answer.status === 200 ? Caller.parse(answer.json) : codeOf(answer);
  };

  beforeAll(async () => {
    server = await TestServer.start({
      host,
      token: OPERATORS,
      trustedProxies: [TRUSTED],
      allowHosts: ['https://lab.example'],
      limits: { requests_per_s: 1, requests_burst: 60 },
    });
    at = `http://127.0.0.1:${new URL(server.page).port}`;
    proxy = await TestProxy.start(at, { from: TRUSTED, says: saysUser });
    other = await TestProxy.start(at, { from: ELSEWHERE, says: saysUser });
    await setRole('ann@example.org', 'viewer');
    await setRole('Zoë', 'author');
  });
  afterAll(async () => {
    await Promise.all([proxy.close(), other.close()]);
    await server.close();
  });

  it('knows who has signed in there, with the role that the operator has given', async () => {
    const person = { role: 'viewer', name: 'ann@example.org', asks: true, via: 'proxy' };
    expect(await callerAt(api('/caller'), { headers: asVisitor('ann@example.org') })).toEqual(person);
    expect(await callerAt(api('/caller'), { headers: asVisitor('Zoë') })).toMatchObject({
      name: 'Zoë',
      role: 'author',
    });
    // To the letter: whoever may choose a name at the proxy is nobody else by its case.
    for (const name of ['Ann@example.org', 'zoë', 'somebody'])
      expect(await callerAt(api('/caller'), { headers: asVisitor(name) })).toEqual([403, 'USER_REFUSED']);
    expect(await callerAt(api('/caller'), {})).toEqual([401, 'TOKEN_REQUIRED']);
    const page = await ask(`${proxy.url}/`, { headers: { ...asVisitor('ann@example.org'), accept: 'text/html' } });
    expect(page.status).not.toBe(303);
    const signIn = { ...asVisitor('ann@example.org'), accept: 'text/html' };
    const led = await ask(`${proxy.url}/sign-in?next=%2Ftraces`, { headers: signIn });
    expect([led.status, led.location]).toEqual([303, '/traces']);
  });

  it('lets them do what their role may, and notes whose deed it was', async () => {
    const headers = asVisitor('ann@example.org');
    const refused = await ask(api('/templates'), { method: 'POST', headers, body: { title: 'Ann’s', spec: QUICK } });
    expect(codeOf(refused)).toEqual([403, 'ROLE_REFUSED']);
    expect(refused.json).toMatchObject({ detail: 'this takes an author; ann@example.org is a viewer' });
    const asked = { method: 'POST', headers: asVisitor('Zoë'), body: { title: `By ${host}`, spec: QUICK } };
    expect((await ask(api('/templates'), asked)).status).toBe(201);
    const { deeds } = DeedList.parse((await ask(direct('/deeds?limit=2'), { headers: asOperator })).json);
    expect(deeds).toMatchObject([
      { by: 'Zoë', via: 'proxy', role: 'author', what: 'POST /templates', status: 201 },
      { by: 'ann@example.org', via: 'proxy', role: 'viewer', what: 'POST /templates', status: 403 },
    ]);
  });

  it('believes nobody else, whatever they send', async () => {
    const claim = { [HEADER]: 'Zoë', 'X-Forwarded-For': TRUSTED, Forwarded: `for=${TRUSTED}`, 'X-Real-IP': TRUSTED };
    for (const from of [ELSEWHERE, '127.0.0.1'])
      expect(await callerAt(direct('/caller'), { from, headers: claim })).toEqual([401, 'TOKEN_REQUIRED']);
    // Another proxy that nobody has named, with a visitor of its own.
    expect(await callerAt(`${other.url}/api/v1/caller`, { headers: asVisitor('Zoë') })).toEqual([
      401,
      'TOKEN_REQUIRED',
    ]);
    // It takes nothing from who has a token.
    expect(await callerAt(direct('/caller'), { from: ELSEWHERE, headers: { ...claim, ...asOperator } })).toMatchObject({
      name: null,
      role: 'operator',
      via: 'token',
    });
  });

  it('takes a visitor’s own header for nothing where the proxy drops it', async () => {
    const ann = asVisitor('ann@example.org');
    const tricks: Record<string, string | string[]>[] = [
      { [HEADER]: 'Zoë' },
      { 'x-FORWARDED-user': ['Zoë', 'Zoë'] },
      { X_Forwarded_User: 'Zoë' },
      { 'X-Forwarded-User-': 'Zoë' },
      { Authorization: `Bearer ${OPERATORS}` },
      { 'X-Original-User': 'Zoë', 'Remote-User': 'Zoë' },
    ];
    for (const trick of tricks)
      expect(await callerAt(api('/caller'), { headers: { ...trick, ...ann } })).toMatchObject({
        name: 'ann@example.org',
        role: 'viewer',
      });
    expect(await callerAt(api('/caller'), { headers: { [HEADER]: 'Zoë' } })).toEqual([401, 'TOKEN_REQUIRED']);
  });

  it('refuses what a careless proxy lets through, rather than choosing among names', async () => {
    const careless = await TestProxy.start(at, { from: TRUSTED, says: saysUser, drops: () => false });
    try {
      const headers = { [HEADER]: 'Zoë', ...asVisitor('ann@example.org') };
      expect(await callerAt(`${careless.url}/api/v1/caller`, { headers })).toEqual([400, 'USER_HEADER_INVALID']);
    } finally {
      await careless.close();
    }
    const refused = [
      { [HEADER]: ['Bob', 'Bob'] },
      { [HEADER]: 'Bob, ann@example.org' },
      { [HEADER]: ['', 'Bob'] },
      { [HEADER]: 'Bob', Connection: `close, ${HEADER}` },
      { [HEADER]: 'a\tb' },
      { [HEADER]: Buffer.from('Bob\u202e').toString('latin1') },
      { [HEADER]: 'Zo\u00eb' },
      { [HEADER]: 'x'.repeat(255) },
    ];
    for (const headers of refused)
      expect([headers, await callerAt(direct('/caller'), { from: TRUSTED, headers })]).toEqual([
        headers,
        [400, 'USER_HEADER_INVALID'],
      ]);
    // With the operator's token beside it, too: nothing of it is chosen.
    const both = { from: TRUSTED, headers: { ...asOperator, [HEADER]: ['Bob', 'Ann'] } };
    expect(await callerAt(direct('/caller'), both)).toEqual([400, 'USER_HEADER_INVALID']);
    expect(await callerAt(direct('/caller'), { from: TRUSTED, headers: { [HEADER]: ' ' } })).toEqual([
      401,
      'TOKEN_REQUIRED',
    ]);
  });

  it('reads one request in what could be two', async () => {
    const inner = `GET /api/v1/caller HTTP/1.1\r\nHost: localhost\r\n${HEADER}: Zoe\r\n\r\n`;
    const outer = (lines: string): string =>
      `POST /api/v1/plan HTTP/1.1\r\nHost: localhost\r\n${HEADER}: ann@example.org\r\n${lines}\r\n0\r\n\r\n${inner}`;
    for (const lines of [
      `Content-Length: ${inner.length + 5}\r\nTransfer-Encoding: chunked\r\n`,
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n',
      `Content-Length: 5\r\nContent-Length: ${inner.length + 5}\r\n`,
    ]) {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(at).port), localAddress: TRUSTED });
      let said = '';
      socket.on('data', (piece: Buffer) => (said += piece.toString()));
      socket.write(outer(lines));
      await once(socket, 'close');
      expect([lines, said.match(/HTTP\/1\.1 \d+/g)]).toEqual([lines, ['HTTP/1.1 400']]);
    }
  });

  it('holds live connections to the same', async () => {
    const live = api('/live').replace('http:', 'ws:');
    const straight = direct('/live').replace('http:', 'ws:');
    expect(await upgrade(live, asVisitor('ann@example.org'))).toBe(101);
    expect(await upgrade(live, { ...asVisitor('ann@example.org'), [HEADER]: 'Zoë' })).toBe(101);
    expect(await upgrade(live, asVisitor('somebody'))).toBe(403);
    expect(await upgrade(live, {})).toBe(401);
    expect(await upgrade(straight, { [HEADER]: 'ann@example.org' }, ELSEWHERE)).toBe(401);
    expect(await upgrade(straight, { [HEADER]: 'ann@example.org' }, TRUSTED)).toBe(101);
    expect(await upgrade(straight, { [HEADER]: ['ann@example.org', 'ann@example.org'] }, TRUSTED)).toBe(400);
    expect(await upgrade(other.url.replace('http:', 'ws:') + '/api/v1/live', asVisitor('Zoë'))).toBe(401);
  });

  it('goes on asking for its own name and its own pages', async () => {
    const ann = asVisitor('ann@example.org');
    const code = async (headers: Record<string, string>) =>
      callerAt(api('/caller'), { headers: { ...ann, ...headers } });
    expect(await code({ host: 'lab.example', origin: 'https://lab.example' })).toMatchObject({ via: 'proxy' });
    expect(await code({ host: 'evil.example' })).toEqual([403, 'HOST_REFUSED']);
    expect(await code({ host: 'lab.example', origin: 'https://evil.example' })).toEqual([403, 'ORIGIN_REFUSED']);
    expect(await code({ host: 'lab.example', 'sec-fetch-site': 'cross-site' })).toEqual([403, 'ORIGIN_REFUSED']);
    const live = api('/live').replace('http:', 'ws:');
    expect(await upgrade(live, { ...ann, host: 'lab.example', origin: 'https://evil.example' })).toBe(403);
  });

  it('counts the requests of each of them, not of the proxy', async () => {
    const statuses = async (name: string): Promise<number[]> =>
      (await Promise.all(Array.from({ length: 90 }, () => ask(api('/traces'), { headers: asVisitor(name) })))).map(
        ({ status }) => status,
      );
    expect(await statuses('Zoë')).toContain(429);
    await setRole('Bob', 'viewer');
    expect((await ask(api('/traces'), { headers: asVisitor('Bob') })).status).toBe(200);
  });
});

describe('what persons may', () => {
  let server: TestServer;
  let proxy: TestProxy;
  const told: string[] = [];
  beforeAll(async () => {
    server = await TestServer.start({
      token: OPERATORS,
      trustedProxies: ['127.0.0.0/8'],
      userHeader: 'Remote-User',
      defaultRole: 'viewer',
    });
    proxy = await TestProxy.start(server.page, {
      from: '127.0.0.1',
      drops: (header) => header === 'remote-user',
      says: (visitor) => ({ 'remote-user': visitor }),
    });
  });
  afterAll(async () => {
    await proxy.close();
    await server.close();
  });
  const statusOf = async (name: string): Promise<number> =>
    (await ask(`${proxy.url}/api/v1/traces`, { headers: asVisitor(name) })).status;
  const operator = (method: string, path: string, body?: unknown): Promise<Answer> =>
    ask(server.url(path), { method, headers: asOperator, ...(body === undefined ? {} : { body }) });

  it('is what is said of everybody, until something is said of them', async () => {
    expect(await statusOf('eve')).toBe(200);
    const socket = new WebSocket(proxy.url.replace('http:', 'ws:') + '/api/v1/live', LIVE_SUBPROTOCOL, {
      headers: asVisitor('eve'),
    });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    expect((await operator('POST', '/users', { name: 'eve', role: 'none' })).status).toBe(200);
    expect(await statusOf('eve')).toBe(403);
    expect(await statusOf('adam')).toBe(200);
    const { users, proxied, default_role } = UserList.parse((await operator('GET', '/users')).json);
    expect([proxied, default_role]).toEqual([true, 'viewer']);
    expect(users).toMatchObject([{ name: 'eve', role: 'none', seen_at: new Date().toISOString().slice(0, 10) }]);
    expect((await closed)[0]).toBe(1008);
    expect((await operator('DELETE', '/users/eve')).status).toBe(200);
    expect(codeOf(await operator('DELETE', '/users/eve'))).toEqual([404, 'USER_UNKNOWN']);
    expect(await statusOf('eve')).toBe(200);
    const { deeds } = DeedList.parse((await operator('GET', '/deeds?limit=3')).json);
    expect(deeds.map(({ what }) => what)).toEqual([
      'DELETE /users/eve (eve)',
      'DELETE /users/eve (eve)',
      'POST /users (eve, none)',
    ]);
  });

  it('an operator among them gives, as one with a token does', async () => {
    await operator('POST', '/users', { name: 'olga', role: 'operator' });
    const set = { method: 'POST', headers: asVisitor('olga'), body: { name: 'tim', role: 'author' } };
    expect((await ask(`${proxy.url}/api/v1/users`, set)).status).toBe(200);
    expect(codeOf(await ask(`${proxy.url}/api/v1/users`, { ...set, headers: asVisitor('tim') }))).toEqual([
      403,
      'ROLE_REFUSED',
    ]);
  });

  it.each([
    [{ name: '', role: 'viewer' }, 400],
    [{ name: 'a,b', role: 'viewer' }, 400],
    [{ name: ' a', role: 'viewer' }, 400],
    [{ name: 'a\u200b', role: 'viewer' }, 400],
    [{ name: 'a', role: 'root' }, 400],
    [{ name: 'ann@example.org', role: 'viewer', more: 1 }, 400],
  ])('is asked for as %j: %i', async (body, status) => {
    expect((await operator('POST', '/users', body)).status).toBe(status);
  });

  it('an address that is not trusted and says so is told to the log, once', async () => {
    const stream = new Writable({
      write: (line: Buffer, _encoding, done) => {
        told.push(line.toString());
        done();
      },
    });
    const config = ServeConfig.parse({ port: 0, dataDir: folder(), trustedProxies: ['10.0.0.1'], logLevel: 'warn' });
    const running = await startServer(config, pino({ level: 'warn' }, stream));
    try {
      // It asks for a token although it listens on loopback alone.
      expect(new URL(running.entry).searchParams.get('token')).toMatch(/^[\w-]{43}$/);
      for (let i = 0; i < 3; i++) {
        const asked = { from: ELSEWHERE, headers: { [HEADER]: 'ann' } };
        expect((await ask(`${running.url}api/v1/caller`, asked)).status).toBe(401);
      }
      const lines = told.filter((line) => line.includes('no trusted proxy'));
      expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ peer: ELSEWHERE }]);
      expect(lines.join('')).not.toContain('ann');
    } finally {
      await running.close();
    }
  });
});

it.each([
  ['192.0.2.7', { address: '192.0.2.7', bits: 32, family: 'ipv4' }],
  ['10.1.0.0/16', { address: '10.1.0.0', bits: 16, family: 'ipv4' }],
  ['::ffff:192.0.2.7', { address: '192.0.2.7', bits: 32, family: 'ipv4' }],
  ['::1', { address: '::1', bits: 128, family: 'ipv6' }],
  ['2001:db8::/64', { address: '2001:db8::', bits: 64, family: 'ipv6' }],
  ['0.0.0.0/0', null],
  ['::/0', null],
  ['::ffff:0:0/96', null],
  ['::FFFF:c000:207', null],
  ['::ffff:10.0.0.0/104', null],
  ['10.0.0.0/33', null],
  ['10.0.0.0/', null],
  ['fe80::1%eth0', null],
  ['proxy.example', null],
  ['', null],
])('as a trusted proxy %j is %j', (text, network) => {
  expect(networkOf(text)).toEqual(network);
});

it.each([
  [['--trusted-proxy', 'proxy.example'], /--trusted-proxy: wants an address/],
  [['--trusted-proxy', '0.0.0.0/0'], /--trusted-proxy: wants an address/],
  [['--user-header', 'X-User'], /--user-header goes with --trusted-proxy/],
  [['--default-role', 'viewer'], /--default-role goes with --trusted-proxy/],
  [['--trusted-proxy', '::1', '--default-role', 'operator'], /operator is none of none, viewer, author/],
  [['--trusted-proxy', '::1', '--user-header', 'X User'], /--user-header: wants the name of a header/],
])('%j is refused', (words, why) => {
  expect(() => serveConfig(words, {})).toThrow(why);
});
