import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { ExperimentList, Problem, TraceList, TraceRecord } from '#protocol/api';
import { ImportedBundle } from '#protocol/bundle';
import { Labels, TagList } from '#protocol/labels';
import { openLab, type Lab } from '../lab.ts';
import { testFolder } from '../testing/folder.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { addExperiment, addRun } from '../testing/runs.ts';
import { LONG, QUICK, TestServer } from '../testing/server.ts';

const folder = testFolder();
const TRACE = '# ms count\n1 3\n5 2\n';
const HOUR_MS = 3_600_000;

async function withServer<T>(use: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await TestServer.start();
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

const ask = (server: TestServer, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(server.url(path), {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const refusal = async (response: Promise<Response>): Promise<Problem> => Problem.parse(await (await response).json());
const ids = async (server: TestServer, query = ''): Promise<string[]> =>
  (await server.json(`/experiments${query}`, ExperimentList)).experiments.map(({ id }) => id);

describe('labels', () => {
  it('are kept of experiments, runs and traces, as they were written, and stand in the lists', () =>
    withServer(async (server) => {
      const { id, runs } = await server.submit(QUICK);
      const run = runs[0]?.id ?? '';
      const note = '# <script>alert(1)</script>\n[here](javascript:alert(1))';
      const said = { name: 'LTE <b>sweep</b>', note, tags: ['my thesis', '#5G'], starred: true };
      const labels = Labels.parse(await (await ask(server, 'PATCH', `/experiments/${id}/labels`, said)).json());
      expect(labels).toEqual({ ...said, tags: ['5G', 'my-thesis'], archived: false, deleted: null });
      const [item] = (await server.json('/experiments', ExperimentList)).experiments;
      expect(item).toMatchObject({ id, name: said.name, labels: { tags: ['5G', 'my-thesis'], starred: true } });
      expect(server.lab.experiments.run(run).experiments[0]?.name).toBe(said.name);

      await ask(server, 'PATCH', `/runs/${run}/labels`, { tags: ['5G'] });
      expect((await server.json('/tags', TagList)).tags[0]).toEqual({ tag: '5G', count: 2 });
      // What is left out stays; a name that is taken back is its own.
      await ask(server, 'PATCH', `/experiments/${id}/labels`, { name: null });
      expect(server.lab.experiments.item(id).name).toBe('quick');
      expect(server.lab.store.labels.get('experiment', id)).toMatchObject({ note, starred: true });

      const brought = await fetch(server.url('/traces?name=tram'), { method: 'POST', body: TRACE });
      const trace = TraceRecord.parse(await brought.json());
      await ask(server, 'PATCH', `/traces/${trace.id}/labels`, { name: 'bus', tags: ['field'] });
      expect(server.lab.traces.get(trace.id)).toMatchObject({ name: 'bus', formerly: ['tram'] });
      expect((await server.json('/traces?search=tag:field', TraceList)).traces.map((one) => one.name)).toEqual(['bus']);
    }));

  it('have bounds, and are of what there is', () =>
    withServer(async (server) => {
      const { id } = await server.submit(QUICK);
      const wrong = [
        { tags: ['x'.repeat(41)] },
        { tags: ['  '] },
        { tags: Array.from({ length: 21 }, (_, i) => `t${i}`) },
        { note: 'x'.repeat(20_001) },
        { deleted_at: null },
      ];
      for (const body of wrong)
        expect((await refusal(ask(server, 'PATCH', `/experiments/${id}/labels`, body))).code).toBe('REQUEST_INVALID');
      const unknown = await refusal(ask(server, 'PATCH', `/experiments/${'a'.repeat(20)}/labels`, { starred: true }));
      expect(unknown.code).toBe('EXPERIMENT_UNKNOWN');
      const shipped = server.lab.traces.list().find(({ origin }) => origin === 'library')?.id ?? '';
      expect((await refusal(ask(server, 'PATCH', `/traces/${shipped}/labels`, { name: 'x' }))).code).toBe(
        'TRACE_SHIPPED',
      );
      expect((await refusal(ask(server, 'DELETE', `/traces/${shipped}`))).code).toBe('TRACE_SHIPPED');
    }));

  it('archive takes out of the list, not away', () =>
    withServer(async (server) => {
      const { id } = await server.submit(QUICK);
      await ask(server, 'PATCH', `/experiments/${id}/labels`, { archived: true });
      expect(await ids(server)).not.toContain(id);
      expect(await ids(server, '?archived=true')).toContain(id);
      expect((await fetch(server.url(`/experiments/${id}`))).status).toBe(200);
    }));
});

describe('what is deleted', () => {
  it('is stopped, gone from every list and address, and comes back', () =>
    withServer(async (server) => {
      const { id, runs } = await server.submit(LONG);
      const run = runs[0]?.id ?? '';
      await server.reaches(run, 'running');
      expect((await ask(server, 'DELETE', `/experiments/${id}`)).status).toBe(200);
      expect(server.lab.scheduler.active.has(run)).toBe(false);
      expect(await ids(server, '?archived=true')).not.toContain(id);
      for (const path of [`/experiments/${id}`, `/experiments/${id}/runs`, `/experiments/${id}/report`, `/runs/${run}`])
        expect(await refusal(fetch(server.url(path))), path).toMatchObject({ code: 'DELETED', status: 410 });
      expect((await refusal(fetch(server.url(`/experiments/${id}`)))).hint).toContain('paceline restore');
      const { deleted } = await server.json(`/experiments/${id}/labels`, Labels);
      expect(Date.parse(deleted?.until ?? '') - Date.parse(deleted?.at ?? '')).toBe(24 * HOUR_MS);

      expect((await server.post(`/experiments/${id}/restore`)).status).toBe(200);
      expect(server.lab.experiments.item(id).state).toBe('cancelled');
      expect(await ids(server)).toContain(id);
      // To ask for the same again brings it back as well.
      await ask(server, 'DELETE', `/experiments/${id}`);
      expect((await server.submit(LONG)).id).toBe(id);
      expect(await ids(server)).toContain(id);
      await server.post(`/experiments/${id}/stop`);
    }));

  it('is no trace that something needs; one that comes again is there again', () =>
    withServer(async (server) => {
      const bring = (): Promise<Response> => fetch(server.url('/traces?name=tram'), { method: 'POST', body: TRACE });
      const { id } = TraceRecord.parse(await (await bring()).json());
      const { id: user } = await server.submit({ ...QUICK, name: 'rides', traces: [{ trace: 'tram' }] });
      const refused = await refusal(ask(server, 'DELETE', `/traces/${id}`));
      expect(refused).toMatchObject({ code: 'IN_USE', status: 409 });
      expect(refused.detail).toContain('the experiment “rides”');

      await ask(server, 'DELETE', `/experiments/${user}`);
      expect((await ask(server, 'DELETE', `/traces/${id}`)).status).toBe(200);
      expect(server.lab.traces.find('tram')).toBeUndefined();
      // The experiment comes back with what it needs.
      await server.post(`/experiments/${user}/restore`);
      expect(server.lab.traces.find('tram')?.id).toBe(id);
      await ask(server, 'DELETE', `/experiments/${user}`);
      await ask(server, 'DELETE', `/traces/${id}`);
      expect((await bring()).status).toBe(200);
      expect(server.lab.traces.get(id).name).toBe('tram');
    }));

  it('is not the experiment that the home page shows', () =>
    withServer(async (server) => {
      const [sample] = await ids(server);
      expect((await refusal(ask(server, 'DELETE', `/experiments/${sample ?? ''}`))).code).toBe('IN_USE');
    }));
});

describe('what was deleted a day ago', () => {
  const EXPERIMENTS = ['a', 'b'].map((letter) => letter.repeat(20));

  async function withLab(use: (lab: Lab, wait: (hours: number) => void) => Promise<void>): Promise<void> {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const lab = openLab({ dataDir: folder(), workers: 1, log: pino({ level: 'silent' }), now: () => now });
    try {
      await use(lab, (hours) => (now += hours * HOUR_MS));
    } finally {
      await lab.close();
    }
  }

  it('is removed with its runs, samples and labels, but for what another experiment has', () =>
    withLab(async (lab, wait) => {
      const { store, organiser, removal } = lab;
      const [first = '', second = ''] = EXPERIMENTS;
      const [own, shared] = [addRun(store, 1), addRun(store, 2)];
      addExperiment(store, first, [own, shared]);
      addExperiment(store, second, [shared]);
      for (const run of [own, shared])
        for (let i = 0; i < 100; i++)
          store.samples.append(run, { stream: 0, firstRow: i, rows: 1, payload: new Uint8Array(12) });
      organiser.change('experiment', first, { tags: ['t'], note: 'n' });
      organiser.change('run', own, { starred: true });
      await organiser.deleteExperiment(first);
      wait(23.9);
      await removal.sweep();
      expect(store.labels.isDeleted('experiment', first)).toBe(true);
      expect(store.samples.heads(own).get(0)).toBe(100);

      wait(0.2);
      await removal.sweep();
      expect(store.experiments.isReady(first)).toBeNull();
      expect([store.runs.state(own), store.runs.state(shared)]).toEqual([null, 'queued']);
      expect([store.samples.heads(own).size, store.samples.heads(shared).get(0)]).toEqual([0, 100]);
      expect(store.labels.get('experiment', first)).toMatchObject({ note: '', tags: [], deleted: null });
      expect(store.labels.get('run', own).starred).toBe(false);
      for (const table of ['labels', 'tags', 'experiment_cells', 'manifests'])
        expect(store.db.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get(), table).toBe(
          { experiment_cells: 1, manifests: 1 }[table] ?? 0,
        );
      expect(lab.experiments.item(second).runs_total).toBe(1);
      await expect(organiser.restoreExperiment(first)).rejects.toMatchObject({ code: 'EXPERIMENT_UNKNOWN' });
    }));

  it('is a trace with its file, once no experiment can come back that needs it', () =>
    withLab(async (lab, wait) => {
      const { store, traces, organiser, removal } = lab;
      const { writeFileSync } = await import('node:fs');
      writeFileSync(`${folder()}/tram`, TRACE);
      const { record } = await traces.add(`${folder()}/tram`, { name: 'tram', origin: 'upload' });
      const [user = ''] = EXPERIMENTS;
      addExperiment(store, user, [addRun(store)]);
      store.db.prepare("UPDATE experiments SET spec = json_set(spec, '$.note', ?)").run(record.id);
      await expect(organiser.deleteTrace(record.id)).rejects.toMatchObject({ code: 'IN_USE' });
      await organiser.deleteExperiment(user);
      await organiser.deleteTrace(record.id);
      wait(12);
      // Deleted again, the experiment stays longer than the trace would.
      await organiser.restoreExperiment(user);
      await organiser.deleteExperiment(user);
      await organiser.deleteTrace(record.id);
      store.labels.delete('trace', record.id, new Date(0).toISOString());
      await removal.sweep();
      expect(existsSync(traces.path(record.id))).toBe(true);
      wait(25);
      await removal.sweep();
      expect(existsSync(traces.path(record.id))).toBe(false);
      expect(store.labels.isDeleted('trace', record.id)).toBe(false);
      expect(() => traces.get(record.id)).toThrow('there is no trace');
    }));

  it('goes on being removed where a server that ended has left it, and can be asked for anew meanwhile', () =>
    withServer(async (server) => {
      const record = await server.submit(QUICK);
      await server.over(record);
      const { store, removal } = server.lab;
      store.labels.beginRemoval('experiment', record.id);
      expect(await refusal(server.post(`/experiments/${record.id}/restore`))).toMatchObject({ code: 'NOT_RESTORABLE' });
      const going = removal.sweep();
      const again = await server.submit(QUICK);
      await going;
      expect(again.id).toBe(record.id);
      await server.over(again);
      const run = again.runs[0]?.id ?? '';
      expect(store.runs.state(run)).toBe('done');
      expect(store.samples.heads(run).size).toBeGreaterThan(0);
    }));
});

it('a bundle carries what is said of its experiment, and the report shows it', async () => {
  const said = { name: 'For the thesis', note: 'Look at *run 2* <b>', tags: ['thesis'], starred: true };
  const bundle = await withServer(async (server) => {
    const record = await server.submit(QUICK);
    await server.over(record);
    await ask(server, 'PATCH', `/experiments/${record.id}/labels`, said);
    const report = await (await fetch(server.url(`/experiments/${record.id}/report`))).text();
    expect(report).toContain('<h1>For the thesis</h1>');
    expect(report).toContain('Look at *run 2* &lt;b&gt;');
    return (await fetch(server.url(`/experiments/${record.id}/bundle`))).arrayBuffer();
  });
  await withServer(async (server) => {
    const answer = await fetch(server.url('/bundles'), {
      method: 'POST',
      body: bundle,
      headers: { 'content-type': 'application/zip' },
    });
    const { spec } = ImportedBundle.parse(await answer.json());
    const { id } = await server.submit(spec);
    expect(await server.json(`/experiments/${id}/labels`, Labels)).toMatchObject(said);
  });
});

describe('on a command line', () => {
  const paceline = (...args: string[]): Promise<Ended> =>
    new TestProcess('bin/paceline.mjs', args, folder(), { ...process.env, PACELINE_DATA_DIR: folder() }).ended();

  it('the same is done in a data folder and at a server that has it', async () => {
    const server = await TestServer.start({ dataDir: folder() });
    let id: string;
    try {
      ({ id } = await server.submit(QUICK));
      expect(await paceline('tag', id, '+thesis')).toMatchObject({ code: 1 });
      const at = ['--server', server.page];
      expect(await paceline('tag', id, '+thesis', '+old', ...at)).toMatchObject({ code: 0, stdout: 'old thesis\n' });
      expect(await paceline('delete', 'nothing', ...at)).toMatchObject({ code: 2 });
      expect(await paceline('rename', id, 'By', 'night', ...at)).toMatchObject({ code: 0 });
      expect((await paceline('delete', id, ...at)).stdout).toContain(`paceline restore ${id}`);
      expect((await paceline('restore', id, ...at)).code).toBe(0);
    } finally {
      await server.stop();
    }
    expect(await paceline('tag', id, '-old')).toMatchObject({ code: 0, stdout: 'thesis\n' });
    await paceline('note', id, 'Two *runs*');
    expect((await paceline('note', id)).stdout).toBe('Two *runs*\n');
    await paceline('star', id);
    const { stdout } = await paceline('experiments', 'tag:thesis');
    expect(stdout.split('\n')[1]).toMatch(/^\* .*thesis +By night$/);
    await paceline('archive', id);
    expect((await paceline('experiments')).stdout).not.toContain(id);
    expect((await paceline('experiments', '--archived', '--json')).stdout).toContain(id);
  });
});
