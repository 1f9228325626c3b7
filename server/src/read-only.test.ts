// Data folders that cannot be written to from some moment on, while a server works in them.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#protocol/api';
import { Client } from './testing/client.ts';
import { canMount, canMountFiles, Disks, fail, type Disk } from './testing/disks.ts';
import { testFolder } from './testing/folder.ts';
import { eventually, TestProcess } from './testing/process.ts';
import { LONG, QUICK } from './testing/server.ts';

// Servers start anew, beside the other tests.
vi.setConfig({ testTimeout: 300_000 });

const folder = testFolder();
const disks = new Disks();
const open: TestProcess[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.kill('SIGKILL')));
});

function serve(dataDir: string, { under }: Disk): Promise<Client> {
  const words = ['--port', '0', '--workers', '1', '--data-dir', dataDir];
  const started = new TestProcess(
    'server/src/main.ts',
    words,
    undefined,
    { ...process.env, PACELINE_LOG: 'silent' },
    under,
  );
  open.push(started);
  return Client.of(started);
}

const SOME_SECONDS = { ...LONG, duration_s: 600, sample_period_ms: 10 };
const CANNOT = /^the data folder cannot be (used|written to)/;

describe.skipIf(!canMountFiles)('a disk of its own (only root may make one, and not everywhere)', () => {
  it('that fails and turns read-only holds the queue; mended, the next server goes on, and nothing is failed', async () => {
    const image = join(folder(), 'image');
    const place = join(folder(), 'disk');
    const dataDir = join(place, 'data');
    const disk = await disks.ofFile(place, image);
    const first = await serve(dataDir, disk);
    const [done = ''] = await first.submit(QUICK);
    await first.over(done);
    const [run = ''] = await first.submit(SOME_SECONDS);
    const [waiting = ''] = await first.submit({ ...QUICK, seed: 2 });
    await first.reaches(run, 'running');
    // The last moments may be lost with the disk: these are older.
    disk.sh(`sync -f '${place}'`);
    fail(disk);
    await eventually(async () => CANNOT.test((await first.notReady()) ?? ''));
    // What is stored is still shown.
    expect((await first.get('health')).status).toBe(200);
    expect((await first.run(done)).state).toBe('done');
    for (const id of [run, waiting]) expect(['queued', 'running']).toContain((await first.run(id)).state);
    const refused = await first.post('experiments', JSON.stringify({ ...QUICK, seed: 3 }));
    expect([refused.status, Problem.parse(await refused.json()).detail]).toEqual([503, expect.stringMatching(CANNOT)]);
    await first.process.kill('SIGKILL');
    disks.release();

    const second = await serve(dataDir, await disks.ofFile(place, image));
    expect(await second.notReady()).toBeNull();
    for (const id of [run, waiting]) await second.over(id);
    expect(await second.run(run)).toMatchObject({ state: 'done', time_s: 600 });
    expect((await second.run(waiting)).state).toBe('done');
  });

  it('whose database may not be changed holds the queue until it may; nothing is failed', async () => {
    const place = join(folder(), 'disk');
    const dataDir = join(place, 'data');
    const disk = await disks.ofFile(place, join(folder(), 'image'));
    const client = await serve(dataDir, disk);
    const [run = ''] = await client.submit(SOME_SECONDS);
    await client.reaches(run, 'running');
    // Not its index: the system ends whoever writes to memory that has lost its file.
    const change = (attribute: '+i' | '-i'): void =>
      void execFileSync('chattr', [
        attribute,
        ...['paceline.db', 'paceline.db-wal'].map((name) => join(disk.root, 'data', name)),
      ]);
    change('+i');
    try {
      await eventually(async () => CANNOT.test((await client.notReady()) ?? ''));
      expect((await client.get('health')).status).toBe(200);
    } finally {
      change('-i');
    }
    await client.over(run);
    expect(await client.run(run)).toMatchObject({ state: 'done', time_s: 600 });
    expect(await client.notReady()).toBeNull();
  });
});

describe.skipIf(!canMount)('a folder (needs mount namespaces, which this machine does not give)', () => {
  it('in which nothing new can be written refuses what is brought, with the reason, until it can; runs go on', async () => {
    const dataDir = join(folder(), 'data');
    const disk = await disks.small(dataDir, '256m');
    const client = await serve(dataDir, disk);
    const [run = ''] = await client.submit(SOME_SECONDS);
    await client.reaches(run, 'running');
    const bring = (): Promise<Response> => client.post('traces?name=new', '1\n2\n', 'application/octet-stream');
    // Over it, because no file system is made read-only that has open files: those of the database go on being written.
    disk.sh(`mount --bind '${dataDir}' '${dataDir}' && mount -o remount,ro,bind '${dataDir}'`);
    const refused = await bring();
    expect([refused.status, Problem.parse(await refused.json()).detail]).toEqual([503, expect.stringMatching(CANNOT)]);
    expect((await client.get('health')).status).toBe(200);
    disk.sh(`umount '${dataDir}'`);
    expect((await bring()).status).toBe(201);
    await client.over(run);
    expect(await client.run(run)).toMatchObject({ state: 'done', time_s: 600 });
    expect(await client.notReady()).toBeNull();
  });
});
