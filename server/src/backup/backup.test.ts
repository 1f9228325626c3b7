// Backups of data folders that are being worked with: whole, small, and good for beginning anew.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Doctor, ExperimentRecord } from '#protocol/api';
import { checkAll } from '../store/check.ts';
import { lockDataDir } from '../store/database.ts';
import { canMount, Disks } from '../testing/disks.ts';
import { testFolder } from '../testing/folder.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { LONG, QUICK, TestServer } from '../testing/server.ts';
import { databaseOf } from './files.ts';
import { makeBackup, type BackupOptions, type MadeBackup } from './make.ts';
import { backupCheck } from './last.ts';
import { backupName, backupsIn, PARTIAL, RECORD } from './record.ts';
import { backupAt, restoreBackup } from './restore.ts';

vi.setConfig({ testTimeout: 300_000 });

const folder = testFolder();
const disks = new Disks();
const data = (): string => join(folder(), 'data');
const to = (): string => join(folder(), 'backups');
let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start({ dataDir: data() });
});
afterEach(() => server.close());

const make = (options: Partial<BackupOptions> = {}): Promise<MadeBackup> =>
  makeBackup({ dataDir: data(), to: to(), keep: null, verify: true, ...options });
const paceline = (...words: string[]): TestProcess => new TestProcess('server/src/cli/main.ts', words, folder());
const faultsOf = async (path: string): Promise<readonly string[]> =>
  (await checkAll(databaseOf(path), join(path, 'traces'))).faults;
/** Traces of the data folder, as they are called there. */
const traces = (): string[] =>
  readdirSync(join(data(), 'traces'))
    .filter((name) => name.endsWith('.trace'))
    .map((name) => join('traces', name));
const aTrace = (): string => traces()[0] ?? '';
const inode = (...path: string[]): number => statSync(join(...path)).ino;

describe('a backup', () => {
  it('is made while a server works, and is that folder again elsewhere', async () => {
    const done = await server.submit(QUICK);
    await server.over(done);
    mkdirSync(join(data(), 'studies'));
    writeFileSync(join(data(), 'studies', 'mine.json'), '{}');
    const { path, record, others } = await make();
    expect([record.faults, others]).toEqual([[], []]);
    expect(readdirSync(path)).toEqual(expect.arrayContaining(['paceline.db', 'studies', 'traces', RECORD]));
    expect(readdirSync(path).filter((name) => /lock|wal|shm|tmp/.test(name))).toEqual([]);
    const asked = `/experiments/${done.id}`;
    const before = await server.json(asked, ExperimentRecord);

    // What comes later is not in it.
    const later = await server.submit({ ...QUICK, seed: 2 });
    const again = join(folder(), 'again');
    expect(await restoreBackup(backupAt(to()), again)).toEqual({ files: record.files, faults: [] });
    const other = await TestServer.start({ dataDir: again });
    try {
      expect(await other.json(asked, ExperimentRecord)).toEqual(before);
      expect((await fetch(other.url(`/experiments/${later.id}`))).status).toBe(404);
      expect(existsSync(join(again, 'studies', 'mine.json'))).toBe(true);
    } finally {
      await other.close();
    }
  });

  it('is of one moment, however much is written meanwhile', async () => {
    const { runs } = await server.submit({ ...LONG, duration_s: 300, sample_period_ms: 1 });
    await server.reaches(runs[0]?.id ?? '', 'running');
    for (let i = 0; i < 4; i++) {
      // In a process of its own: it is read while this one writes.
      const { code, stdout } = await paceline('backup', '--to', to(), '--data-dir', data()).ended();
      expect([code, stdout]).toEqual([0, expect.stringMatching(/: everything is whole\n$/)]);
    }
    expect(backupsIn(to())).toHaveLength(4);
  });

  it('shares traces with the one before, which may go', async () => {
    const first = await make();
    const second = await make({ keep: 1 });
    expect(second.removed).toEqual([first.name]);
    expect(backupsIn(to()).map(({ name }) => name)).toEqual([second.name]);
    expect(second.record.shared_bytes).toBeGreaterThan(0);
    expect(await faultsOf(second.path)).toEqual([]);
    const third = await make();
    expect(inode(third.path, aTrace())).toBe(inode(second.path, aTrace()));
    expect(inode(third.path, aTrace())).not.toBe(inode(data(), aTrace()));
  });

  it('tells what is not whole, is kept all the same, and takes the place of no other', async () => {
    const first = await make();
    writeFileSync(join(data(), aTrace()), 'not what its name says');
    const { code, stdout } = await paceline('backup', '--to', to(), '--data-dir', data(), '--keep', '1').ended();
    expect([code, stdout]).toEqual([1, expect.stringContaining('its content is no longer what its name says')]);
    const names = backupsIn(to()).map(({ name }) => name);
    expect([names.length, names[0]]).toEqual([2, first.name]);
    // What is shared is that of the last whole one.
    const third = await make({ verify: false });
    const another = traces().find((name) => name !== aTrace()) ?? '';
    expect(inode(third.path, another)).toBe(inode(first.path, another));
    const listed = await paceline('backup', '--to', to(), '--list').ended();
    expect(listed.stdout).toMatch(/ {2}whole\n.* {2}1 faults\n.* {2}not checked\n$/);
  });

  it('does not pass on what has gone bad in the one before', async () => {
    const first = await make();
    const bad = join(first.path, aTrace());
    const size = statSync(bad).size;
    rmSync(bad);
    writeFileSync(bad, Buffer.alloc(size, '1'));
    const second = await make();
    expect([second.record.faults, inode(second.path, aTrace()) === inode(bad)]).toEqual([[], false]);
    expect((await faultsOf(first.path)).length).toBe(1);
  });

  it('that was not read does not take the place of the last whole one', async () => {
    const whole = await make();
    for (let i = 0; i < 3; i++) await make({ keep: 1, verify: false });
    expect(backupsIn(to()).map(({ name }) => name)[0]).toBe(whole.name);
    expect(backupsIn(to())).toHaveLength(2);
  });

  it('is of what is written on meanwhile as far as it has come, and of what comes meanwhile nothing', async () => {
    const log = join(data(), 'qlog', 'a', '0.sqlog');
    mkdirSync(join(data(), 'qlog', 'a'), { recursive: true });
    writeFileSync(log, 'half');
    // Once the files are there and the database is about to be read.
    const backup = vi.spyOn(Database.prototype, 'backup').mockImplementationOnce(async function (
      this: Database.Database,
      ...words
    ) {
      writeFileSync(log, 'half and half');
      const found = await this.backup(...words);
      await server.lab.traces.add(ownTrace(), { name: 'late', origin: 'file' });
      return found;
    });
    const ownTrace = (): string => {
      const file = join(folder(), 'late.trace');
      writeFileSync(file, Array.from({ length: 100 }, (_, i) => `${i * 7 + 7}\n`).join(''));
      return file;
    };
    const { path, record } = await make();
    backup.mockRestore();
    expect(record.faults).toEqual([]);
    expect(readFileSync(join(path, 'qlog', 'a', '0.sqlog'), 'utf8')).toBe('half and half');
    expect((await make()).record.faults).toEqual([]);
  });

  it('that was cut off is none, and goes with the next', async () => {
    await make();
    for (const wait of [100, 250, 400]) {
      const cut = paceline('backup', '--to', to(), '--data-dir', data());
      await new Promise((resolve) => setTimeout(resolve, wait));
      await cut.kill('SIGKILL');
    }
    mkdirSync(join(to(), backupName(new Date(0)) + PARTIAL, 'traces'), { recursive: true });
    for (const { path } of backupsIn(to())) expect(await faultsOf(path)).toEqual([]);
    await make();
    expect(readdirSync(to()).filter((name) => name.endsWith(PARTIAL))).toEqual([]);
    expect(await faultsOf(data())).toEqual([]);
  });

  it('says what it leaves out, and follows what an operator has put elsewhere', async () => {
    const elsewhere = join(folder(), 'elsewhere');
    mkdirSync(join(elsewhere, 'deep'), { recursive: true });
    writeFileSync(join(elsewhere, 'deep', 'notes.txt'), 'mine');
    symlinkSync('/etc', join(elsewhere, 'deep', 'link'));
    symlinkSync(elsewhere, join(data(), 'more'));
    const { path, others } = await make();
    expect(others).toEqual(['more/deep/link']);
    expect(readdirSync(join(path, 'more', 'deep'))).toEqual(['notes.txt']);
  });

  it('is known to the doctor, who does not say where it is', async () => {
    expect(backupCheck(data())).toMatchObject({ ok: true, detail: 'none has been made of this folder' });
    const { record } = await make();
    const at = Date.parse(record.made_at);
    const said = await server.json('/doctor', Doctor);
    const check = said.checks.find(({ id }) => id === 'backup');
    expect(check).toMatchObject({ ok: true, remedy: null, detail: expect.stringMatching(/ UTC, everything whole$/) });
    expect(JSON.stringify(said)).not.toContain(to());
    expect(backupCheck(data(), at + 6.9 * 86_400_000).ok).toBe(true);
    expect(backupCheck(data(), at + 9.5 * 86_400_000)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/ UTC: 9 days ago$/),
    });
    writeFileSync(join(data(), aTrace()), 'not what its name says');
    const next = await make();
    expect(backupCheck(data())).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/1 faults were found in it$/),
    });
    expect(readdirSync(next.path)).not.toContain('last-backup.json');
  });

  it('is refused where it would be none', async () => {
    await expect(make({ dataDir: folder() })).rejects.toThrow('to make a backup of');
    await expect(make({ to: join(data(), 'backups') })).rejects.toThrow('lies in the data folder itself');
    mkdirSync(join(folder(), 'disk'));
    symlinkSync(join(folder(), 'disk'), join(data(), 'more'));
    await expect(make({ to: join(folder(), 'disk', 'backups') })).rejects.toThrow('lies in the data folder itself');
    rmSync(join(data(), 'more'));
    mkdirSync(to());
    const lock = lockDataDir(join(to(), 'lock.db'));
    await expect(make()).rejects.toThrow('is being made');
    lock?.release();
    for (const words of [[], ['--to', to(), '--keep', '0'], ['--to', to(), '--keep', 'all']]) {
      const { code, stderr } = await paceline('backup', ...words).ended();
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^paceline: backup: --(to|keep)/)]);
    }
  });
});

describe.skipIf(!canMount)('on a small disk (needs a mount namespace)', () => {
  const small = async (size: string): Promise<Ended> => {
    const disk = await disks.small(to(), size);
    const words = ['backup', '--to', to(), '--data-dir', data()];
    const ended = new TestProcess('server/src/cli/main.ts', words, folder(), process.env, disk.under).ended();
    const found = await ended;
    expect(readdirSync(disk.root)).toEqual(['lock.db']);
    return found;
  };

  it('says that the database has no room there', async () => {
    const { code, stderr } = await small('128k');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^paceline: the database has .*has room for/)]);
  });

  it('leaves nothing behind when what comes with it has none', async () => {
    writeFileSync(join(data(), 'large.bin'), Buffer.alloc(16 * 2 ** 20));
    const { code, stderr } = await small('8m');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^paceline: ENOSPC/)]);
  });
});

describe('what is brought back', () => {
  const again = (): string => join(folder(), 'again');
  const restored = (...words: string[]): Promise<Ended> =>
    paceline('restore', '--from', to(), '--data-dir', again(), ...words).ended();

  it('is the newest of a folder, or the one that is named', async () => {
    const first = await make();
    const second = await make();
    expect(backupAt(to()).path).toBe(second.path);
    expect(backupAt(first.path).path).toBe(first.path);
    const { code, stdout } = await restored();
    expect([code, stdout]).toEqual([0, expect.stringContaining(`as it was on ${second.record.made_at}: `)]);
    expect(await faultsOf(again())).toEqual([]);
    expect(readdirSync(again()).filter((name) => name === RECORD)).toEqual([]);
    // Never over what is there.
    const { code: refused, stderr } = await restored();
    expect([refused, stderr]).toEqual([1, expect.stringContaining('has a database already')]);
  });

  it('goes on where it was cut off', async () => {
    const { path } = await make();
    mkdirSync(join(again(), 'traces'), { recursive: true });
    writeFileSync(join(again(), aTrace()), 'half of');
    expect((await restoreBackup(backupAt(path), again())).faults).toEqual([]);
  });

  it('is not touched by what a lost database has left', async () => {
    const done = await server.submit(QUICK);
    await server.over(done);
    const { path } = await make();
    const before = readFileSync(databaseOf(path));
    mkdirSync(again());
    // Of the same pages, as they were before.
    cpSync(`${databaseOf(data())}-wal`, `${databaseOf(again())}-wal`);
    writeFileSync(databaseOf(again()), '');
    expect((await restoreBackup(backupAt(path), again())).faults).toEqual([]);
    expect(existsSync(`${databaseOf(again())}-wal`)).toBe(false);
    expect(readFileSync(databaseOf(again())).equals(before)).toBe(true);
  });

  it('is told where it is not whole', async () => {
    const { path } = await make();
    writeFileSync(join(path, aTrace()), 'something else');
    const { code, stdout } = await restored();
    expect([code, stdout]).toEqual([1, expect.stringContaining('its content is no longer what its name says')]);
    expect(existsSync(databaseOf(again()))).toBe(true);
  });

  it('is refused of a newer Paceline, and where there is none', async () => {
    expect(() => backupAt(join(folder(), 'nowhere'))).toThrow('there is no ');
    mkdirSync(to());
    expect(() => backupAt(to())).toThrow('is no backup, and none is in it');
    const { path, record } = await make();
    writeFileSync(join(path, RECORD), JSON.stringify({ ...record, schema: 10_000, version: '9.0.0' }));
    await expect(restoreBackup(backupAt(path), again())).rejects.toThrow('of Paceline 9.0.0, which is newer');
    writeFileSync(join(path, RECORD), '{"format": 2}');
    expect(() => backupAt(path)).toThrow('cannot be read, or is of a newer Paceline');
    expect(existsSync(again())).toBe(false);
  });

  it('is a file of its own: nothing beside it belongs to the database', async () => {
    const { path } = await make();
    const db = new Database(databaseOf(path), { readonly: true });
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
    db.close();
  });
});
