// An experiment in parts on machines that know nothing of each other, merged: as if one had made all of it.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { checkAll } from '../store/check.ts';
import { canMount, Disks } from '../testing/disks.ts';
import { testFolder } from '../testing/folder.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { runsOfShard, shardOf } from './shard.ts';

vi.setConfig({ testTimeout: 300_000 });

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = testFolder();
const disks = new Disks();
const at = (...names: string[]): string => join(folder(), ...names);
const paceline = (...words: string[]): Promise<Ended> =>
  new TestProcess('server/src/cli/main.ts', words, folder()).ended();

/** Ten packets a second for four seconds: a trace that no other machine has. */
const TRACE = Array.from({ length: 400 }, (_, i) => `${(i + 1) * 10}\n`).join('');
const SPEC = {
  name: 'In parts',
  duration_s: 4,
  traces: [{ trace: 'own.trace' }, { rate_mbps: 12 }],
  ccas: [{ id: 'cubic' }, { id: 'bbr' }, { id: 'copa' }],
  buffers: [{ bdp: 1 }, { bdp: 5 }],
  repetitions: 2,
  full_scores: false,
};
const SHARDS = 3;

function writeSpec(spec: object = SPEC): void {
  writeFileSync(at('own.trace'), TRACE);
  writeFileSync(at('spec.json'), JSON.stringify(spec));
}
const shard = (index: number, ...words: string[]): Promise<Ended> =>
  paceline(
    'run',
    'spec.json',
    '--shard',
    `${index}/${SHARDS}`,
    '--data-dir',
    `part-${index}`,
    '--workers',
    '1',
    ...words,
  );
const parts = Array.from({ length: SHARDS }, (_, i) => `part-${i + 1}`);

function change(dir: string, sql: string): void {
  const db = new Database(at(dir, 'paceline.db'));
  db.exec(sql);
  db.close();
}

function inState(dir: string, state: string): string[] {
  const db = new Database(at(dir, 'paceline.db'), { readonly: true });
  try {
    return z.array(z.string()).parse(db.prepare('SELECT id FROM runs WHERE state = ? ORDER BY id').pluck().all(state));
  } finally {
    db.close();
  }
}

/** What was found, of runs in the order of their ids; when and how fast is each machine's own. */
function contents(dataDir: string): unknown[] {
  const db = new Database(at(dataDir, 'paceline.db'), { readonly: true });
  try {
    return [
      'SELECT id, state, reason, summary, time_s FROM runs ORDER BY id',
      'SELECT run_id, stream, first_row, rows, packing, payload FROM sample_blobs ORDER BY run_id, stream, first_row',
      'SELECT run_id, first_seq, frames FROM control_blobs ORDER BY run_id, first_seq',
      'SELECT experiment_id, position, run_id, cell, role, repetition FROM experiment_runs ORDER BY position',
      'SELECT id FROM experiments',
      'SELECT COUNT(*) FROM jobs',
    ].map((sql) => db.prepare(sql).all());
  } finally {
    db.close();
  }
}

/** All that is written of an experiment but when it was. */
function written(out: string): unknown {
  const { created_at: _, ...rest } = z
    .looseObject({ created_at: z.string(), runs: z.array(z.unknown()).length(24) })
    .parse(JSON.parse(readFileSync(at(out, 'summary.json'), 'utf8')));
  return rest;
}

describe('shards', () => {
  it('share the runs of an experiment among them: each is of one, and they are as many', () => {
    const runs = Array.from({ length: 1003 }, (_, i) => ({ canonical: `{"seed":${i}}` })) as never;
    const all = Array.from({ length: 10 }, (_, i) => runsOfShard({ runs }, { index: i + 1, of: 10 }));
    expect(all.map(({ size }) => size).sort()).toEqual([100, 100, 100, 100, 100, 100, 100, 101, 101, 101]);
    expect(new Set(all.flatMap((own) => [...own])).size).toBe(1003);
  });

  it.each(['0/4', '5/4', '1', '1/0', 'a/b', '1/4/2', '-1/4', '1/9999999'])('%s is none', (text) =>
    expect(shardOf(text)).toBeNull(),
  );

  it('merged are what one machine makes of it, in any order, twice, and one after the other', async () => {
    writeSpec();
    const whole = await paceline('run', 'spec.json', '--data-dir', 'whole', '--out', 'whole-out', '--series', 'none');
    expect([whole.code, whole.stderr]).toEqual([0, expect.any(String)]);
    for (let i = 1; i <= SHARDS; i++) {
      const { code, stdout } = await shard(i);
      expect([code, stdout]).toEqual([0, `shard ${i} of 3 of In parts: 8 of its 8 runs are done, of 24\n`]);
      // Again: nothing is left to do.
      if (i === 1) expect((await shard(i)).stdout).toBe(stdout);
    }
    // The file was on those machines.
    rmSync(at('own.trace'));
    const some = await paceline('merge', 'part-3', 'part-1', '--data-dir', 'all');
    expect([some.code, some.stdout]).toEqual([
      0,
      expect.stringMatching(/“In parts”: 8 of 24 runs are missing\n16 results came\n$/),
    ]);
    const rest = await paceline('merge', ...parts, '--data-dir', 'all');
    expect([rest.code, rest.stdout]).toEqual([0, expect.stringMatching(/“In parts”: all 24 runs\n8 results came\n$/)]);
    expect((await paceline('merge', ...parts, '--data-dir', 'all')).stdout).toMatch(/\n0 results came\n$/);

    expect(contents('all')).toEqual(contents('whole'));
    expect((await checkAll(at('all', 'paceline.db'), at('all', 'traces'))).faults).toEqual([]);
    writeFileSync(at('own.trace'), TRACE);
    const out = await paceline('run', 'spec.json', '--data-dir', 'all', '--out', 'all-out', '--series', 'none');
    expect([out.code, out.stdout]).toEqual([0, whole.stdout]);
    expect(written('all-out')).toEqual(written('whole-out'));
  });

  it('are an array job of Slurm, and what one task has lost is made where the others were merged', async () => {
    writeSpec();
    // The command of this checkout, wherever it is asked for.
    writeFileSync(at('npx'), `#!/bin/sh\nshift\nexec '${process.execPath}' '${ROOT}build/server/cli/main.js' "$@"\n`);
    chmodSync(at('npx'), 0o755);
    for (const task of ['1', '3'])
      execFileSync('sh', [`${ROOT}examples/cluster/slurm-array.sh`, 'spec.json', 'parts'], {
        cwd: folder(),
        stdio: 'ignore',
        env: {
          PATH: `${folder()}:${process.env['PATH'] ?? ''}`,
          SLURM_ARRAY_TASK_ID: task,
          SLURM_ARRAY_TASK_COUNT: '3',
          SLURM_CPUS_PER_TASK: '2',
        },
      });
    const merged = await paceline('merge', 'parts/1', 'parts/3', '--data-dir', 'all');
    expect(merged.stdout).toMatch(/: 8 of 24 runs are missing\n16 results came\n$/);
    const { code } = await paceline('run', 'spec.json', '--data-dir', 'all', '--out', 'out', '--series', 'none');
    expect(code).toBe(0);
    expect(existsSync(at('out', 'summary.json'))).toBe(true);
  });

  it('another result of the same run, another engine and another schema are told', async () => {
    writeSpec();
    await shard(1);
    cpSync(at('part-1'), at('other'), { recursive: true });
    change(
      'other',
      `UPDATE runs SET summary = replace(summary, '"utilisation":0.', '"utilisation":0.0') WHERE state = 'done'`,
    );
    const differs = await paceline('merge', 'part-1', 'other', '--data-dir', 'all');
    expect([differs.code, differs.stdout]).toEqual([
      1,
      expect.stringMatching(/other has another result of it; the first one stays/),
    ]);
    expect(contents('all')[0]).toEqual(contents('part-1')[0]);

    change('other', `UPDATE manifests SET body = json_set(body, '$.engine_version', '0.0.1+old')`);
    const engine = await paceline('merge', 'other', '--data-dir', 'all');
    expect([engine.code, engine.stderr]).toEqual([
      1,
      expect.stringMatching(/“In parts” was made by engine 0\.0\.1\+old, and this is /),
    ]);
    change('other', 'PRAGMA user_version = 3');
    const schema = await paceline('merge', 'other', '--data-dir', 'all');
    expect([schema.code, schema.stderr]).toEqual([
      1,
      expect.stringMatching(/is of an older Paceline \(schema 3, here /),
    ]);
  });

  it('are brought beside what waits in the queue there, which stays', async () => {
    writeSpec();
    await Promise.all([shard(1), shard(2)]);
    await paceline('merge', 'part-1', '--data-dir', 'all');
    const of2 = inState('part-2', 'done')[0];
    const of3 = inState('all', 'cancelled').find((run) => !inState('part-2', 'done').includes(run));
    for (const run of [of2, of3])
      change(
        'all',
        `UPDATE runs SET state = 'queued', reason = NULL WHERE id = '${run ?? ''}';
        INSERT INTO jobs (run_id, cores, packets) VALUES ('${run ?? ''}', 1, 1e6)`,
      );
    const { code, stdout } = await paceline('merge', 'part-2', '--data-dir', 'all');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/8 of 24 runs are missing\n8 results came\n$/)]);
    expect(inState('all', 'done')).toEqual([...inState('part-1', 'done'), ...inState('part-2', 'done')].sort());
    expect(inState('all', 'queued')).toEqual([of3]);
    expect((await checkAll(at('all', 'paceline.db'), at('all', 'traces'))).faults).toEqual([]);
  });

  it('bring samples where there are none, and recipes', async () => {
    writeSpec({
      ...SPEC,
      traces: [{ recipe: 'city-drive', seeds: [7] }],
      ccas: [{ id: 'cubic' }],
      buffers: [{ bdp: 1 }],
    });
    await paceline('run', 'spec.json', '--shard', '1/1', '--data-dir', 'bare', '--series', 'none');
    await paceline('run', 'spec.json', '--shard', '1/1', '--data-dir', 'full');
    expect((await paceline('merge', 'bare', '--data-dir', 'all')).code).toBe(0);
    const told = await paceline('run', 'spec.json', '--data-dir', 'all', '--out', 'out');
    expect([told.code, told.stderr]).toEqual([0, expect.stringContaining('2 runs were made with --series none')]);
    await paceline('merge', 'full', '--data-dir', 'all');
    expect(contents('all').slice(0, 4)).toEqual(contents('full').slice(0, 4));
    const recipes = (dir: string): string[] =>
      readdirSync(at(dir, 'traces'))
        .filter((name) => name.endsWith('.recipe.json'))
        .sort();
    expect(recipes('all')).toEqual(recipes('full'));
  });

  it('one that cannot be brought does not keep others away, and no name leads out of a folder', async () => {
    writeSpec();
    await Promise.all([shard(1), shard(2)]);
    cpSync(at('part-1'), at('hostile'), { recursive: true });
    const [run = ''] = inState('hostile', 'done');
    change(
      'hostile',
      `PRAGMA foreign_keys = OFF; UPDATE runs SET id = '..' WHERE id = '${run}';
      UPDATE experiment_runs SET run_id = '..' WHERE run_id = '${run}'`,
    );
    mkdirSync(at('hostile', 'qlog'), { recursive: true });
    writeFileSync(at('hostile', 'endpoints.json'), '{"hostile": true}');
    cpSync(at('part-1'), at('unread'), { recursive: true });
    change('unread', `UPDATE experiments SET spec = '{}'`);
    const { code, stdout, stderr } = await paceline(
      'merge',
      'hostile',
      'nowhere',
      'unread',
      'part-2',
      '--data-dir',
      'all',
    );
    expect([code, stdout]).toEqual([1, expect.stringMatching(/\n8 results came\n$/)]);
    expect(stderr).toMatch(
      /hostile: \.\. is no run of the experiment .*\n.*nowhere: there is no paceline\.db in it\n.*unread: what is stored there cannot be read/,
    );
    expect(existsSync(at('all', 'endpoints.json'))).toBe(false);
  });

  it.skipIf(!canMount)('are read from a disk that cannot be written (needs a mount namespace)', async () => {
    writeSpec();
    await shard(1);
    const disk = await disks.small(at('disk'), '64m');
    cpSync(at('part-1'), join(disk.root, 'part'), { recursive: true });
    disk.sh(`mount -o remount,ro '${at('disk')}'`);
    const words = ['merge', at('disk', 'part'), '--data-dir', at('all')];
    const { code, stdout, stderr } = await new TestProcess(
      'server/src/cli/main.ts',
      words,
      folder(),
      process.env,
      disk.under,
    ).ended();
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(/\n8 results came\n$/)]);
    expect(readdirSync(at('all', 'tmp'))).toEqual([]);
  });

  it('are refused where they have no meaning', async () => {
    writeSpec();
    const refused = async (...words: string[]): Promise<string> => {
      const { code, stderr } = await paceline(...words);
      expect(code).toBe(2);
      return stderr;
    };
    const run = ['run', 'spec.json', '--shard'];
    expect(await refused(...run, '4/3', '--data-dir', 'x')).toContain('--shard: wants I/N');
    expect(await refused(...run, '1/3')).toContain('--shard: needs --data-dir');
    expect(await refused(...run, '1/3', '--data-dir', 'x', '--out', 'o')).toContain('--out: is of all runs');
    expect(await refused('run', 'spec.json')).toContain('--out: is needed');
    expect(await refused('merge', '--data-dir', 'x')).toContain('which data folders?');
    expect(await refused('merge', 'x', '--data-dir', 'x')).toContain('is what the others are brought into');
    writeSpec({ ...SPEC, engine: 'realtime' });
    expect(await refused(...run, '1/3', '--data-dir', 'x')).toContain('is of one machine');
    const none = await paceline('merge', 'nowhere', '--data-dir', 'x');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('there is no paceline.db in it')]);
  });
});
