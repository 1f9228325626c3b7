// A machine in a bad state, caused for real: a full disk, a read-only one, damaged and lost databases, too few descriptors.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TraceList, type RunRecord } from '#protocol/api';
import { Client } from './testing/client.ts';
import { canMount, Disks, fill } from './testing/disks.ts';
import { testFolder } from './testing/folder.ts';
import { eventually, TestProcess } from './testing/process.ts';
import { LONG, QUICK } from './testing/server.ts';

// Servers start anew many times, beside the other tests.
vi.setConfig({ testTimeout: 300_000 });

const folder = testFolder();
const open: TestProcess[] = [];
const disks = new Disks();
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.kill('SIGKILL')));
});

const QUIET = { ...process.env, PACELINE_LOG: 'silent' };

function serve(dataDir: string, more: readonly string[] = [], under: readonly string[] = []): TestProcess {
  const words = ['--port', '0', '--data-dir', dataDir, ...more];
  const started = new TestProcess('server/src/main.ts', words, undefined, QUIET, under);
  open.push(started);
  return started;
}

const LINE = /^paceline: [^\n]+\n$/;

describe.skipIf(!canMount)('a disk (needs mount namespaces, which this machine does not give)', () => {
  it('that is full holds the queue, over a restart too, until there is space; nothing is failed', async () => {
    const dataDir = join(folder(), 'data');
    const { under, root } = await disks.small(dataDir, '96m');
    const first = await Client.of(serve(dataDir, [], under));
    const [run = ''] = await first.submit({ ...LONG, duration_s: 600, sample_period_ms: 10 });
    await eventually(async () => (await first.run(run)).state === 'running');
    fill(join(root, 'filler'));
    await eventually(async () => (await first.notReady()) === 'the disk is full');
    expect((await first.get('health')).status).toBe(200);
    expect(['queued', 'running']).toContain((await first.run(run)).state);
    await first.process.kill('SIGKILL');

    fill(join(root, 'filler more'));
    const second = await Client.of(serve(dataDir, [], under));
    expect(await second.notReady()).toBe('the disk is full');
    expect((await second.get('health')).status).toBe(200);
    for (const name of ['filler', 'filler more']) rmSync(join(root, name));
    await eventually(async () => (await second.notReady()) === null);
    await second.over(run);
    expect(await second.run(run)).toMatchObject({ state: 'done', time_s: 600 });
  });

  it('that has no room for a database ends the start with the reason', async () => {
    const dataDir = join(folder(), 'data');
    const { under } = await disks.small(dataDir, '32k');
    const { code, stderr } = await serve(dataDir, [], under).ended();
    expect(code).toBe(1);
    expect(stderr).toMatch(LINE);
    expect(stderr).toContain('the disk is full. Free some space.');
  });

  it('that is read-only ends the start with the reason', async () => {
    const dataDir = join(folder(), 'data');
    mkdirSync(dataDir);
    const mount = `mount --bind '${dataDir}' '${dataDir}' && mount -o remount,ro,bind '${dataDir}' && exec "$0" "$@"`;
    const { code, stderr } = await serve(dataDir, [], ['unshare', '-rm', 'sh', '-c', mount]).ended();
    expect(code).toBe(1);
    expect(stderr).toMatch(LINE);
    expect(stderr).toContain('the data folder cannot be written to');
  });
});

describe('a limit of the size of files', () => {
  it('holds the queue until it is lifted', async () => {
    const client = await Client.of(serve(join(folder(), 'data')));
    const limit = (bytes: string): void => {
      execFileSync('prlimit', ['--pid', String(client.process.pid), `--fsize=${bytes}:unlimited`]);
    };
    const [run = ''] = await client.submit({ ...LONG, duration_s: 600, sample_period_ms: 2 });
    limit('1048576');
    await eventually(async () => (await client.notReady()) !== null);
    expect(await client.notReady()).toMatch(/the data folder cannot be used: .*SQLITE_IOERR_WRITE/);
    limit('unlimited');
    await client.over(run);
    expect((await client.run(run)).state).toBe('done');
  });
});

describe('a database', () => {
  /** A data folder with a run in it, whose server has ended. */
  async function used(): Promise<string> {
    const dataDir = join(folder(), 'data');
    const client = await Client.of(serve(dataDir));
    const [run = ''] = await client.submit(QUICK);
    await client.over(run);
    expect((await client.process.kill('SIGTERM')).code).toBe(0);
    return dataDir;
  }
  const check = (dataDir: string): TestProcess => {
    const started = new TestProcess('server/src/cli/main.ts', ['check', '--data-dir', dataDir], undefined, QUIET);
    open.push(started);
    return started;
  };

  /** Pages that hold samples: no start needs them. */
  function damage(dataDir: string): void {
    const path = join(dataDir, 'paceline.db');
    const db = new Database(path, { readonly: true });
    const pages = db.prepare("SELECT pageno FROM dbstat WHERE name = 'sample_blobs'").pluck().all();
    db.close();
    const file = openSync(path, 'r+');
    for (const page of pages) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, 4096 * (Number(page) - 1));
    closeSync(file);
  }
  function run(dataDir: string): TestProcess {
    const spec = join(folder(), 'spec.json');
    writeFileSync(spec, JSON.stringify({ ...QUICK, seed: 2 }));
    const words = ['run', spec, '--out', join(folder(), 'out'), '--data-dir', dataDir];
    const started = new TestProcess('server/src/cli/main.ts', words, undefined, QUIET);
    open.push(started);
    return started;
  }

  it('with damaged pages ends the start with the reason, and `check` says what is wrong', async () => {
    const dataDir = await used();
    expect(await check(dataDir).ended()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('everything is whole'),
    });
    damage(dataDir);
    for (const start of [serve, run]) {
      const { code, stderr } = await start(dataDir).ended();
      expect(code).toBe(1);
      expect(stderr).toMatch(LINE);
      expect(stderr).toContain('is damaged: ');
    }
    const found = await check(dataDir).ended();
    expect(found.code).toBe(1);
    // However many pages there were: of few SQLite looks at the rows on them, too, and ends there.
    expect(found.stdout).toMatch(/^the database(: | cannot be read: )/m);
    expect(found.stdout).toMatch(/^the samples cannot be read: /m);
  });

  it.each(['emptied', 'gone'])(
    'that is %s beside traces is not begun anew unasked; the traces are taken in',
    async (how) => {
      const dataDir = await used();
      const path = join(dataDir, 'paceline.db');
      const traces = readdirSync(join(dataDir, 'traces')).filter((name) => name.endsWith('.trace'));
      const own = join(dataDir, 'own.trace');
      writeFileSync(own, '1 2\n3 1\n10 4\n');
      if (how === 'emptied') truncateSync(path);
      else rmSync(path);
      const { code, stderr } = await serve(dataDir).ended();
      expect(code).toBe(1);
      expect(stderr).toMatch(LINE);
      expect(stderr).toContain(
        `${path} is ${how === 'emptied' ? 'empty' : 'missing'}, but ${traces.length} traces lie in`,
      );
      const client = await Client.of(serve(dataDir, ['--recover-traces']));
      const { traces: listed } = TraceList.parse(await (await client.get('traces')).json());
      expect(listed).toHaveLength(traces.length);
    },
  );

  it('`check` names a trace whose content has changed, one that is missing, and one that nobody knows', async () => {
    const dataDir = await used();
    const dir = join(dataDir, 'traces');
    const [changed = '', missing = ''] = readdirSync(dir).filter((name) => name.endsWith('.trace'));
    const unknown = `${'0'.repeat(64)}.trace`;
    copyFileSync(join(dir, missing), join(dir, unknown));
    rmSync(join(dir, missing));
    truncateSync(join(dir, changed), 10);
    const { code, stdout } = await check(dataDir).ended();
    expect(code).toBe(1);
    expect(stdout).toContain(`${join(dir, changed)} has changed`);
    expect(stdout).toContain(`the trace ${missing.slice(0, 64)} is missing`);
    expect(stdout).toContain(`${join(dir, unknown)} is unknown to the database`);
  });
});

describe('too few descriptors', () => {
  it('make runs wait, and fail none', async () => {
    const client = await Client.of(serve(join(folder(), 'data'), ['--workers', '16']));
    const { pid } = client.process;
    // Three for each program, and some for our questions.
    const limit = readdirSync(`/proc/${pid}/fd`).length + 24;
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:${limit}`]);
    const runs = await client.submit({ ...QUICK, duration_s: 20, repetitions: 30 });
    const waits = new Set<string>();
    // One question at a time: each takes a descriptor, too.
    for (const run of runs) {
      while (['queued', 'running'].includes((await client.run(run)).state)) {
        const reason = await client.notReady();
        if (reason !== null) waits.add(reason);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
    const ends: RunRecord[] = [];
    for (const run of runs) ends.push(await client.run(run));
    expect(ends.map(({ state, reason }) => [state, reason])).toEqual(runs.map(() => ['done', null]));
    expect([...waits].join()).toContain('no more files can be opened');
  });
});
