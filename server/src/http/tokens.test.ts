// Who has been given a token may do what its role may, until it is revoked or over; and what was done is noted.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Caller, DeedList, MadeToken, ROLES, TokenList, type Role } from '#protocol/access';
import { LIVE_SUBPROTOCOL } from '#protocol/live';
import { Access } from '../access.ts';
import { Store } from '../store/store.ts';
import { testFolder } from '../testing/folder.ts';
import { getWith, QUICK, TestServer } from '../testing/server.ts';
import { allRoutes } from './app.ts';
import { accessRoutes } from './access.ts';
import { neededBy } from './callers.ts';

const OPERATORS = 'the-token-of-the-operator';
const folder = testFolder();
let server: TestServer;
let dataDir: string;
const tokens: Partial<Record<Role, string>> = {};

function ask(token: string, path: string, method = 'GET', body?: unknown): Promise<Response> {
  return fetch(server.url(path), {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
const codeOf = async (answer: Promise<Response>): Promise<string> =>
  ((await (await answer).json()) as { code: string }).code;
const give = async (body: object): Promise<MadeToken> =>
  MadeToken.parse(await (await ask(OPERATORS, '/tokens', 'POST', body)).json());
const tokenOf = (role: Role): string => tokens[role] ?? '';
const deeds = async () => DeedList.parse(await (await ask(OPERATORS, '/deeds?limit=1000')).json()).deeds;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'paceline-tokens-'));
  server = await TestServer.start({ dataDir, token: OPERATORS });
  for (const role of ROLES) tokens[role] = (await give({ name: `An ${role}`, role })).token;
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** An address of each route, of something that is not there. */
const ID = {
  id: 'a'.repeat(20),
  measurement: 'a'.repeat(64),
  slug: 'none',
  flow: '0',
  log: '0',
  run: 'a'.repeat(20),
  name: 'none',
};
const addressOf = (path: string): string => path.replace(/:(\w+)/g, (_, name: keyof typeof ID) => ID[name]);

describe('whoever has a token', () => {
  it('is turned away from all that their role may not, and from nothing else', async () => {
    const routes = [...allRoutes(server.lab), ...accessRoutes(server.lab, { keys: null, persons: null })];
    const wrong: string[] = [];
    let turnedAway = 0;
    for (const { method, path, needs } of routes)
      for (const role of ROLES) {
        const needed = neededBy({ method, ...(needs === undefined ? {} : { needs }) });
        // It would wait for what never ends, or change what others of these ask for.
        if (role === 'operator' && method !== 'get') continue;
        const may = needed === 'anyone' || ROLES.indexOf(role) >= ROLES.indexOf(needed);
        if (may && method === 'get') continue;
        const answer = await ask(tokenOf(role), addressOf(path), method.toUpperCase());
        const refused = answer.status === 403 && (await codeOf(Promise.resolve(answer))) === 'ROLE_REFUSED';
        turnedAway += Number(refused);
        if (refused === may) wrong.push(`${role}: ${method} ${path}: ${answer.status}`);
      }
    expect(wrong).toEqual([]);
    expect(turnedAway).toBeGreaterThan(40);
    // All that looks may be looked at, but what is the operator's.
    const operators = routes
      .filter((route) => neededBy(route) === 'operator')
      .map(({ method, path }) => `${method} ${path}`);
    expect(operators.sort()).toEqual([
      'delete /tokens/:id',
      'delete /users/:name',
      'get /deeds',
      'get /tokens',
      'get /users',
      'patch /settings',
      'post /settings/webhook/test',
      'post /tokens',
      'post /users',
    ]);
  });

  it('looks, plans and sketches as a viewer, runs as an author, sets the server as an operator', async () => {
    expect((await ask(tokenOf('viewer'), '/traces')).status).toBe(200);
    expect((await ask(tokenOf('viewer'), '/plan', 'POST', QUICK)).status).toBe(200);
    expect(await codeOf(ask(tokenOf('viewer'), '/experiments', 'POST', QUICK))).toBe('ROLE_REFUSED');
    expect((await ask(tokenOf('author'), '/experiments', 'POST', QUICK)).status).toBe(201);
    expect(await codeOf(ask(tokenOf('author'), '/settings', 'PATCH', { webhook: { after_s: 9 } }))).toBe(
      'ROLE_REFUSED',
    );
    expect((await ask(tokenOf('operator'), '/settings', 'PATCH', { webhook: { after_s: 9 } })).status).toBe(200);
    const { detail } = (await (await ask(tokenOf('viewer'), '/experiments', 'POST', QUICK)).json()) as {
      detail: string;
    };
    expect(detail).toBe('this takes an author’s token; An viewer is a viewer');
  });

  it('is told who they are', async () => {
    const caller = async (token: string) => Caller.parse(await (await ask(token, '/caller')).json());
    expect(await caller(tokenOf('viewer'))).toEqual({ role: 'viewer', name: 'An viewer', asks: true, via: 'token' });
    expect(await caller(OPERATORS)).toEqual({ role: 'operator', name: null, asks: true, via: 'token' });
    const open = await TestServer.start();
    try {
      expect(await open.json('/caller', Caller)).toEqual({ role: 'operator', name: null, asks: false, via: null });
    } finally {
      await open.close();
    }
  });

  it('signs in with it, and is out at once when it is revoked: requests, browsers and what is watched', async () => {
    const { token, id } = await give({ name: 'Guest', role: 'viewer' });
    const entered = await fetch(`${server.page}?token=${token}`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const host = new URL(server.page).host;
    const asBrowser = (path: string) => getWith(server.url(path), { cookie, host });
    expect(JSON.parse((await asBrowser('/caller')).body)).toEqual({
      role: 'viewer',
      name: 'Guest',
      asks: true,
      via: 'token',
    });
    const socket = new WebSocket(server.live, LIVE_SUBPROTOCOL, { headers: { cookie } });
    await once(socket, 'open');
    const closed = once(socket, 'close');

    expect((await ask(OPERATORS, `/tokens/${id}`, 'DELETE')).status).toBe(200);
    expect((await ask(token, '/traces')).status).toBe(401);
    expect((await asBrowser('/traces')).status).toBe(401);
    expect(await codeOf(ask(OPERATORS, `/tokens/${id}`, 'DELETE'))).toBe('TOKEN_UNKNOWN');
    expect((await closed)[0]).toBe(1008);
  });

  it('signs out: the browser is forgotten, and others are not', async () => {
    const enter = async (): Promise<string> => {
      const at = `${server.page}?token=${tokenOf('viewer')}`;
      const entered = await fetch(at, { headers: { accept: 'text/html' }, redirect: 'manual' });
      return entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    };
    const host = new URL(server.page).host;
    const status = async (cookie: string) => (await getWith(server.url('/caller'), { cookie, host })).status;
    const [mine, other] = [await enter(), await enter()];
    const out = await fetch(`${server.page}sign-out`, {
      method: 'POST',
      headers: { cookie: mine },
      redirect: 'manual',
    });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/sign-in']);
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    expect([await status(mine), await status(other)]).toEqual([401, 200]);
    const stranger = await fetch(`${server.page}sign-out`, { method: 'POST', redirect: 'manual' });
    expect(stranger.status).toBe(303);
  });

  it('cannot sign others out by signing in again and again', async () => {
    const enter = async (token: string): Promise<string> => {
      const entered = await fetch(`${server.page}?token=${token}`, {
        headers: { accept: 'text/html' },
        redirect: 'manual',
      });
      return entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    };
    const status = async (cookie: string) =>
      (await getWith(server.url('/caller'), { cookie, host: new URL(server.page).host })).status;
    const operator = await enter(OPERATORS);
    const first = await enter(tokenOf('viewer'));
    for (let i = 0; i < 100; i++) await enter(tokenOf('viewer'));
    expect([await status(operator), await status(first)]).toEqual([200, 401]);
  });
});

describe('tokens', () => {
  it('are told once, and kept as hashes', async () => {
    const { token } = await give({ name: 'Once' });
    const listed = await (await ask(OPERATORS, '/tokens')).text();
    expect(TokenList.parse(JSON.parse(listed)).tokens.at(-1)).toMatchObject({
      name: 'Once',
      role: 'author',
      used_at: null,
    });
    expect(listed).not.toContain(token);
    for (const name of readdirSync(dataDir).filter((file) => file.includes('.db')))
      expect(readFileSync(join(dataDir, name)).includes(token)).toBe(false);
    await ask(token, '/traces');
    const { tokens: after } = TokenList.parse(await (await ask(OPERATORS, '/tokens')).json());
    expect(after.at(-1)?.used_at).toBe(new Date().toISOString().slice(0, 10));
  });

  it.each([
    [{ name: '' }, 400],
    [{ name: ' \u200b' }, 201],
    [{ name: 'x'.repeat(65) }, 400],
    [{ name: 'ONCE' }, 422],
    [{ name: 'Long', days: 3651 }, 400],
    [{ name: 'Root', role: 'root' }, 400],
    [{ name: 'More', token: 'mine' }, 400],
  ])('are asked for as %j: %i', async (body, status) => {
    expect((await ask(OPERATORS, '/tokens', 'POST', body)).status).toBe(status);
  });

  it('hold until their day, and their names are free again', () => {
    const store = new Store(join(folder(), 'paceline.db'));
    let now = Date.parse('2026-01-01T00:00:00Z');
    const access = new Access(store.access, () => now);
    const { token, id, expires_at } = access.add({ name: 'Ann', role: 'viewer', days: 2 });
    expect(expires_at).toBe('2026-01-03T00:00:00.000Z');
    now += 2 * 86_400_000 - 1;
    expect(access.holder(token)).toMatchObject({ name: 'Ann', used_at: '2026-01-02' });
    expect(access.holder(`${token}x`)).toBeNull();
    now += 1;
    expect([access.holder(token), access.holderOf(id), access.list()]).toEqual([null, null, []]);
    expect(access.add({ name: 'ann', role: 'viewer', days: 1 }).name).toBe('ann');
    store.close();
  });
});

describe('what is done', () => {
  it('is noted with who did it and how it was answered, refused or not; who only looks is not', async () => {
    const before = (await deeds()).length;
    await ask(tokenOf('author'), '/templates', 'POST', { title: 'Noted', spec: QUICK });
    await ask(tokenOf('viewer'), `/traces/${'a'.repeat(64)}?secret=1`, 'DELETE');
    await ask(tokenOf('viewer'), '/traces');
    await ask('paceline_nobodys', '/templates', 'POST', {});
    await give({ name: 'Bob', role: 'viewer' });
    const [gave, deleted, saved, ...rest] = await deeds();
    expect(rest.length).toBe(before);
    expect(gave).toMatchObject({ by: null, role: 'operator', what: 'POST /tokens (Bob, viewer)', status: 201 });
    expect(deleted).toMatchObject({
      by: 'An viewer',
      role: 'viewer',
      what: `DELETE /traces/${'a'.repeat(64)}`,
      status: 403,
    });
    expect(saved).toMatchObject({ by: 'An author', role: 'author', what: 'POST /templates', status: 201 });
    expect(rest.some(({ what, by }) => what === 'signed in' && by === 'Guest')).toBe(true);
  });

  it('is remembered as far as there is room for it, page by page', () => {
    const store = new Store(join(folder(), 'paceline.db'));
    const access = new Access(store.access, () => 0);
    store.transaction(() => {
      for (let i = 1; i <= 102_500; i++)
        access.note({ by: null, via: 'token', role: 'operator', what: String(i), status: 200 });
    });
    const [newest] = access.deeds(undefined, 1);
    expect(newest?.what).toBe('102500');
    expect(access.deeds(2001, 10)).toEqual([]);
    expect(access.deeds(2003, 10).map(({ what }) => what)).toEqual(['2002', '2001']);
    store.close();
  });
});
