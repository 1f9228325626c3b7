// A data folder that is damaged in every way that a disk or a person can: what is said of it, what is mended, and that it works again.
import { copyFileSync, cpSync, openSync, readdirSync, statSync, writeSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SamplesMade, type ExperimentRecord } from '#protocol/api';
import { testFolderOfFile } from '../testing/folder.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { LONG, QUICK, TestServer } from '../testing/server.ts';

vi.setConfig({ testTimeout: 300_000 });

const folder = testFolderOfFile();
const whole = join(folder(), 'whole');
let experiment: ExperimentRecord;
const before = new Map<string, unknown>();
const idOf = (i: number): string => experiment.runs[i]?.id ?? '';

beforeAll(async () => {
  const server = await TestServer.start({ dataDir: whole });
  experiment = await server.submit({ ...QUICK, ccas: [{ id: 'cubic' }, { id: 'bbr' }], repetitions: 3 });
  await server.over(experiment);
  for (const { id } of experiment.runs) before.set(id, server.lab.store.runs.get(id)?.summary);
  await server.close();
});

let copies = 0;
/** Another folder with all of it, harmed. */
function harmed(harm: (db: Database.Database) => void): string {
  const path = join(folder(), `copy-${(copies += 1)}`);
  cpSync(whole, path, { recursive: true });
  const db = new Database(join(path, 'paceline.db'));
  db.pragma('foreign_keys = OFF');
  harm(db);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return path;
}

const check = (path: string, ...words: string[]): Promise<Ended> =>
  new TestProcess('server/src/cli/main.ts', ['check', '--data-dir', path, ...words]).ended();

const copiesIn = (path: string): string[] => readdirSync(path).filter((name) => name.startsWith('paceline.db.before-'));

describe('a data folder', () => {
  it('that is whole is left as it is', async () => {
    const path = harmed(() => undefined);
    const { code, stdout } = await check(path, '--repair');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\d+ runs, .*: everything is whole\n$/)]);
    expect(copiesIn(path)).toEqual([]);
  });

  it('that is damaged says so, is mended, and makes again what was lost, as it was', async () => {
    const path = harmed((db) => {
      db.prepare("UPDATE sample_blobs SET payload = x'0102' WHERE run_id = ? AND first_row = 0 AND stream = 0").run(
        idOf(0),
      );
      db.prepare("UPDATE control_blobs SET payload = x'00' WHERE run_id = ?").run(idOf(1));
      db.prepare("UPDATE runs SET summary = '{\"half' WHERE id = ?").run(idOf(2));
      db.prepare('UPDATE runs SET summary = NULL WHERE id = ?').run(idOf(3));
      db.prepare("UPDATE runs SET state = 'queued' WHERE id = ?").run(idOf(4));
      db.prepare('INSERT INTO jobs (run_id, cores, packets) VALUES (?, 1, 1.0)').run(idOf(5));
      db.prepare(
        "INSERT INTO sample_blobs (run_id, stream, first_row, rows, payload) VALUES ('nobody', 0, 0, 1, x'')",
      ).run();
    });
    const found = await check(path);
    expect(found.code).toBe(1);
    for (const said of [
      `run ${idOf(0)}, stream 0, rows from 0: `,
      `run ${idOf(1)}, control frames from 0: `,
      `run ${idOf(2)}: its summary cannot be read`,
      `run ${idOf(3)} is done and has no summary`,
      `run ${idOf(4)} is queued and not in the queue`,
      `run ${idOf(5)} is over and still in the queue`,
      'belongs to nothing in runs',
    ])
      expect(found.stdout).toContain(said);
    expect(copiesIn(path)).toEqual([]);

    const { code, stdout } = await check(path, '--repair');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/: everything is whole\n$/)]);
    expect(stdout.match(/^mended: /gm)?.length).toBeGreaterThanOrEqual(7);
    // As it was, it is still there, damage and all.
    const [copy = ''] = copiesIn(path);
    const kept = new Database(join(path, copy), { readonly: true });
    expect(kept.prepare('SELECT summary FROM runs WHERE id = ?').pluck().get(idOf(2))).toBe('{"half');
    kept.close();

    const server = await TestServer.start({ dataDir: path });
    const { store } = server.lab;
    const states = experiment.runs.map(({ id }) => store.runs.state(id));
    expect(states).toEqual(['done', 'failed', 'failed', 'failed', 'cancelled', 'done']);
    // What was let go is known to be gone, and is made again; so is what failed.
    expect(store.samplesGone.ofExperiment(experiment.id)).toEqual({ gone: 1, lost: 0 });
    for (let from: number | null = 0; from !== null;) {
      const answer = await server.post(`/experiments/${experiment.id}/samples?from=${from}`);
      const made = SamplesMade.parse(await answer.json());
      expect(made.refused).toEqual([]);
      from = made.next;
    }
    expect((await server.post(`/experiments/${experiment.id}/retry`)).status).toBeLessThan(300);
    await server.over(experiment);
    for (const { id } of experiment.runs) {
      expect(store.runs.get(id)).toMatchObject({ state: 'done' });
      expect(store.runs.get(id)?.summary).toEqual(before.get(id));
      expect(store.samples.heads(id).size).toBeGreaterThan(0);
    }
    await server.close();
    expect(await check(path)).toMatchObject({ code: 0 });
  });

  it('of which an index is not what its table is has it made anew', async () => {
    const path = harmed((db) => {
      db.unsafeMode(true);
      db.pragma('writable_schema = ON');
      // An index that knows of half the rows.
      db.exec("UPDATE sqlite_schema SET sql = sql || ' AND finished_at < ''2000''' WHERE name = 'runs_by_end'");
      db.pragma('writable_schema = RESET');
      db.exec('REINDEX runs_by_end');
      db.pragma('writable_schema = ON');
      db.exec(
        "UPDATE sqlite_schema SET sql = replace(sql, ' AND finished_at < ''2000''', '') WHERE name = 'runs_by_end'",
      );
      db.pragma('writable_schema = RESET');
    });
    expect((await check(path)).stdout).toMatch(/the database: .*(index runs_by_end)/);
    const { code, stdout } = await check(path, '--repair');
    expect([code, stdout]).toEqual([0, expect.stringContaining('mended: the database: its indexes were made anew')]);
  });

  it('of which pages are damaged is left alone, with a word on what to do', async () => {
    const path = harmed(() => undefined);
    const file = join(path, 'paceline.db');
    const page = 4096;
    const middle = Math.floor(statSync(file).size / page / 2);
    const harm = openSync(file, 'r+');
    for (let i = -8; i < 8; i++) writeSync(harm, Buffer.alloc(512, 0xa5), 0, 512, (middle + i) * page + 8);
    closeSync(harm);
    copyFileSync(file, `${file}.compare`);
    const { code, stdout } = await check(path, '--repair');
    expect([code, stdout]).toEqual([1, expect.stringContaining('nothing was changed: `paceline restore`')]);
    expect(new Set(copiesIn(path)).size).toBe(0);
  });

  it('that a server uses is not repaired', async () => {
    const path = harmed(() => undefined);
    const server = await TestServer.start({ dataDir: path });
    await server.submit(LONG);
    const { code, stderr } = await check(path, '--repair');
    await server.close();
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('is in use: stop its server')]);
    expect(code).not.toBe(0);
  });
});
