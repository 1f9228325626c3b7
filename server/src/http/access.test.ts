// Who may use the server: names, pages, tokens. Listening beyond loopback is real here; every request comes from loopback.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { hostname, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LIVE_SUBPROTOCOL } from '#protocol/live';
import { serveConfig } from '../config.ts';
import { testFolder } from '../testing/folder.ts';
import { TestProcess } from '../testing/process.ts';
import { TestServer } from '../testing/server.ts';
import { Hosts } from './hosts.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Asking {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** `fetch` would neither send these headers nor show a redirection. */
function ask(url: string, { method = 'GET', headers = {}, body = '' }: Asking = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    })
      .on('error', reject)
      .end(body);
  });
}

async function upgrade(url: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(url, LIVE_SUBPROTOCOL, { headers });
  socket.on('error', () => undefined);
  const refused = once(socket, 'unexpected-response').then(
    ([, response]) => (response as { statusCode: number }).statusCode,
  );
  const status = await Promise.race([refused, once(socket, 'open').then(() => 101)]);
  socket.terminate();
  return status;
}

const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const codeOf = ({ body }: Answer): string => (JSON.parse(body) as { code: string }).code;
const cookieOf = ({ headers }: Answer): string => headers['set-cookie']?.[0]?.split(';')[0] ?? '';

describe('a server on loopback', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start({ allowHosts: ['lab.example', 'https://proxy.example'] });
  });
  afterAll(() => server.close());

  const health = (headers: Record<string, string>): Promise<Answer> => ask(server.url('/health'), { headers });
  const port = (): string => new URL(server.page).port;

  it('asks for no token, and prints an address without one', async () => {
    expect(server.entry).toBe(server.page);
    expect((await health({})).status).toBe(200);
  });

  it.each([
    ['localhost', 200],
    ['pace.localhost', 200],
    ['[::1]', 200],
    ['lab.example', 200],
    ['LAB.example', 200],
    ['proxy.example', 200],
    ['evil.example', 403],
    ['lab.example.evil.example', 403],
    ['10.1.2.3', 403],
    ['evil.example#localhost', 403],
    ['evil.example\\@localhost', 403],
  ])('of its names: %s -> %d', async (name, status) => {
    expect((await health({ host: `${name}:${port()}` })).status).toBe(status);
  });

  it.each([
    ['its own page', 'localhost', 'http://localhost', 200],
    ['the same page over TLS', 'localhost', 'https://localhost', 403],
    ['the page behind a proxy', 'proxy.example', 'https://proxy.example', 200],
    ['that page without TLS', 'proxy.example', 'http://proxy.example', 403],
    ['another page', 'lab.example', 'http://evil.example', 403],
    ['an extension', 'localhost', 'chrome-extension://localhost', 403],
  ])('hears of pages: %s', async (_, name, origin, status) => {
    const at = `:${port()}`;
    expect((await health({ host: name + at, origin: origin + at })).status).toBe(status);
    expect(await upgrade(server.live, { host: name + at, origin: origin + at })).toBe(status === 200 ? 101 : 403);
  });

  it('refuses what another site’s page asks for, and lets a link there be followed', async () => {
    for (const site of ['cross-site', 'same-site'])
      for (const dest of ['empty', 'image', 'iframe']) {
        const answer = await health({ 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': dest });
        expect([answer.status, codeOf(answer)]).toEqual([403, 'ORIGIN_REFUSED']);
      }
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await ask(`${server.page}r/abc`, { headers: { ...PAGE, ...link } })).status).not.toBe(403);
    expect((await ask(server.url('/plan'), { method: 'POST', headers: link })).status).toBe(403);
    expect((await health({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).status).toBe(200);
  });

  it('isolates every answer from other origins', async () => {
    for (const path of ['', 'index.html', 'e/abc', 'assets/nothing.js', 'api/v1/health', 'api/v1/nowhere', 'metrics']) {
      const { headers } = await ask(server.page + path, { headers: PAGE });
      expect(headers).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
      });
      expect(headers['content-security-policy']).toContain("frame-ancestors 'self'");
    }
  });
});

describe('a server that listens beyond loopback', () => {
  let server: TestServer;
  const dataDir = mkdtempSync(join(tmpdir(), 'paceline-access-'));
  const start = (more: Parameters<typeof TestServer.start>[0] = {}): Promise<TestServer> =>
    TestServer.start({ dataDir, host: '0.0.0.0', ...more });
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const token = (): string => new URL(server.entry).searchParams.get('token') ?? '';
  const enter = async (): Promise<string> => cookieOf(await ask(server.entry, { headers: PAGE }));

  it('serves no foreign name, and nobody without the token', async () => {
    const foreign = { host: 'evil.example', origin: 'http://evil.example', authorization: `Bearer ${token()}` };
    expect((await ask(server.url('/traces'), { headers: foreign })).status).toBe(403);
    expect((await ask(server.url('/plan'), { method: 'POST', headers: foreign })).status).toBe(403);
    expect(await upgrade(server.live, foreign)).toBe(403);

    const answers = await Promise.all([
      ask(server.url('/traces')),
      ask(server.url('/plan'), { method: 'POST' }),
      ask(server.url('/openapi.json')),
      ask(server.url('/traces'), { headers: { authorization: 'Bearer wrong' } }),
      ask(server.url('/traces'), { headers: { authorization: `Basic ${token()}` } }),
      ask(server.url(`/traces?token=${token()}`)),
      ask(new URL('/metrics', server.page).href),
      ask(new URL('/assets/x.js', server.page).href),
    ]);
    for (const answer of answers) {
      expect([answer.status, codeOf(answer)]).toEqual([401, 'TOKEN_REQUIRED']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expect(await upgrade(server.live, {})).toBe(401);
    expect(await upgrade(server.live, { cookie: 'paceline_=x' })).toBe(401);
  });

  it('lets programs in with the token, and those that only look whether it lives without', async () => {
    const headers = { authorization: `Bearer ${token()}` };
    expect((await ask(server.url('/traces'), { headers })).status).toBe(200);
    expect(await upgrade(server.live, headers)).toBe(101);
    expect((await ask(server.url('/health'))).status).toBe(200);
  });

  it('lets a browser in by the printed address, once, and keeps the token out of sight', async () => {
    expect(token().length).toBeGreaterThanOrEqual(43);
    const first = await ask(`${server.entry}&flow=2`, { headers: PAGE });
    expect([first.status, first.headers.location]).toEqual([303, '/?flow=2']);
    expect(first.headers['cache-control']).toBe('no-store');
    const [set = ''] = first.headers['set-cookie'] ?? [];
    expect(set).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(set).not.toContain(token());
    const cookie = cookieOf(first);
    expect((await ask(server.url('/traces'), { headers: { cookie } })).status).toBe(200);
    expect(await upgrade(server.live, { cookie })).toBe(101);
    const altered = cookie.slice(0, -1) + (cookie.endsWith('A') ? 'B' : 'A');
    expect((await ask(server.url('/traces'), { headers: { cookie: altered } })).status).toBe(401);
  });

  it('leads a page without the token to where it is asked for, and back', async () => {
    const turned = await ask(`${server.page}r/abc?view=queue`, { headers: PAGE });
    expect([turned.status, turned.headers.location]).toEqual([303, '/sign-in?next=%2Fr%2Fabc%3Fview%3Dqueue']);
    const asked = await ask(new URL(turned.headers.location ?? '', server.page).href, { headers: PAGE });
    expect(asked.status).toBe(200);
    expect(asked.body).toContain('value="/r/abc?view=queue"');

    const send = (words: Record<string, string>): Promise<Answer> =>
      ask(`${server.page}sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.page.slice(0, -1) },
        body: new URLSearchParams(words).toString(),
      });
    const wrong = await send({ token: 'guess', next: '/r/abc' });
    expect([wrong.headers.location, wrong.headers['set-cookie']]).toEqual([
      '/sign-in?next=%2Fr%2Fabc&wrong',
      undefined,
    ]);
    for (const typed of [token(), ` ${token()} `, server.entry]) {
      const right = await send({ token: typed, next: '/r/abc' });
      expect([right.status, right.headers.location]).toEqual([303, '/r/abc']);
      expect((await ask(server.url('/traces'), { headers: { cookie: cookieOf(right) } })).status).toBe(200);
    }
  });

  it('sends nobody elsewhere, and writes nothing of an address into its page', async () => {
    const nowhere = [
      '//evil.example',
      '/\\evil.example',
      'http://evil.example/',
      '/.//evil.example',
      'javascript:alert(1)',
    ];
    const cookie = await enter();
    for (const next of nowhere) {
      const at = `${server.page}sign-in?next=${encodeURIComponent(next)}`;
      expect((await ask(at, { headers: { ...PAGE, cookie } })).headers.location).toBe('/');
    }
    const { body } = await ask(`${server.page}sign-in?next=${encodeURIComponent('/?"><script>1</script>')}`, {
      headers: PAGE,
    });
    expect(body).not.toContain('<script>1');
  });

  it('remembers its browsers over a restart, keeps none of their secrets, and forgets them with another token', async () => {
    const cookie = await enter();
    const old = token();
    const known = (): Promise<Answer> => ask(server.url('/traces'), { headers: { cookie } });
    // The cookie's name holds the port.
    const port = Number(new URL(server.page).port);
    await server.close();
    server = await start({ port });
    expect(token()).not.toBe(old);
    expect((await known()).status).toBe(200);
    expect((await ask(server.url('/traces'), { headers: { authorization: `Bearer ${old}` } })).status).toBe(401);
    const secrets = [cookie.split('=')[1] ?? '', token(), old];
    for (const name of readdirSync(dataDir).filter((file) => file.includes('.db')))
      for (const secret of secrets) expect(readFileSync(join(dataDir, name)).includes(secret)).toBe(false);
    await server.close();
    server = await start({ port, token: 'a token of the operator'.replaceAll(' ', '-') });
    expect(server.entry).toBe(server.page);
    expect((await known()).status).toBe(401);
    await server.close();
    server = await start({ port });
  });
});

describe('the names of a server that listens', () => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const hosts = own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]:8080` : `${address}:8080`));

  it('everywhere are all addresses of the machine, and no names', () => {
    for (const everywhere of ['0.0.0.0', '::']) {
      const names = new Hosts(everywhere, []);
      expect(hosts.filter((host) => names.schemesOf(host).length === 0)).toEqual([]);
      for (const host of ['192.0.2.1:8080', `${hostname()}.evil.example:8080`])
        expect(names.schemesOf(host)).toEqual([]);
    }
  });

  it('at one address are this one and loopback', () => {
    const names = new Hosts('192.0.2.1', []);
    expect(names.schemesOf('192.0.2.1:8080')).toEqual(['http']);
    expect(names.schemesOf('localhost:8080')).toEqual(['http']);
    expect(names.schemesOf('192.0.2.2:8080')).toEqual([]);
    expect(new Hosts('2001:db8:0::1', []).schemesOf('[2001:DB8::1]:8080')).toEqual(['http']);
  });
});

describe('the container', () => {
  const folder = testFolder();

  it('prints an address that opens at the port it publishes', async () => {
    const dockerfile = readFileSync(new URL('../../../docker/Dockerfile', import.meta.url), 'utf8');
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '') as string[];
    expect(command.slice(0, 3)).toEqual(['node', 'bin/paceline.mjs', 'serve']);
    const words = [...command.slice(3), '--port', '0'];
    const env = { ...process.env, PACELINE_DATA_DIR: folder() };
    const container = new TestProcess('server/src/main.ts', words, undefined, env);
    try {
      const [, printed = ''] = await container.says(/^Paceline is ready: (http:\S+)/m);
      expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=\S{43}$/);
      // Docker hands on what reaches the host's port, with the name that the browser knows.
      for (const host of ['127.0.0.1:8080', 'localhost:9000']) {
        const first = await ask(printed, { headers: { ...PAGE, host } });
        expect([first.status, first.headers.location]).toEqual([303, '/']);
        const cookie = cookieOf(first);
        const traces = new URL('/api/v1/traces', printed).href;
        expect((await ask(traces, { headers: { host, cookie } })).status).toBe(200);
        expect((await ask(traces, { headers: { host } })).status).toBe(401);
      }
      // As its health check asks.
      expect((await ask(new URL('/api/v1/health', printed).href)).status).toBe(200);
    } finally {
      await container.kill('SIGKILL');
    }
  });
});

describe('the options', () => {
  const options = (...words: string[]): ReturnType<typeof serveConfig> => serveConfig(words, {});

  it('take names of hosts, and a token from a file or the environment', () => {
    expect(options('--allow-host', 'Lab.example', '--allow-host', 'https://proxy.example')?.allowHosts).toEqual([
      { scheme: 'http', name: 'lab.example' },
      { scheme: 'https', name: 'proxy.example' },
    ]);
    expect(() => options('--allow-host', 'http://a/b')).toThrow(/^--allow-host: wants a host name/);
    expect(options('--tls-cert', '/c', '--tls-key', '/k')?.tls).toEqual({ cert: '/c', key: '/k' });
    expect(() => options('--tls-cert', '/c')).toThrow('--tls-cert and --tls-key go together');
    expect(() => options('--token-file', '/nowhere/token')).toThrow(/^--token-file: .*\/nowhere\/token/);
    expect(serveConfig([], { PACELINE_TOKEN: 'x'.repeat(20) })?.token).toBe('x'.repeat(20));
    expect(serveConfig([], { PACELINE_TOKEN: '' })?.token).toBeUndefined();
    expect(() => serveConfig([], { PACELINE_TOKEN: 'short' })).toThrow(/PACELINE_TOKEN: wants a token of 16/);
  });
});
