// Templates as they are shipped, saved, renamed, deleted, brought back, and run from a command line.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '#protocol/api';
import { Template, TEMPLATE_LIMITS, TemplateList } from '#protocol/template';
import { openLab } from '../lab.ts';
import { TestProcess } from '../testing/process.ts';
import { TestServer } from '../testing/server.ts';
import { shippedTemplates } from './read-templates.ts';

const SPEC = { name: 'Quick', traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }], duration_s: 1 };

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(server.url(path), {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const save = async (title: string): Promise<Template> =>
  Template.parse(await (await ask('POST', '/templates', { title, spec: SPEC })).json());
const problem = async (answer: Promise<Response>): Promise<Problem> => Problem.parse(await (await answer).json());
const titles = async (): Promise<string[]> =>
  (await server.json('/templates', TemplateList)).templates.map(({ title }) => title);

describe('templates that are shipped', () => {
  it('are listed first, each with an id and a name of its own', async () => {
    const { templates } = await server.json('/templates', TemplateList);
    expect(templates.filter(({ shipped }) => shipped)).toEqual(shippedTemplates());
    expect(templates.length).toBeGreaterThanOrEqual(4);
    for (const key of ['id', 'title', 'answers'] as const)
      expect(new Set(templates.map((template) => template[key])).size).toBe(templates.length);
  });

  it.each(shippedTemplates().map(({ id }) => id))('%s can be planned', async (id) => {
    const { spec } = server.lab.templates.named(id);
    const plan = await server.lab.experiments.plan(spec);
    expect(plan.runs).toBeGreaterThan(3);
  });

  it('stay as they are', async () => {
    const id = shippedTemplates()[0]?.id ?? '';
    for (const refused of [ask('PATCH', `/templates/${id}`, { title: 'x' }), ask('DELETE', `/templates/${id}`)])
      expect(await problem(refused)).toMatchObject({ code: 'TEMPLATE_REFUSED', where: id });
  });
});

describe('a template of one’s own', () => {
  it('is saved, renamed, deleted and restored', async () => {
    const { id, shipped } = await save('  Weekly\u202e check ');
    expect(shipped).toBe(false);
    expect(await titles()).toContain('Weekly check');
    await ask('PATCH', `/templates/${id}`, { title: 'Monthly check', answers: 'All is well' });
    expect(server.lab.templates.named('monthly CHECK')).toMatchObject({ id, answers: 'All is well' });
    await ask('DELETE', `/templates/${id}`);
    expect(await titles()).not.toContain('Monthly check');
    expect((await ask('PATCH', `/templates/${id}`, { title: 'x' })).status).toBe(404);
    expect((await ask('POST', `/templates/${id}/restore`)).status).toBe(200);
    expect(await titles()).toContain('Monthly check');
    // Twice does no harm.
    expect((await ask('POST', `/templates/${id}/restore`)).status).toBe(200);
  });

  it('has a name that no other has', async () => {
    const { id } = await save('Twin');
    expect(await problem(ask('POST', '/templates', { title: 'twin', spec: SPEC }))).toMatchObject({
      code: 'TEMPLATE_REFUSED',
      where: 'title',
    });
    expect((await ask('POST', '/templates', { title: shippedTemplates()[0]?.title, spec: SPEC })).status).toBe(422);
    expect((await ask('PATCH', `/templates/${id}`, { title: 'TWIN' })).status).toBe(200);
    await ask('DELETE', `/templates/${id}`);
    await save('Twin');
    expect((await ask('POST', `/templates/${id}/restore`)).status).toBe(422);
  });

  it.each([
    [{ title: '', spec: SPEC }],
    [{ title: 'x'.repeat(TEMPLATE_LIMITS.name + 1), spec: SPEC }],
    [{ title: 'No spec', spec: { ...SPEC, ccas: [] } }],
    [{ title: 'More', spec: SPEC, shipped: true }],
  ])('is refused where it is none: %j', async (body) => {
    expect((await ask('POST', '/templates', body)).status).toBe(422);
  });

  it('cannot be anybody’s path', async () => {
    for (const id of ['..%2fx', "a'b", 'A', `t-${'0'.repeat(20)}`])
      expect([400, 404]).toContain((await ask('DELETE', `/templates/${id}`)).status);
  });
});

describe('in a data folder', () => {
  const folders: string[] = [];
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'paceline-templates-'));
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
  });

  it('what was deleted a day ago is removed, and there are so many at most', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const lab = openLab({ dataDir: folder(), workers: 1, log: pino({ level: 'silent' }), now: () => now });
    const spec = shippedTemplates()[0]?.spec;
    if (spec === undefined) throw new Error('there is no template');
    try {
      const { id } = lab.templates.add({ title: 'Old', answers: '', spec });
      lab.templates.delete(id);
      now += 25 * 3_600_000;
      await lab.removal.sweep();
      expect(() => lab.templates.restore(id)).toThrow(/there is no template/);
      for (let i = 0; i < TEMPLATE_LIMITS.most; i++) lab.templates.add({ title: `T${i}`, answers: '', spec });
      expect(() => lab.templates.add({ title: 'One more', answers: '', spec })).toThrow(/200 templates already/);
    } finally {
      await lab.close();
    }
  });

  it('one is run by its name', async () => {
    const data = folder();
    const out = join(data, 'out');
    const lab = openLab({ dataDir: data, workers: 1, log: pino({ level: 'silent' }) });
    lab.templates.add({ title: 'By night', answers: '', spec: Template.shape.spec.parse(SPEC) });
    await lab.close();
    const paceline = (...words: string[]) =>
      new TestProcess('bin/paceline.mjs', ['run', '--out', out, ...words], data, process.env).ended();
    expect((await paceline('--template', 'by night', '--data-dir', data)).code).toBe(0);
    expect(readFileSync(join(out, 'summary.json'), 'utf8')).toContain('Quick');
    const unknown = await paceline('--template', 'By day');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('there is no template "By day"');
    expect(unknown.stderr).toContain('bufferbloat');
    expect((await paceline()).stderr).toContain('which spec? Name one, or a --template');
    expect((await paceline('spec.json', '--template', 'x')).stderr).toContain('not both');
  });
});
