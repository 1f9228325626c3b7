// What is private is not there for others, whatever they ask; and it is there for whose it is, and for operators.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { MadeToken } from '#protocol/access';
import { ExperimentList, ExperimentRecord, RunRecord, SparkList, TraceList, TraceRecord } from '#protocol/api';
import { ImportedBundle } from '#protocol/bundle';
import { TagList } from '#protocol/labels';
import { LIVE_SUBPROTOCOL } from '#protocol/live';
import { RunFieldValues, RunTable } from '#protocol/run-table';
import { ShareAnswers, ShareRecord } from '#protocol/share';
import { WorkersRecord } from '#protocol/workers';
import { testFolder, testFolderOfFile } from '../testing/folder.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { QUICK, TestServer } from '../testing/server.ts';
import { allRoutes } from './app.ts';

const OPERATORS = 'the-token-of-the-operator';
const SECRET = 'zeppelin';
const folder = testFolderOfFile();
const dataDir = folder();
const testDataDir = testFolder();
let server: TestServer;
const tokens = { ann: '', bob: '', vera: '' };

async function fetched(token: string, method: string, url: string, body?: unknown): Promise<Response> {
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  return fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}
async function ask(token: string, method: string, path: string, body?: unknown) {
  const answer = await fetched(token, method, server.url(path), body);
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return { status: answer.status, text, json: isJson ? (JSON.parse(text) as unknown) : null };
}
type Answered = Awaited<ReturnType<typeof ask>>;
const codeOf = ({ status, json }: Answered): string => `${status} ${(json as { code?: string } | null)?.code ?? ''}`;
const detailOf = ({ json }: Answered): unknown => (json as { detail?: unknown }).detail;

async function submit(token: string, spec: object, query = ''): Promise<ExperimentRecord> {
  const answer = await ask(token, 'POST', `/experiments${query}`, spec);
  if (answer.status >= 400) throw new Error(answer.text);
  const record = ExperimentRecord.parse(answer.json);
  await server.over(record);
  return record;
}

/** Some seconds at a rate of its own. */
const textOf = (rate: number): string =>
  `# ms count\n${Array.from({ length: 2000 }, (_, i) => `${i * 5} ${rate + (i % 3)}`).join('\n')}\n`;
async function upload(token: string, name: string, rate: number, query = ''): Promise<TraceRecord> {
  const answer = await ask(token, 'POST', `/traces?name=${encodeURIComponent(name)}${query}`, textOf(rate));
  if (answer.status >= 400) throw new Error(answer.text);
  return TraceRecord.parse(answer.json);
}
const PRIVATE = '?private=true';
const SPEC = { ...QUICK, seed: 77 };

let anns: ExperimentRecord;
let annsTrace: TraceRecord;

beforeAll(async () => {
  server = await TestServer.start({ dataDir, token: OPERATORS });
  for (const name of ['ann', 'bob', 'vera'] as const) {
    const role = name === 'vera' ? 'viewer' : 'author';
    tokens[name] = MadeToken.parse((await ask(OPERATORS, 'POST', '/tokens', { name, role })).json).token;
  }
  anns = await submit(tokens.ann, { ...SPEC, name: `Ann’s ${SECRET}` }, PRIVATE);
  annsTrace = await upload(tokens.ann, `The ${SECRET} line`, 3, '&private=true');
  await ask(tokens.ann, 'PATCH', `/experiments/${anns.id}/labels`, { tags: [SECRET] });
  await ask(tokens.ann, 'PATCH', `/traces/${annsTrace.id}/labels`, { tags: [`${SECRET}-trace`] });
});
afterAll(() => server.close());

describe('an experiment that is private', () => {
  it('is told so to whose it is and to operators, and has an id that its spec does not tell', async () => {
    expect(anns.private).toBe(true);
    for (const token of [tokens.ann, OPERATORS]) {
      const { experiments } = ExperimentList.parse((await ask(token, 'GET', '/experiments')).json);
      expect(experiments.find(({ id }) => id === anns.id)).toMatchObject({
        private: true,
        made_by: { name: 'ann', via: 'token' },
      });
    }
    const { id, private: bobs } = await submit(tokens.bob, { ...SPEC, name: 'the same', seed: 78 });
    expect(bobs).toBeUndefined();
    const again = await submit(tokens.ann, { ...SPEC, name: 'the same', seed: 78 }, PRIVATE);
    expect(again.id).not.toBe(id);
    expect((await submit(tokens.ann, { ...SPEC, name: 'the same', seed: 78 }, PRIVATE)).id).toBe(again.id);
    const bobsOwn = await submit(tokens.bob, { ...SPEC, name: 'the same', seed: 78 }, PRIVATE);
    expect([id, again.id]).not.toContain(bobsOwn.id);
  });

  it('is at no address for others, nor are its runs or a private trace: not one differs from what there never was', async () => {
    const ids = { experiment: anns.id, run: anns.runs[0]!.id, trace: annsTrace.id };
    const never = { experiment: 'a'.repeat(20), run: 'a'.repeat(20), trace: 'a'.repeat(64) };
    const asked: string[] = [];
    for (const { method, path } of allRoutes(server.lab)) {
      const kind = (['experiment', 'run', 'trace'] as const).find((one) => `${path}/`.startsWith(`/${one}s/:id/`));
      if (kind === undefined) continue;
      const at = (id: string): string => path.replace(':id', id).replaceAll(/:\w+/g, '0');
      for (const token of [tokens.bob, tokens.vera]) {
        const answer = await ask(token, method.toUpperCase(), at(ids[kind]));
        if (codeOf(answer) === '403 ROLE_REFUSED' && token === tokens.vera) continue;
        expect(`${method} ${path} ${codeOf(answer)}`).toBe(`${method} ${path} 404 ${kind.toUpperCase()}_UNKNOWN`);
        expect(answer.text).not.toContain(SECRET);
        const other = await ask(token, 'GET', at(never[kind]).split('/').slice(0, 3).join('/'));
        expect(String(detailOf(answer)).replace(ids[kind], '')).toBe(String(detailOf(other)).replace(never[kind], ''));
      }
      asked.push(`${method} ${path}`);
    }
    expect(asked.length).toBeGreaterThan(35);
  });

  it('is in no list, count, search or completion of others', async () => {
    for (const token of [tokens.bob, tokens.vera]) {
      const lists = await Promise.all(
        [
          '/experiments?archived=true',
          '/runs',
          '/tags',
          '/traces?archived=true',
          '/workers',
          ...['experiment', 'tag', 'trace', 'cca'].map((field) => `/run-values?field=${field}`),
          `/runs?q=${SECRET}`,
          `/runs?group=trace&figures=utilisation`,
          '/studies',
          '/shares',
          '/templates',
          '/home',
        ].map((path) => ask(token, 'GET', path)),
      );
      for (const { status, text } of lists) {
        expect(status).toBe(200);
        // What was asked for may be said back.
        expect(text.replaceAll(`"q":"${SECRET}"`, '')).not.toContain(SECRET);
        expect(text).not.toContain(anns.id);
      }
    }
    const own = [
      TagList.parse((await ask(tokens.ann, 'GET', '/tags')).json).tags.map(({ tag }) => tag),
      RunFieldValues.parse((await ask(tokens.ann, 'GET', '/run-values?field=tag')).json).values,
      WorkersRecord.parse((await ask(tokens.ann, 'GET', '/workers')).json).experiments.map(({ name }) => name),
    ];
    expect(own.map((names) => names.some((name) => name.includes(SECRET)))).toEqual([true, true, true]);
  });

  it('lends its runs to who makes the same, and no word of itself', async () => {
    const [shared] = anns.runs;
    const sparks = async (): Promise<number> =>
      SparkList.parse((await ask(tokens.bob, 'GET', `/sparks?runs=${shared!.id}`)).json).sparks.length;
    expect(await sparks()).toBe(0);
    const bobs = await submit(tokens.bob, { ...SPEC, name: 'Bob’s', seed: 77 });
    expect(bobs.runs[0]!.id).toBe(shared!.id);
    expect(await sparks()).toBe(1);
    const run = RunRecord.parse((await ask(tokens.bob, 'GET', `/runs/${shared!.id}`)).json);
    expect(run.experiments.map(({ name }) => name)).toEqual(['Bob’s']);
    const found = async (token: string, q: string): Promise<RunTable> =>
      RunTable.parse((await ask(token, 'GET', `/runs?q=${encodeURIComponent(q)}`)).json);
    for (const q of [`experiment:${SECRET}`, `tag:${SECRET}`, SECRET, `experiment:${anns.id}`])
      expect([q, (await found(tokens.bob, q)).total, (await found(tokens.ann, q)).total > 0]).toEqual([q, 0, true]);
    const { rows } = await found(tokens.bob, 'experiment:Bob');
    expect(rows.map(({ id, experiment, tags }) => [id, experiment.name, tags])).toEqual([[shared!.id, 'Bob’s', []]]);
    // It is Bob’s to stop or name, for all that he can tell; and Ann is not named to him.
    const named = await ask(tokens.bob, 'PATCH', `/runs/${shared!.id}/labels`, { note: 'mine' });
    expect(named.status).toBe(200);
    // To the operator a share tells of what all may see alone.
    const share = ShareRecord.parse(
      (await ask(OPERATORS, 'POST', '/shares', { address: `/r/${shared!.id}`, title: 'one', note: '' })).json,
    );
    const answers = await ask(tokens.bob, 'GET', `/shares/${share.slug}/answers`);
    expect(ShareAnswers.safeParse(answers.json).success).toBe(true);
    expect(answers.text).not.toContain(SECRET);
  });

  it('goes on with nothing of another’s, and others freeze nothing of it', async () => {
    const spec = { ...SPEC, seed: 90 };
    for (const path of ['/plan', '/experiments'])
      expect(codeOf(await ask(tokens.bob, 'POST', `${path}?measured_with=${anns.id}`, spec))).toBe(
        '404 EXPERIMENT_UNKNOWN',
      );
    expect((await ask(tokens.ann, 'POST', `/plan?measured_with=${anns.id}`, spec)).status).toBe(200);
    const address = { title: 'frozen', note: '' };
    const frozen = (token: string, view: string): Promise<Answered> =>
      ask(token, 'POST', '/shares', { ...address, address: view });
    expect(codeOf(await frozen(tokens.bob, `/e/${anns.id}`))).toBe('404 EXPERIMENT_UNKNOWN');
    expect(codeOf(await frozen(tokens.bob, `/traces/${annsTrace.id}`))).toBe('404 TRACE_UNKNOWN');
    const made = await frozen(tokens.ann, `/e/${anns.id}`);
    expect(made.status).toBe(201);
    // Whoever freezes it shows it: that is what a share is for.
    const { slug } = ShareRecord.parse(made.json);
    expect((await ask(tokens.bob, 'GET', `/shares/${slug}/answers`)).status).toBe(200);
    await ask(tokens.ann, 'DELETE', `/shares/${slug}`);
  });

  it('has no picture, no words in a page’s head, and no live samples for others', async () => {
    for (const path of [`e/${anns.id}`, `traces/${annsTrace.id}`]) {
      const picture = (token: string): Promise<Response> =>
        fetched(token, 'GET', new URL(`/og/${path}.png`, server.page).href);
      expect((await picture(tokens.bob)).status).toBe(404);
      expect((await picture(tokens.ann)).status).toBe(200);
    }
    const alone = await submit(tokens.ann, { ...SPEC, name: SECRET, seed: 91 }, PRIVATE);
    const refusals = await new Promise<string[]>((resolve, reject) => {
      const codes: string[] = [];
      const headers = { authorization: `Bearer ${tokens.bob}` };
      const socket = new WebSocket(server.live, LIVE_SUBPROTOCOL, { headers });
      socket.on('error', reject);
      socket.on('open', () => {
        socket.send(JSON.stringify({ type: 'watch', experiment: alone.id }));
        socket.send(
          JSON.stringify({ type: 'subscribe', subscription: 1, run: alone.runs[0]!.id, from: {}, from_control: 0 }),
        );
      });
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as { type: string; code?: string };
        codes.push(`${message.type} ${message.code ?? ''}`);
        if (codes.length === 2) {
          socket.close();
          resolve(codes);
        }
      });
    });
    expect(refusals).toEqual(['error EXPERIMENT_UNKNOWN', 'error RUN_UNKNOWN']);
  });

  it('is published by its maker, at the address that it has, for good', async () => {
    const made = await submit(tokens.ann, { ...SPEC, name: 'soon for all', seed: 92 }, PRIVATE);
    const at = `/experiments/${made.id}`;
    expect(codeOf(await ask(tokens.bob, 'POST', `${at}/publish`))).toBe('404 EXPERIMENT_UNKNOWN');
    const published = ExperimentRecord.parse((await ask(tokens.ann, 'POST', `${at}/publish`)).json);
    expect([published.id, published.private]).toEqual([made.id, undefined]);
    expect(ExperimentRecord.parse((await ask(tokens.bob, 'GET', at)).json).made_by?.name).toBe('ann');
    expect(codeOf(await ask(tokens.bob, 'POST', `${at}/publish`))).toBe('403 NOT_YOURS');
  });
});

it('is published from a terminal, at a server and in a data folder', async () => {
  const other = testDataDir();
  const own = await TestServer.start({ dataDir: other, token: OPERATORS });
  const paceline = (...args: string[]): Promise<Ended> => {
    const env = { ...process.env, PACELINE_TOKEN: OPERATORS, PACELINE_DATA_DIR: other };
    return new TestProcess('bin/paceline.mjs', args, other, env).ended();
  };
  const started = async (seed: number): Promise<string> => {
    const answer = await fetched(OPERATORS, 'POST', own.url(`/experiments${PRIVATE}`), { ...SPEC, seed });
    return ExperimentRecord.parse(await answer.json()).id;
  };
  const states = async (): Promise<string> => (await paceline('experiments', '--server', own.page)).stdout;
  let second: string;
  try {
    const first = await started(1);
    second = await started(2);
    expect(await states()).toMatch(new RegExp(`${first}.*, private`));
    expect(await paceline('publish', first, '--server', own.page)).toMatchObject({
      code: 0,
      stdout: `${first} is for all who may look\n`,
    });
    expect(await states()).not.toMatch(new RegExp(`${first}.*private`));
    expect(await states()).toMatch(new RegExp(`${second}.*, private`));
  } finally {
    await own.close();
  }
  expect(await paceline('publish', second)).toMatchObject({ code: 0 });
  const again = await TestServer.start({ dataDir: other, token: OPERATORS });
  try {
    expect(again.lab.store.private.has('experiment', second)).toBe(false);
  } finally {
    await again.close();
  }
});

describe('a trace that is private', () => {
  const over = (trace: string, seed: number): object => ({ ...SPEC, name: 'over it', seed, traces: [{ trace }] });

  it('is there by name and by content for whose it is alone', async () => {
    for (const reference of [annsTrace.id, annsTrace.name]) {
      for (const path of ['/plan', '/experiments']) {
        const refused = await ask(tokens.bob, 'POST', path, over(reference, 1));
        expect(codeOf(refused)).toBe('422 SPEC_INVALID');
        expect(refused.text.replaceAll(annsTrace.name, '')).not.toContain(SECRET);
      }
      expect((await ask(tokens.ann, 'POST', '/plan', over(reference, 1))).status).toBe(200);
    }
    const list = TraceList.parse((await ask(tokens.ann, 'GET', '/traces')).json).traces;
    expect(list.find(({ id }) => id === annsTrace.id)?.private).toBe(true);
    const edit = { name: 'both', description: '', steps: [{ op: 'concatenate', trace: annsTrace.id }] };
    const [shipped] = list.filter(({ origin }) => origin === 'library');
    expect(codeOf(await ask(tokens.bob, 'POST', `/traces/${shipped!.id}/edits`, edit))).toBe('404 TRACE_UNKNOWN');
    const both = TraceRecord.parse((await ask(tokens.ann, 'POST', `/traces/${shipped!.id}/edits`, edit)).json);
    expect(both.private).toBe(true);
  });

  it('makes what runs over it private, until it is published itself', async () => {
    const line = await upload(tokens.ann, 'published later', 4, '&private=true');
    const made = await submit(tokens.ann, over(line.name, 2));
    expect(made.private).toBe(true);
    expect(codeOf(await ask(tokens.bob, 'GET', `/experiments/${made.id}`))).toBe('404 EXPERIMENT_UNKNOWN');
    const early = await ask(tokens.ann, 'POST', `/experiments/${made.id}/publish`);
    expect([codeOf(early), detailOf(early)]).toEqual([
      '409 STILL_PRIVATE',
      'it runs over “published later”, which is private',
    ]);
    expect((await ask(tokens.ann, 'POST', `/traces/${line.id}/publish`)).status).toBe(200);
    expect((await ask(tokens.bob, 'GET', `/traces/${line.id}`)).status).toBe(200);
    expect(codeOf(await ask(tokens.bob, 'GET', `/experiments/${made.id}`))).toBe('404 EXPERIMENT_UNKNOWN');
    expect((await ask(tokens.ann, 'POST', `/experiments/${made.id}/publish`)).status).toBe(200);
    expect((await ask(tokens.bob, 'GET', `/experiments/${made.id}`)).status).toBe(200);
  });

  it('takes no name away from a trace that all may see', async () => {
    const name = 'Step between 12 and 48 Mbps';
    const shipped = TraceList.parse((await ask(tokens.bob, 'GET', '/traces')).json).traces.find(
      (one) => one.name === name,
    );
    await upload(tokens.ann, name, 5, '&private=true');
    await upload(tokens.ann, 'nobody else has it', 8, '&private=true');
    const tracesOf = async (token: string): Promise<unknown> => {
      const { spec } = await submit(token, over(name, 3));
      return spec.traces;
    };
    expect(await tracesOf(tokens.bob)).toMatchObject([{ trace: shipped?.id }]);
    expect(await tracesOf(OPERATORS)).toMatchObject([{ trace: shipped?.id }]);
    expect(server.lab.traces.find(name)?.id).toBe(shipped?.id);
    expect(server.lab.traces.find('nobody else has it')).toBeDefined();
  });

  it('is also whose who brings the same, private as well or for all', async () => {
    const anns = await upload(tokens.ann, 'twice', 6, '&private=true');
    expect((await upload(tokens.bob, 'twice', 6, '&private=true')).id).toBe(anns.id);
    expect(codeOf(await ask(tokens.vera, 'GET', `/traces/${anns.id}`))).toBe('404 TRACE_UNKNOWN');
    for (const token of [tokens.ann, tokens.bob])
      expect(TraceRecord.parse((await ask(token, 'GET', `/traces/${anns.id}`)).json).private).toBe(true);
    // Their own once more, without a word: as it was.
    expect((await upload(tokens.ann, 'twice', 6)).private).toBe(true);
    expect((await upload(OPERATORS, 'twice', 6)).private).toBeUndefined();
    expect((await ask(tokens.vera, 'GET', `/traces/${anns.id}`)).status).toBe(200);
  });

  it('is brought by a bundle to who has that, and to nobody else', async () => {
    const line = await upload(tokens.ann, 'in a bundle', 9, '&private=true');
    const made = await submit(tokens.ann, over(line.id, 5));
    await ask(tokens.ann, 'PATCH', `/experiments/${made.id}/labels`, { tags: ['in-the-bundle'] });
    const bundle = await fetched(tokens.ann, 'GET', server.url(`/experiments/${made.id}/bundle`));
    const brought = await fetch(server.url('/bundles'), {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.bob}`, 'content-type': 'application/zip' },
      body: await bundle.arrayBuffer(),
    });
    const { traces, spec } = ImportedBundle.parse(await brought.json());
    expect(traces).toEqual([line.id]);
    // What is said of it comes along, to the same and nobody else.
    const tagsOf = async (token: string): Promise<boolean> =>
      (await ask(token, 'GET', '/tags')).text.includes('in-the-bundle');
    expect([await tagsOf(tokens.vera), await tagsOf(tokens.bob)]).toEqual([false, true]);
    const bobs = await submit(tokens.bob, spec);
    expect([bobs.private, bobs.id === made.id]).toEqual([true, false]);
    const labels = await ask(tokens.bob, 'GET', `/experiments/${bobs.id}/labels`);
    expect(labels.json).toMatchObject({ tags: ['in-the-bundle'] });
    for (const token of [tokens.ann, tokens.bob])
      expect(TraceRecord.parse((await ask(token, 'GET', `/traces/${line.id}`)).json).private).toBe(true);
    expect(codeOf(await ask(tokens.vera, 'GET', `/traces/${line.id}`))).toBe('404 TRACE_UNKNOWN');
  });

  it('is named to others by no refusal', async () => {
    const line = await upload(tokens.ann, 'needed', 7, '&private=true');
    await upload(tokens.bob, 'needed', 7, '&private=true');
    await submit(tokens.bob, { ...over(line.id, 4), name: 'of Bob’s alone' });
    const refused = await ask(tokens.ann, 'DELETE', `/traces/${line.id}`);
    expect([codeOf(refused), detailOf(refused)]).toEqual([
      '409 IN_USE',
      'the trace “needed” is needed by a private experiment',
    ]);
  });
});

it('stays private when the server starts again, and is everybody’s sight at one that asks nobody', async () => {
  await server.stop();
  server = await TestServer.start({ dataDir, token: OPERATORS });
  expect(codeOf(await ask(tokens.bob, 'GET', `/experiments/${anns.id}`))).toBe('404 EXPERIMENT_UNKNOWN');
  expect((await submit(tokens.ann, { ...SPEC, name: `Ann’s ${SECRET}` }, PRIVATE)).id).toBe(anns.id);
  await server.stop();
  server = await TestServer.start({ dataDir });
  const { experiments } = ExperimentList.parse(await (await fetch(server.url('/experiments'))).json());
  expect(experiments.map(({ id }) => id)).toContain(anns.id);
  const refused = await server.post(`/experiments${PRIVATE}`, SPEC);
  expect(await refused.json()).toMatchObject({ status: 422, code: 'NOBODY_TOLD_APART' });
});
