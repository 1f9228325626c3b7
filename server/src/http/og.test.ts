import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem, type ExperimentRecord } from '#protocol/api';
import { testFolder } from '../testing/folder.ts';
import { getWith, QUICK, TestServer } from '../testing/server.ts';
import { Hosts } from './hosts.ts';
import { describing } from './og.ts';
import { contentSecurityPolicy, pageRoutes } from './static.ts';

const NAME = `</title><script>alert(1)</script>"$&' é`;
const BUILT = `<!doctype html><meta
  name="description" content="A laboratory" /><title>Paceline</title><script>let theme;</script><div id="root"></div>`;

const folder = testFolder();
let server: TestServer;
let experiment: ExperimentRecord;
let run = '';
beforeAll(async () => {
  server = await TestServer.start();
  experiment = await server.submit({ ...QUICK, name: NAME, duration_s: 2, ccas: [{ id: 'cubic' }, { id: 'bbr' }] });
  await server.over(experiment);
  run = experiment.runs[0]?.id ?? '';
  await server.post('/shares', { address: `/r/${run}`, title: 'Frozen', note: 'First line\n\nsecond' });
});
afterAll(() => server.close());

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const picture = (path: string): Promise<Response> => fetch(new URL(path, server.page));

describe('the picture of a page', () => {
  it.each(['e', 'r', 's', 'traces', 'studies'])('of /%s/… is drawn from what is stored', async (kind) => {
    const [trace] = server.lab.traces.list();
    const ids: Record<string, string | undefined> = {
      e: experiment.id,
      r: run,
      s: 'frozen',
      traces: trace?.id,
      studies: 'zeus',
    };
    const answer = await picture(`/og/${kind}/${ids[kind] ?? ''}.png`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    const png = Buffer.from(await answer.arrayBuffer());
    expect(png.subarray(0, 4).equals(PNG)).toBe(true);
    // Width and height stand in the first chunk.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(png.length).toBeGreaterThan(8000);
  });

  it.each(['/og/e/nothing.png', `/og/e/${'a'.repeat(20)}.png`, '/og/x/y.png', '/og/', '/og/s/..%2f..%2fx.png'])(
    'at %s there is none',
    async (path) => {
      const problem = Problem.parse(await (await picture(path)).json());
      expect(problem).toMatchObject({ status: 404, code: 'ROUTE_UNKNOWN' });
    },
  );

  it('is not to be had in any number', async () => {
    // A machine that is late answers so slowly that some batches are allowed.
    const statuses = new Set<number>();
    for (let batch = 0; batch < 6 && !statuses.has(429); batch++)
      await Promise.all(Array.from({ length: 330 }, () => picture('/og/').then(({ status }) => statuses.add(status))));
    expect([...statuses]).toContain(429);
  });
});

describe('the head of a page', () => {
  const headOf = async (path: string, host = 'lab.example'): Promise<string> => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(`${folder()}/index.html`, BUILT);
    const hosts = new Hosts('127.0.0.1', [{ scheme: 'https', name: 'lab.example' }]);
    const app = express().use(pageRoutes({ dist: folder(), describe: describing(server.lab, hosts) }));
    const listening = app.listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => listening.once('listening', resolve));
      const { port } = listening.address() as AddressInfo;
      const headers = { host, accept: 'text/html' };
      return (await getWith(`http://127.0.0.1:${port}${path}`, headers)).body;
    } finally {
      listening.closeAllConnections();
      listening.close();
    }
  };

  it('says what it is about, and nothing in a name becomes a part of the page', async () => {
    const html = await headOf(`/e/${experiment.id}?x=1`);
    const safe = '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;$&amp;&#39; é';
    expect(html).toContain(`<title>${safe} · Paceline</title>`);
    expect(html).toContain(`<meta property="og:title" content="${safe}" />`);
    expect(html).toContain(`content="https://lab.example/og/e/${experiment.id}.png"`);
    expect(html).toMatch(/name="description" content="[^"]*BBR over [^"]*2 runs"/);
    // The same scripts may run as before.
    expect(contentSecurityPolicy(html)).toBe(contentSecurityPolicy(BUILT));
  });

  it('of a share is its title and the beginning of its note', async () => {
    const html = await headOf('/s/frozen', '127.0.0.1:8080');
    expect(html).toContain('<title>Frozen · Paceline</title>');
    expect(html).toContain('<meta property="og:description" content="First line" />');
    expect(html).toContain('<meta property="og:image" content="http://127.0.0.1:8080/og/s/frozen.png" />');
  });

  it.each(['/', '/s/nothing', `/e/${'a'.repeat(20)}`, '/e/x', '/traces/compare', '/nowhere'])(
    'of %s stays as it was built',
    async (path) => {
      expect(await headOf(path)).toBe(BUILT);
    },
  );
});
