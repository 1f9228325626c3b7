// What each holds is what the data folder has of theirs, and where each is bounded nobody holds more, however they ask.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { MadeToken } from '#protocol/access';
import { ExperimentRecord, Plan, TraceRecord } from '#protocol/api';
import { HoldingList, type Holding } from '#protocol/holdings';
import { folderBytes } from '../quota.ts';
import { ownText } from '../testing/own-texts.ts';
import { testFolder, testFolderOfFile } from '../testing/folder.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { QUICK, TestServer } from '../testing/server.ts';

const OPERATORS = 'the-token-of-the-operator';
const folderOfFile = testFolderOfFile();
const folder = testFolder();

/** A server, and those who come to it. */
class Lab {
  readonly tokens = { operator: OPERATORS, ann: '', bob: '', vera: '' };
  readonly server: TestServer;

  private constructor(server: TestServer) {
    this.server = server;
  }

  static async open(options: Parameters<typeof TestServer.start>[0]): Promise<Lab> {
    const lab = new Lab(await TestServer.start({ token: OPERATORS, ...options }));
    for (const name of ['ann', 'bob', 'vera'] as const) {
      const role = name === 'vera' ? 'viewer' : 'author';
      lab.tokens[name] = MadeToken.parse((await lab.ask('operator', 'POST', '/tokens', { name, role })).json).token;
    }
    return lab;
  }

  async ask(who: keyof Lab['tokens'], method: string, path: string, body?: object | string | Buffer) {
    const isJson = typeof body === 'object' && !(body instanceof Buffer);
    const answer = await fetch(this.server.url(path), {
      method,
      headers: {
        authorization: `Bearer ${this.tokens[who]}`,
        ...(body === undefined ? {} : { 'content-type': isJson ? 'application/json' : 'text/plain' }),
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
    });
    const json: unknown = await answer.json();
    const { code = '', detail = '' } = json as { code?: string; detail?: string };
    return { status: answer.status, json, code, detail };
  }

  async run(who: keyof Lab['tokens'], spec: object): Promise<ExperimentRecord> {
    const { status, json } = await this.ask(who, 'POST', '/experiments', spec);
    if (status >= 400) throw new Error(JSON.stringify(json));
    const record = ExperimentRecord.parse(json);
    await this.server.over(record);
    return record;
  }

  async held(who: keyof Lab['tokens']): Promise<Holding[]> {
    return HoldingList.parse((await this.ask(who, 'GET', '/holdings')).json).holdings;
  }

  async heldBy(name: string): Promise<Holding> {
    const found = (await this.held('operator')).find((held) => held.name === name);
    return found ?? { name, via: 'token', bytes: 0, queued_bytes: 0, deleted_bytes: 0 };
  }

  /** Also when it is deleted, as long as it can be restored. */
  isThere(experiment: string): boolean {
    return this.server.lab.store.experiments.isReady(experiment) === true;
  }

  runs(experiment: string): string[] {
    const { experiments } = this.server.lab.store;
    return experiments.storedRefs(experiment, { from: 0, to: experiments.places(experiment) }).map(({ id }) => id);
  }

  /** Nothing starts any more. */
  hold(): void {
    this.server.lab.scheduler.hold.begin({ cause: 'damaged', reason: 'held by a test', hint: '' });
  }
}

const lines = (count: number, first = 1): string =>
  Array.from({ length: count }, (_, i) => `${first + i * 2}`).join('\n') + '\n';

/** Bytes of the samples, frames, manifests and summaries of runs, each counted by itself. */
function bytesOfRuns({ lab }: TestServer, runs: Iterable<string>): number {
  const { db } = lab.store;
  let bytes = 0;
  for (const run of new Set(runs)) {
    for (const [table, column] of [
      ['sample_blobs', 'payload'],
      ['control_blobs', 'payload'],
      ['control_frames', 'body'],
      ['run_sampled', 'body'],
    ] as const)
      for (const value of db.prepare(`SELECT ${column} FROM ${table} WHERE run_id = ?`).pluck().all(run))
        bytes += Buffer.byteLength(value as Buffer);
    const row = db
      .prepare('SELECT r.summary, m.body FROM runs r JOIN manifests m ON m.number = r.manifest_number WHERE r.id = ?')
      .get(run) as { summary: string; body: string };
    bytes += Buffer.byteLength(row.summary) + Buffer.byteLength(row.body);
  }
  return bytes;
}
const runsOf = ({ runs }: ExperimentRecord): string[] => runs.map(({ id }) => id);

describe('what each holds', () => {
  let lab: Lab;
  const dataDir = folderOfFile();
  beforeAll(async () => {
    lab = await Lab.open({ dataDir });
  });
  afterAll(() => lab.server.close());

  it('is what the database and the folder have of theirs, a run counting once, to whom it belongs', async () => {
    const { server } = lab;
    const anns = await lab.run('ann', { ...QUICK, ccas: [{ id: 'cubic' }, { id: 'newreno' }] });
    const bobs = await lab.run('bob', { ...QUICK, ccas: [{ id: 'cubic' }, { id: 'copa' }] });
    const shared = runsOf(bobs).filter((run) => runsOf(anns).includes(run));
    expect(shared).not.toHaveLength(0);
    const trace = TraceRecord.parse((await lab.ask('ann', 'POST', '/traces?name=Mine', lines(5000))).json);
    await lab.ask('ann', 'POST', '/algorithms', ownText('Still'));

    const file = statSync(join(dataDir, 'traces', `${trace.id}.trace`)).size;
    const own = Number(
      server.lab.store.db
        .prepare('SELECT COALESCE(SUM(LENGTH(text || declaration)), 0) FROM own_algorithms')
        .pluck()
        .get(),
    );
    expect(await lab.heldBy('ann')).toEqual({
      name: 'ann',
      via: 'token',
      bytes: bytesOfRuns(server, runsOf(anns)) + file + own,
      queued_bytes: 0,
      deleted_bytes: 0,
    });
    const bobsAlone = runsOf(bobs).filter((run) => !shared.includes(run));
    expect((await lab.heldBy('bob')).bytes).toBe(bytesOfRuns(server, bobsAlone));
    // All of it is in the folder.
    const all = (await lab.held('operator')).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(all).toBeLessThan(await folderBytes(dataDir));
  });

  it('is told to themselves, and all of it to operators, who holds most first', async () => {
    expect((await lab.held('ann')).map(({ name }) => name)).toEqual(['ann']);
    expect(await lab.held('vera')).toMatchObject([{ name: 'vera', bytes: 0 }]);
    const held = await lab.held('operator');
    expect(held.map(({ name }) => name)).toEqual(expect.arrayContaining(['ann', 'bob']) as string[]);
    expect(held.map(({ bytes }) => bytes)).toEqual(held.map(({ bytes }) => bytes).toSorted((a, b) => b - a));
    const paceline = (token: string): Promise<Ended> =>
      new TestProcess('bin/paceline.mjs', ['holdings', '--server', lab.server.page], folder(), {
        PACELINE_TOKEN: token,
      }).ended();
    expect((await paceline(OPERATORS)).stdout).toMatch(/ann +\d+.*bob/s);
    expect((await paceline(lab.tokens.bob)).stdout).not.toContain('ann');
  });
});

describe('where each may hold no more than the operator says', () => {
  let lab: Lab;
  let one: number;
  let most: number;
  const spec = (rate: number): object => ({ ...QUICK, traces: [{ rate_mbps: rate }] });
  beforeAll(async () => {
    const asking = await TestServer.start();
    one = Plan.parse(await (await asking.post('/plan', spec(1))).json()).estimate_bytes;
    await asking.close();
    most = Math.round(one * 3.5);
  });
  beforeEach(async () => {
    lab = await Lab.open({ dataDir: folder(), maxDataEach: most });
    return () => lab.server.close();
  });

  it('admits no more than fits when all comes at once, and what waits counts', async () => {
    lab.hold();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, seed) => lab.ask('ann', 'POST', '/experiments', spec(seed + 1))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['507 HOLDINGS_EXCEEDED']));
    expect(refused[0]?.detail).toMatch(/^each person may hold .* you hold .* of it for runs that are not over$/);
    expect(await lab.heldBy('ann')).toMatchObject({ bytes: 3 * one, queued_bytes: 3 * one });
    // It is said before somebody tries.
    const plan = Plan.parse((await lab.ask('ann', 'POST', '/plan', spec(90))).json);
    expect(plan.warnings.join()).toMatch(/there is room for .* more: this may take up to .*, and will be refused/);
    // Others have their own room, and operators all there is.
    expect((await lab.ask('bob', 'POST', '/experiments', spec(50))).status).toBe(201);
    for (const seed of [60, 61, 62, 63, 64])
      expect((await lab.ask('operator', 'POST', '/experiments', spec(seed))).status).toBe(201);
  });

  it('runs again no more than fits of what was stopped', async () => {
    lab.hold();
    const made: string[] = [];
    for (const rate of [1, 2, 3, 4, 5]) {
      made.push(ExperimentRecord.parse((await lab.ask('ann', 'POST', '/experiments', spec(rate))).json).id);
      await lab.ask('ann', 'POST', `/experiments/${made.at(-1)}/stop`);
    }
    expect((await lab.heldBy('ann')).queued_bytes).toBe(0);
    const answers = await Promise.all(made.slice(1).map((id) => lab.ask('ann', 'POST', `/experiments/${id}/retry`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 507]);
    const [run = ''] = lab.runs(made[0] ?? '');
    expect((await lab.ask('ann', 'POST', `/runs/${run}/retry`)).code).toBe('HOLDINGS_EXCEEDED');
    expect((await lab.heldBy('ann')).queued_bytes).toBe(3 * one);
  });

  it('counts anew when more of an experiment is to be made', async () => {
    lab.hold();
    const three = { ...spec(9), ccas: [{ id: 'cubic' }, { id: 'newreno' }, { id: 'copa' }] };
    const { id } = ExperimentRecord.parse((await lab.ask('ann', 'POST', '/experiments', three)).json);
    for (const run of lab.runs(id).slice(1)) await lab.ask('ann', 'POST', `/runs/${run}/stop`);
    await expect.poll(async () => (await lab.heldBy('ann')).queued_bytes).toBe(one);
    expect((await lab.ask('ann', 'POST', `/experiments/${id}/retry`)).status).toBe(200);
    expect((await lab.heldBy('ann')).queued_bytes).toBe(3 * one);
  });

  it('admits again what fits when runs are over, for they take less than was feared', async () => {
    for (const seed of [1, 2, 3, 4, 5]) await lab.run('ann', spec(seed));
    const { bytes, queued_bytes } = await lab.heldBy('ann');
    expect(queued_bytes).toBe(0);
    expect(bytes).toBeLessThan(most);
  });

  it('lets what somebody has deleted go for good when they need the room, longest ago first, and nothing else', async () => {
    const bobs = await lab.run('bob', spec(70));
    const anns: string[] = [];
    for (let rate = 1; rate < 40; rate++) {
      const { status, json } = await lab.ask('ann', 'POST', '/experiments', spec(rate));
      if (status >= 400) break;
      const record = ExperimentRecord.parse(json);
      await lab.server.over(record);
      anns.push(record.id);
    }
    expect(anns.length).toBeGreaterThan(6);
    const [a = '', b = '', c = '', d = '', e = ''] = anns;
    const deleted = [c, a, e, b, d];
    for (const [who, id] of [['bob', bobs.id], ...deleted.map((id) => ['ann', id])] as ['ann' | 'bob', string][]) {
      expect((await lab.ask(who, 'DELETE', `/experiments/${id}`)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { deleted_bytes } = await lab.heldBy('ann');
    expect(deleted_bytes).toBe(
      bytesOfRuns(
        lab.server,
        deleted.flatMap((id) => lab.runs(id)),
      ),
    );
    // What would not fit either way takes nothing away.
    expect((await lab.ask('ann', 'POST', '/experiments', { ...QUICK, duration_s: 30 })).code).toBe('HOLDINGS_EXCEEDED');
    expect(deleted.every((id) => lab.isThere(id))).toBe(true);

    expect((await lab.ask('ann', 'POST', '/experiments', spec(50))).status).toBe(201);
    const left = deleted.map((id) => lab.isThere(id));
    expect(left).toEqual(left.toSorted((x, y) => Number(x) - Number(y)));
    expect(left[0]).toBe(false);
    expect(left.at(-1)).toBe(true);
    expect([...anns.filter((id) => !deleted.includes(id)), bobs.id].every((id) => lab.isThere(id))).toBe(true);
    expect((await lab.heldBy('ann')).bytes).toBeLessThanOrEqual(most);
    const [last = ''] = deleted.slice(-1);
    expect((await lab.ask('ann', 'POST', `/experiments/${last}/restore`)).status).toBe(200);
  });

  it('takes files in one after the other, whatever they unpack to, and ends one that is too long', async () => {
    // As they are sent, all of them would fit; not as they are kept.
    const packed = (n: number): Buffer => gzipSync(lines(Math.ceil(most / 36), n + 1));
    const sent = Array.from({ length: 8 }, (_, n) => packed(n).byteLength).reduce((sum, bytes) => sum + bytes);
    expect(sent).toBeLessThan(most);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => lab.ask('ann', 'POST', `/traces?name=${n}`, packed(n))),
    );
    const taken = answers.filter(({ status }) => status === 201).length;
    expect(taken).toBeGreaterThan(1);
    expect(taken).toBeLessThan(8);
    // The last of them began where there was room.
    const { bytes } = await lab.heldBy('ann');
    expect(bytes - bytes / taken).toBeLessThan(most);
    expect((8 * bytes) / taken).toBeGreaterThan(most);
    expect(answers.filter(({ status }) => status !== 201).every(({ code }) => code === 'HOLDINGS_EXCEEDED')).toBe(true);
    const plain = Buffer.alloc(Math.ceil(most * 1.1), '1\n');
    expect((await lab.ask('bob', 'POST', '/traces?name=long', plain)).code).toBe('HOLDINGS_EXCEEDED');
    expect((await lab.ask('bob', 'POST', '/trace-sources', plain)).code).toBe('HOLDINGS_EXCEEDED');
    expect((await lab.heldBy('bob')).bytes).toBe(0);
  });
});
