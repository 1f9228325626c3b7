// A server that speaks TLS itself, with a certificate that this test makes, and another one later.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LIVE_SUBPROTOCOL } from '#protocol/live';
import { TestServer } from '../testing/server.ts';
import { newServer } from './door.ts';

const OPERATORS = 'the-token-of-the-operator';
let folder: string;
let server: TestServer;
let files: { readonly cert: string; readonly key: string };

/** For this name and 127.0.0.1. */
function makeCertificate(name: string): typeof files {
  const made = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const alternatives = `subjectAltName=DNS:${name},DNS:localhost,IP:127.0.0.1`;
  const out = ['-keyout', made.key, '-out', made.cert, '-subj', `/CN=${name}`, '-addext', alternatives];
  execFileSync('openssl', [...words, ...out], { stdio: 'ignore' });
  return made;
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { ca: readFileSync(files.cert), headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-tls-'));
  files = makeCertificate('lab.example');
  server = await TestServer.start({ token: OPERATORS, tls: files, allowHosts: ['lab.example'] });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

it('answers with its certificate, signs browsers in with cookies that go nowhere else, and shows what is live', async () => {
  expect(server.page).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/$/);
  expect((await ask(server.url('/health'))).status).toBe(200);
  expect((await ask(server.url('/traces'))).status).toBe(401);
  const entered = await ask(`${server.page}?token=${OPERATORS}`, { accept: 'text/html' });
  const [cookie = ''] = entered.headers['set-cookie'] as string[];
  expect(cookie).toContain('; Secure');
  const known = { cookie: cookie.split(';')[0] ?? '' };
  expect((await ask(server.url('/traces'), known)).status).toBe(200);
  const live = server.url('/live').replace('https:', 'wss:');
  const socket = new WebSocket(live, LIVE_SUBPROTOCOL, { ca: readFileSync(files.cert), headers: known });
  await once(socket, 'open');
  socket.terminate();
});

it('takes pages of its own by https alone', async () => {
  const host = `lab.example:${new URL(server.page).port}`;
  const bearer = { host, authorization: `Bearer ${OPERATORS}` };
  const from = async (origin: string) => (await ask(server.url('/traces'), { ...bearer, origin })).status;
  expect([await from(`https://${host}`), await from(`http://${host}`)]).toEqual([200, 403]);
});

it('says nothing to who speaks plain HTTP, and little to who speaks old TLS', async () => {
  const port = Number(new URL(server.page).port);
  const plain = connectPlain(port, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
  let said = '';
  plain.on('data', (data) => (said += data.toString('latin1'))).on('error', () => undefined);
  await once(plain, 'close');
  expect(said).not.toContain('HTTP/1.1 200');
  const old = connect({
    port,
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
    rejectUnauthorized: false,
    ciphers: 'ALL@SECLEVEL=0',
  });
  const [error] = (await once(old, 'error')) as [Error];
  expect(error.message).toMatch(/version/i);
});

it('goes on with its certificate when another is half there, and takes it once it is whole', async () => {
  const own = makeCertificate('one.example');
  const listening = newServer(own, pino({ level: 'silent' }), 20);
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  const { port } = listening.address() as { port: number };
  const name = async (): Promise<unknown> => {
    const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const certificate: PeerCertificate = socket.getPeerCertificate();
    socket.destroy();
    return certificate.subject.CN;
  };
  expect(await name()).toBe('one.example');
  writeFileSync(own.cert, 'half');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await name()).toBe('one.example');
  makeCertificate('two.example');
  await expect.poll(name, { timeout: 20_000 }).toBe('two.example');
  await new Promise((resolve) => listening.close(resolve));
});

it('is not begun with what is no certificate, or another one’s key', () => {
  const log = pino({ level: 'silent' });
  const broken = join(folder, 'broken.pem');
  writeFileSync(broken, 'nothing');
  expect(() => newServer({ cert: '/nowhere/cert.pem', key: files.key }, log)).toThrow(
    /^--tls-cert: .*\/nowhere\/cert\.pem/,
  );
  expect(() => newServer({ cert: files.cert, key: '/nowhere/key.pem' }, log)).toThrow(/^--tls-key: /);
  expect(() => newServer({ cert: broken, key: files.key }, log)).toThrow(/^--tls-cert, --tls-key: .*broken\.pem/);
  execFileSync('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', broken]);
  expect(() => newServer({ cert: files.cert, key: broken }, log)).toThrow(/no certificate and its key/);
});
