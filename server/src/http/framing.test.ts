// Which pages may show what of the server in a frame: only single figures, and only where the operator said so.
import { request, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveConfig } from '../config.ts';
import { TestServer } from '../testing/server.ts';
import { framerOf, isFigure } from './framing.ts';

/** As browsers ask for what a page of another site lays out in a frame. */
const FRAMED = {
  accept: 'text/html',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'iframe',
};
const FIGURE = 'embed/e/abc/frontier?hide=cubic';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends the path as it is: `fetch` would resolve dots. */
function ask(server: TestServer, path: string, headers: Record<string, string> = FRAMED, method = 'GET') {
  const { hostname, port } = new URL(server.page);
  return new Promise<Answer>((resolve, reject) => {
    request({ hostname, port, path: `/${path}`, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

const ancestorsOf = ({ headers }: Answer): string =>
  /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1] ?? '';

describe('a server that allows no page to show its figures', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.close());

  it('refuses a frame of another site, and lets nobody but itself frame a figure', async () => {
    expect((await ask(server, FIGURE)).status).toBe(403);
    const own = await ask(server, FIGURE, { ...FRAMED, 'sec-fetch-site': 'same-origin' });
    expect([own.status, ancestorsOf(own), own.headers['x-frame-options']]).toEqual([200, "'self'", 'SAMEORIGIN']);
  });
});

describe('a server that allows pages of a wiki to show its figures', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start({ allowEmbed: ['https://wiki.example', 'http://localhost:3000/'] });
  });
  afterAll(() => server.close());

  it('names them to the browser, which knows whose page it is', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const answer = await ask(server, FIGURE, { ...FRAMED, 'sec-fetch-site': site });
      expect([answer.status, ancestorsOf(answer), answer.headers['x-frame-options']]).toEqual([
        200,
        "'self' https://wiki.example http://localhost:3000",
        undefined,
      ]);
    }
  });

  it.each([
    'e/abc',
    'r/abc',
    '',
    'index.html',
    'doctor',
    'embed',
    'embed/',
    'embed/e/abc',
    'embed/x/abc/frontier',
    'embed/e/abc/frontier/more',
    'embed/e/abc/..%2f..%2fnew',
    'embed/e/../../e/abc',
    'embed/e/abc/frontier/../../../../new',
    'embed/e/abc%2Ffrontier',
    'embed%2Fe/abc/frontier',
    '/embed/e/abc/frontier',
    'EMBED/e/abc/frontier',
    'e/abc?x=/embed/e/abc/frontier',
    'embed/e/a;b/frontier',
    'embed\\e\\abc\\frontier',
    'api/v1/traces',
    'api/v1/health',
    'sign-in',
    'metrics',
  ])('shows nothing else in a frame: %s', async (path) => {
    const framed = await ask(server, path);
    expect(framed.status).toBe(403);
    const opened = await ask(server, path, { accept: 'text/html' });
    expect(ancestorsOf(opened)).toBe("'self'");
    expect(opened.headers['x-frame-options']).toBe('SAMEORIGIN');
  });

  it('gives other sites a figure as a frame only: no script, no request, no object', async () => {
    const others: Record<string, string>[] = [
      { ...FRAMED, 'sec-fetch-dest': 'object' },
      { ...FRAMED, 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors' },
      { ...FRAMED, 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
      { ...FRAMED, origin: 'https://wiki.example' },
      { ...FRAMED, host: 'evil.example' },
    ];
    for (const headers of others) expect((await ask(server, FIGURE, headers)).status).toBe(403);
    expect((await ask(server, FIGURE, FRAMED, 'POST')).status).toBe(403);
  });
});

describe('a server that asks for a token', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start({ token: 'a-token-of-the-operator', allowEmbed: ['https://wiki.example'] });
  });
  afterAll(() => server.close());

  it('shows strangers in a frame no figure and no place to type the token', async () => {
    const answer = await ask(server, FIGURE);
    expect([answer.status, ancestorsOf(answer)]).toEqual([401, "'self' https://wiki.example"]);
    expect(answer.headers['content-type']).toContain('text/plain');
    expect(answer.body).toContain('/sign-in');
    expect((await ask(server, 'sign-in')).status).toBe(403);
  });

  it('shows it to those who are signed in', async () => {
    const entered = await ask(server, '?token=a-token-of-the-operator', { accept: 'text/html' });
    const [set = ''] = entered.headers['set-cookie'] ?? [];
    expect(set).toContain('SameSite=Strict');
    const cookie = set.split(';')[0] ?? '';
    expect((await ask(server, FIGURE, { ...FRAMED, 'sec-fetch-site': 'same-site', cookie })).status).toBe(200);
  });
});

describe('the words of --allow-embed', () => {
  const options = (...words: string[]): ReturnType<typeof serveConfig> => serveConfig(words, {});

  it('are origins', () => {
    expect(framerOf('https://Wiki.example:443/')).toBe('https://wiki.example');
    for (const text of [
      'wiki.example',
      'https://wiki.example/page',
      'https://*.example/x',
      "https://a' https://evil.example",
      'https://a;script-src *',
      'javascript:alert(1)',
      'https://user@wiki.example',
      'null',
      "'self'",
      '',
    ])
      expect([text, framerOf(text)]).toEqual([text, null]);
    expect(options('--allow-embed', 'http://localhost:3000', '--allow-embed', 'https://a.b')?.allowEmbed).toEqual([
      'http://localhost:3000',
      'https://a.b',
    ]);
    expect(() => options('--allow-embed', 'wiki.example')).toThrow(/^--allow-embed: wants an origin/);
  });

  it('are any page only where nobody else reaches the server', () => {
    expect(options('--allow-embed', '*')?.allowEmbed).toEqual(['*']);
    for (const words of [
      ['--host', '0.0.0.0'],
      ['--host', '192.0.2.1'],
      ['--allow-host', 'https://lab.example'],
    ])
      expect(() => options('--allow-embed', '*', ...words)).toThrow(/name the pages/);
  });
});

describe('an address of a figure', () => {
  it('is known by its whole', () => {
    expect(['/embed/e/a_B-1/frontier', '/embed/t/0f/capacity/?theme=dark'].map(isFigure)).toEqual([true, true]);
    expect(isFigure(undefined)).toBe(false);
  });
});
