// What one request, connection or viewer may do to the server, and what its surroundings may: never end it, never harm another's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { ExperimentRecord, Health } from '#protocol/api';
import { testFolder } from './testing/folder.ts';
import { eventually, TestProcess } from './testing/process.ts';
import { QUICK } from './testing/server.ts';
import { Viewer } from './testing/viewer.ts';

const folder = testFolder();
const open: TestProcess[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.kill('SIGKILL')));
});

async function start(): Promise<{ readonly server: TestProcess; readonly url: string }> {
  const server = new TestProcess('server/src/main.ts', ['--port', '0', '--data-dir', folder()]);
  open.push(server);
  const [, url = ''] = await server.says(/^Paceline is ready: (http:\S+)/m);
  return { server, url };
}

async function isAlive(url: string): Promise<boolean> {
  const response = await fetch(new URL('api/v1/health', url), { headers: { connection: 'close' } });
  return Health.safeParse(await response.json()).success;
}

const descriptors = (server: TestProcess): number => readdirSync(`/proc/${server.pid}/fd`).length;

async function line(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe('the server goes on', () => {
  it('after upgrades that it turns away, however they end, and keeps none of their sockets', async () => {
    const { server, url } = await start();
    expect(await isAlive(url)).toBe(true);
    const before = descriptors(server);
    for (let i = 0; i < 40; i++) {
      const socket = await line(url);
      socket.write('GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      if (i % 2 === 0) await once(socket, 'data');
      if (i % 4 < 2) socket.resetAndDestroy();
      // Neither closed nor read any further.
      else socket.pause();
    }
    await eventually(() => descriptors(server) <= before + 2);
    expect(await isAlive(url)).toBe(true);
  });

  it('when what a viewer asks for cannot be read, and tells it', async () => {
    const { url } = await start();
    const response = await fetch(new URL('api/v1/experiments', url), {
      method: 'POST',
      body: JSON.stringify(QUICK),
      headers: { 'content-type': 'application/json' },
    });
    const { id, runs } = ExperimentRecord.parse(await response.json());
    const live = new URL('api/v1/live', url.replace('http', 'ws')).href;
    const viewer = await Viewer.open(live);
    viewer.ask({ type: 'watch', experiment: id });
    viewer.subscribe(runs[0]!.id);
    await viewer.complete();
    // Somebody else's hand in the database.
    const db = new Database(join(folder(), 'paceline.db'));
    db.exec('ALTER TABLE sample_blobs RENAME TO elsewhere');
    viewer.subscribe(runs[0]!.id, { subscription: 2 });
    await viewer.until(() => viewer.of('error').length === 1);
    expect(viewer.of('error')[0]).toMatchObject({ subscription: 2, code: 'INTERNAL' });
    db.exec('ALTER TABLE elsewhere RENAME TO sample_blobs');
    db.close();
    viewer.subscribe(runs[0]!.id, { subscription: 3 });
    await viewer.complete(3);
    await viewer.close();
    expect(await isAlive(url)).toBe(true);
  });

  it('when its log cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'server/src/main.ts', '--port', '0', '--data-dir', folder()],
      { stdio: ['ignore', 'pipe', full], env: { ...process.env, PACELINE_LOG: 'debug' } },
    );
    try {
      let said = '';
      child.stdout!.on('data', (text: Buffer) => (said += text.toString()));
      await eventually(() => said.includes('\n') || child.exitCode !== null);
      const url = /http:\S+/.exec(said)?.[0] ?? '';
      for (let i = 0; i < 5; i++) expect(await isAlive(url)).toBe(true);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
