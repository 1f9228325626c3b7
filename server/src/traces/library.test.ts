// What a data folder of an earlier version calls the shipped traces, and what becomes of it: old names go on working, nobody's own are taken.
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TraceList, TraceRecord } from '#protocol/api';
import { Recipe } from '#protocol/recipe';
import { isShippedRecording } from '#analysis/shipped-recording';
import { ExperimentSpec, type ExperimentSpecInput } from '#protocol/spec';
import { migrate, migrationFiles } from '../store/database.ts';
import { testFolder } from '../testing/folder.ts';
import { TestServer } from '../testing/server.ts';
import { importLibrary } from './library.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../testing/fixtures/${name}`, import.meta.url), 'utf8'));
/** Every shipped trace of 0.1.0. */
const THEN = z.array(z.object({ name: z.string(), id: z.string() })).parse(fixture('library-0.1.0.json'));
/** What is known of each: that has not changed. */
const MADE = z
  .array(z.looseObject({ info: z.looseObject({ sha256: z.string() }), spark: z.array(z.number()) }))
  .parse(JSON.parse(readFileSync(new URL('../../../traces/made/library.json', import.meta.url), 'utf8')));
const OLD_SPEC = ExperimentSpec.parse(fixture('spec-0.1.0.json'));
/** The last migration of 0.1.0. */
const SCHEMA_THEN = 8;
const RENAMED = 'd0bbd14e9205ac1420070e608daba2a81dbea40c0bce14aa8da60248df11761d';
const [OLD_NAME, NEW_NAME] = ['4G drive, 60 Mbps', '4G drive, 76 Mbps'];

const folder = testFolder();
let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});
const start = async (): Promise<TestServer> => (server = await TestServer.start({ dataDir: folder() }));

/** A data folder as 0.1.0 has left it. */
function folderOfThen(own: readonly { readonly id: string; readonly name: string }[] = []): void {
  const db = new Database(`${folder()}/paceline.db`);
  migrate(db, migrationFiles().slice(0, SCHEMA_THEN));
  const insert = db.prepare(
    `INSERT INTO traces (id, name, origin, description, licence, source, created_at, info, spark)
     VALUES (@id, @name, @origin, 'as it was', '', '', '2026-01-01T00:00:00.000Z', @info, @spark)`,
  );
  const add = (origin: string) => (trace: { readonly id: string; readonly name: string }) => {
    const made = MADE.find(({ info: { sha256 } }) => sha256 === trace.id) ?? MADE[0]!;
    const texts = { info: JSON.stringify({ ...made.info, sha256: trace.id }), spark: JSON.stringify(made.spark) };
    insert.run({ ...trace, origin, ...texts });
  };
  THEN.forEach(add('library'));
  own.forEach(add('upload'));
  db.close();
}

const TRACE = Array.from({ length: 400 }, (_, i) => `${i + 1}\n`).join('');
const upload = async (to: TestServer, name: string, body = TRACE): Promise<TraceRecord> => {
  const query = new URLSearchParams({ name });
  const response = await fetch(to.url(`/traces?${query.toString()}`), { method: 'POST', body });
  return TraceRecord.parse(await response.json());
};
const patch = (to: TestServer, id: string, change: object): Promise<Response> =>
  fetch(to.url(`/traces/${id}`), {
    method: 'PATCH',
    body: JSON.stringify(change),
    headers: { 'content-type': 'application/json' },
  });

describe('the names that shipped traces had', () => {
  const meant = (): unknown[] => THEN.map(({ name }) => server?.lab.traces.find(name)?.id);
  const ids = THEN.map(({ id }) => id);

  it('all mean the traces that they meant', async () => {
    await start();
    expect(meant()).toEqual(ids);
  });

  it('do so in a data folder of then, where the traces are called anew', async () => {
    folderOfThen();
    await start();
    expect(meant()).toEqual(ids);
    const { traces } = await server!.json('/traces', TraceList);
    // What is new since is there as well, each under a name that no shipped trace had.
    const since = traces.filter(({ id }) => !ids.includes(id));
    expect(since.map(isShippedRecording)).toEqual(since.map(() => true));
    expect(traces).toHaveLength(THEN.length + since.length);
    expect(THEN.map(({ name }) => name).filter((name) => since.some((trace) => trace.name === name))).toEqual([]);
    expect(traces.find(({ id }) => id === RENAMED)).toMatchObject({
      name: NEW_NAME,
      formerly: [OLD_NAME],
      technology: '4G LTE',
      place: 'Road',
      created_at: '2026-01-01T00:00:00.000Z',
    });
    // What its page offers as its recipe is called as it is.
    expect((await server!.json(`/traces/${RENAMED}/recipe`, Recipe)).name).toBe(NEW_NAME);
  });

  it('make the same runs: a spec of 0.1.0 is the experiment that the new names make', async () => {
    await start();
    const names = new Map(
      (await server!.json('/traces', TraceList)).traces.flatMap(({ name, formerly }) =>
        formerly.map((old) => [old, name]),
      ),
    );
    const renamed = JSON.parse(
      JSON.stringify(OLD_SPEC).replaceAll(
        /"trace":"([^"]*)"/g,
        (_, old: string) => `"trace":"${names.get(old) ?? ''}"`,
      ),
    ) as ExperimentSpecInput;
    expect(JSON.stringify(renamed)).toContain(NEW_NAME);
    expect(JSON.stringify(renamed)).not.toContain(OLD_NAME);
    const before = await server!.submit(OLD_SPEC);
    const after = await server!.submit(renamed);
    expect(after.id).toBe(before.id);
    expect(before.cells).toHaveLength(7);
    expect(before.cells.map(({ trace_name }) => trace_name)).toContain(NEW_NAME);
    expect(before.spec.reverse).toEqual({ trace: RENAMED });
    await server!.over(after);
  });

  it('stay with them when somebody brings a trace of such a name', async () => {
    await start();
    const mine = await upload(server!, OLD_NAME);
    expect(server!.lab.traces.find(OLD_NAME)?.id).toBe(RENAMED);
    expect(server!.lab.traces.find(mine.id)?.name).toBe(OLD_NAME);
  });
});

describe('a trace of one’s own that has the name a shipped one is to have', () => {
  const MINE = { id: 'a'.repeat(64), name: NEW_NAME };
  const again = (): Promise<void> => importLibrary(server!.lab.traces, server!.lab.store, pino({ level: 'silent' }));

  it('keeps it, and specs that use it mean it', async () => {
    folderOfThen([MINE]);
    await start();
    const { traces } = server!.lab;
    expect(traces.get(MINE.id)).toMatchObject({ name: NEW_NAME, origin: 'upload', description: 'as it was' });
    expect(traces.find(NEW_NAME)?.id).toBe(MINE.id);
    expect(traces.find(OLD_NAME)?.id).toBe(RENAMED);
    expect(traces.get(RENAMED)).toMatchObject({ name: `${NEW_NAME} (shipped)`, formerly: [OLD_NAME] });
    await again();
    expect(traces.find(NEW_NAME)?.id).toBe(MINE.id);
    expect(traces.get(RENAMED).name).toBe(`${NEW_NAME} (shipped)`);
    // Named otherwise it makes room.
    await patch(server!, MINE.id, { name: 'Mine' });
    await again();
    expect(traces.get(RENAMED)).toMatchObject({ name: NEW_NAME, formerly: [OLD_NAME, `${NEW_NAME} (shipped)`] });
    expect(traces.find(NEW_NAME)?.id).toBe(RENAMED);
    expect(traces.find('Mine')?.id).toBe(MINE.id);
  });

  it('does not take it from a shipped one that has it', async () => {
    await start();
    const mine = await upload(server!, NEW_NAME);
    await again();
    expect(server!.lab.traces.find(NEW_NAME)?.id).toBe(RENAMED);
    expect(server!.lab.traces.get(RENAMED).name).toBe(NEW_NAME);
    expect(server!.lab.traces.get(mine.id).name).toBe(NEW_NAME);
  });
});

describe('a trace that is renamed', () => {
  it('is meant by its old name, until another one has it', async () => {
    await start();
    const { traces } = server!.lab;
    const first = await upload(server!, 'walk.down');
    await patch(server!, first.id, { name: 'Walk by the lake', technology: '5G', place: 'Lake' });
    expect(traces.get(first.id)).toMatchObject({ formerly: ['walk.down'], technology: '5G', place: 'Lake' });
    expect(traces.find('walk.down')?.id).toBe(first.id);
    const second = await upload(server!, 'walk.down', `${TRACE}500\n`);
    expect(traces.find('walk.down')?.id).toBe(second.id);
    for (let i = 0; i < 30; i++) await patch(server!, first.id, { name: `Walk ${i}` });
    expect(traces.get(first.id).formerly).toHaveLength(20);
    await patch(server!, first.id, { name: 'Walk 28' });
    expect(traces.get(first.id).formerly).not.toContain('Walk 28');
    expect(traces.get(first.id).formerly.at(-1)).toBe('Walk 29');
  });
});

describe('the list of traces', () => {
  const names = async (query: Record<string, string>): Promise<string[]> => {
    const list = await server!.json(`/traces?${new URLSearchParams(query).toString()}`, TraceList);
    return list.traces.map(({ name }) => name);
  };

  it('has one’s own first, the newest before all others, and is searched and sorted', async () => {
    await start();
    const first = await upload(server!, 'first.down');
    const second = await upload(server!, 'second.down', `${TRACE}500\n`);
    await patch(server!, first.id, { name: 'Tram', technology: '4G LTE', place: 'Zürich' });
    const all = await names({});
    expect(all.slice(0, 3)).toEqual([second.name, 'Tram', '1 Gbps to nothing, modelled']);
    // As people count.
    expect(all.indexOf('3G drive, 9.2 Mbps')).toBe(all.indexOf('3G drive, 10.4 Mbps') - 1);
    expect(await names({ search: '4g LTE zürich' })).toEqual(['Tram']);
    expect(await names({ search: 'FIRST.down' })).toEqual(['Tram']);
    expect(await names({ search: OLD_NAME })).toEqual([NEW_NAME]);
    expect(await names({ search: '4g-drive-a' })).toEqual([NEW_NAME]);
    expect(await names({ technology: '3G HSPA', sort: '-mean' })).toEqual([
      '3G drive, 10.4 Mbps',
      '3G drive, 9.2 Mbps',
      '3G HSPA+ city drive, recorded',
    ]);
    expect(await names({ place: 'Indoors' })).toEqual(['Indoor hotspot, 603 Mbps']);
    expect(await names({ search: 'nowhere' })).toEqual([]);
    const asked = await fetch(server!.url('/traces?sort=age'));
    expect(asked.status).toBe(400);
  });
});
