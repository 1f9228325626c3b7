import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { getWith } from '../testing/server.ts';
import { StartedServer, step } from '../testing/start.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const HALF = [step('npm packages', 'done'), step('C++ programs', 'working', { done: 41, of: 103 })];
const ALL = [step('npm packages', 'done'), step('C++ programs', 'done')];
const QUIC = step('QUIC helper', 'waiting', { later: true });

let started: StartedServer | undefined;
afterEach(() => started?.dispose());

function start(words?: readonly string[]): StartedServer {
  started = new StartedServer(words);
  return started;
}

interface Building {
  readonly code: string;
  readonly building: { readonly version: number; readonly steps: unknown; readonly trouble: string | null };
}
const building = async (url: string, query = ''): Promise<Building> =>
  (await (await fetch(`${url}/api/v1/health${query}`)).json()) as Building;

describe('a server that is being built', () => {
  it('says so to browsers and to programs, and only to its own names', async () => {
    const server = start();
    server.tell(...HALF, QUIC);
    const url = await server.url();

    const page = await fetch(`${url}/e/whatever`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(503);
    expect(page.headers.get('retry-after')).toBe('5');
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'sha256-/);
    expect(await page.text()).toContain('The laboratory is being built');

    const ready = await fetch(`${url}/api/v1/ready`);
    expect(ready.status).toBe(503);
    expect(ready.headers.get('content-type')).toContain('application/problem+json');
    expect(await ready.json()).toMatchObject({
      code: 'BEING_BUILT',
      building: { steps: [...HALF, QUIC], trouble: null },
    });
    expect((await fetch(`${url}/api/v1/experiments`, { method: 'POST', body: '{}' })).status).toBe(503);

    expect(await getWith(`${url}/`, { host: 'attacker.example', accept: 'text/html' })).toMatchObject({ status: 403 });
    expect(await getWith(`${url}/api/v1/health`, { origin: 'http://attacker.example' })).toMatchObject({ status: 403 });
  });

  it('tells whoever has seen everything of the next change', async () => {
    const server = start();
    const url = await server.url();
    server.tell(...HALF);
    const seen = (await building(url)).building.version;
    const next = building(url, `?seen=${seen}`);
    server.tell(...ALL.slice(0, 1), step('C++ programs', 'working', { done: 42, of: 103 }));
    expect((await next).building.steps).toContainEqual(step('C++ programs', 'working', { done: 42, of: 103 }));
  });

  it('becomes the laboratory without a moment in which nothing answers', async () => {
    const server = start();
    server.tell(...HALF, QUIC);
    const url = await server.url();
    server.tell(...ALL, QUIC);
    const seen = new Set<number>();
    while (!seen.has(200)) seen.add((await fetch(`${url}/api/v1/health`, { headers: { connection: 'close' } })).status);
    expect([...seen]).toEqual([503, 200]);
    expect((await fetch(`${url}/api/v1/traces`)).status).toBe(200);
    expect((await fetch(`${url}/traces`, { headers: { accept: 'text/html' } })).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended()).toBe(0);
  });

  it('says what went wrong, without places of this machine, and ends', async () => {
    const server = start();
    server.tell(...HALF);
    const url = await server.url();
    const { version } = (await building(url)).building;
    const last = building(url, `?seen=${version}`);
    const why = `\`cmake --build ${ROOT}build/native\` failed (exit code 1)\n${ROOT}emulator-bridge/native/a.cc:1: error`;
    server.tell(step('npm packages', 'done'), step('C++ programs', 'failed', { why }));
    const { trouble } = (await last).building;
    expect(trouble).toBe('`cmake --build build/native` failed (exit code 1)\nemulator-bridge/native/a.cc:1: error');
    expect(await server.ended()).toBe(1);
  });

  it('keeps what a command printed from other machines', async () => {
    const server = start(['--port', '0', '--host', '0.0.0.0']);
    server.tell(...HALF);
    const url = await server.url();
    server.tell(step('C++ programs', 'failed', { why: 'secret' }), step('Web page', 'working'));
    expect(JSON.stringify(await building(url))).not.toContain('secret');
    expect((await building(url)).building.trouble).toContain('terminal');
  });

  it('begins without what may come later, whatever becomes of that', async () => {
    const server = start();
    server.tell(...ALL, { ...QUIC, state: 'failed', why: 'no crates' });
    const url = await server.url();
    await expect.poll(async () => (await fetch(`${url}/api/v1/health`)).status, { timeout: 20_000 }).toBe(200);
  });

  it('ends when whoever builds it has gone', async () => {
    const server = start();
    server.tell(...HALF);
    await server.url();
    server.child.disconnect();
    expect(await server.ended()).toBe(1);
  });

  it('refuses words that mean nothing, and a port that is taken, before anything is built', async () => {
    expect(await start(['--prot', '0']).ended()).toBe(2);
    await started?.dispose();
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const second = start(['--port', String((other.address() as AddressInfo).port)]);
    expect(await second.ended()).toBe(1);
    await expect.poll(() => second.output).toContain('EADDRINUSE');
    other.close();
  });
});
