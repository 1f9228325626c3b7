// What an author has made is theirs to change, stop and delete, and an operator's; what nobody has made is everybody's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MadeToken } from '#protocol/access';
import { ExperimentList, ExperimentRecord, TraceRecord } from '#protocol/api';
import { ShareAnswers, ShareList, ShareRecord } from '#protocol/share';
import { Template } from '#protocol/template';
import { testFolderOfFile } from '../testing/folder.ts';
import { ownText } from '../testing/own-texts.ts';
import { LONG, QUICK, TestServer } from '../testing/server.ts';
import { allRoutes } from './app.ts';
import { neededBy } from './callers.ts';

const OPERATORS = 'the-token-of-the-operator';
const folder = testFolderOfFile();
const dataDir = folder();
let server: TestServer;
const tokens = { ann: '', bob: '', viewer: '' };

async function ask(token: string, method: string, path: string, body?: unknown, type = 'application/json') {
  const answer = await fetch(server.url(path), {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return { status: answer.status, json: isJson ? (JSON.parse(text) as unknown) : null };
}
type Answered = Awaited<ReturnType<typeof ask>>;
const codeOf = ({ status, json }: Answered): string => `${status} ${(json as { code?: string } | null)?.code ?? ''}`;
const submit = async (token: string, spec: object): Promise<ExperimentRecord> =>
  ExperimentRecord.parse((await ask(token, 'POST', '/experiments', spec)).json);
const give = async (name: string, role: string): Promise<MadeToken> =>
  MadeToken.parse((await ask(OPERATORS, 'POST', '/tokens', { name, role })).json);

/** Made while nobody was asked. */
let everybodys: ExperimentRecord;

beforeAll(async () => {
  server = await TestServer.start({ dataDir });
  everybodys = await server.submit({ ...QUICK, name: 'everybody’s' });
  await server.over(everybodys);
  await server.close();
  server = await TestServer.start({ dataDir, token: OPERATORS });
  tokens.ann = (await give('Ann', 'author')).token;
  tokens.bob = (await give('Bob', 'author')).token;
  tokens.viewer = (await give('Vera', 'viewer')).token;
});
afterAll(() => server.close());

it('every address that changes something which has a maker says so', () => {
  const free = [
    // An upload on its way is known to who sends it alone. Anybody may lay a measurement over a run, edit a trace into another, or run what everybody has; each of a study’s experiments is looked at.
    'delete /trace-sources/:id',
    'post /runs/:id/measurements',
    'post /studies/:id/run',
    'post /studies/:id/stop',
    'post /trace-sources/:id/look',
    'post /trace-sources/:id/trace',
    'post /traces/:id/edits',
  ];
  const unsaid = allRoutes(server.lab)
    .filter((route) => route.method !== 'get' && route.path.includes(':') && neededBy(route) === 'author')
    .filter(({ owned }) => owned === undefined)
    .map(({ method, path }) => `${method} ${path}`);
  expect(unsaid.sort()).toEqual(free);
});

describe('an experiment', () => {
  it('is told with who made it, to whoever is known', async () => {
    const made = await submit(tokens.ann, { ...QUICK, name: 'Ann’s' });
    expect(made.made_by).toEqual({ name: 'Ann', via: 'token' });
    await server.over(made);
    const { experiments } = ExperimentList.parse((await ask(tokens.viewer, 'GET', '/experiments')).json);
    const makers = new Map(experiments.map(({ id, made_by }) => [id, made_by]));
    expect(makers.get(made.id)).toEqual({ name: 'Ann', via: 'token' });
    expect(makers.has(everybodys.id) && makers.get(everybodys.id)).toBeUndefined();
    const operators = await submit(OPERATORS, { ...QUICK, name: 'the operator’s', seed: 5 });
    expect(operators.made_by).toEqual({ name: null, via: 'token' });
    const refused = await ask(tokens.ann, 'DELETE', `/experiments/${operators.id}`);
    expect(refused).toMatchObject({
      status: 403,
      json: { code: 'NOT_YOURS', detail: 'this experiment was made by the operator', where: operators.id },
    });
  });

  it('is its maker’s and an operator’s, whatever is to be done with it', async () => {
    const made = await submit(tokens.ann, { ...LONG, name: 'Ann’s long one', repetitions: 2 });
    const [run] = made.runs;
    const at = `/experiments/${made.id}`;
    const attempts: [string, string, unknown?][] = [
      ['POST', `${at}/stop`],
      ['POST', `${at}/retry`],
      ['DELETE', at],
      ['POST', `${at}/restore`],
      ['PATCH', `${at}/labels`, { archived: true }],
      ['PATCH', `/runs/${run?.id ?? ''}/labels`, { note: 'mine' }],
      ['POST', `/runs/${run?.id ?? ''}/stop`],
      ['POST', `/runs/${run?.id ?? ''}/retry`],
      ['POST', `/runs/${run?.id ?? ''}/link`, { rate_mbps: 1 }],
    ];
    // The same spec again takes nothing from her, and neither does an experiment of his that has her run.
    expect((await submit(tokens.bob, { ...LONG, name: 'Ann’s long one', repetitions: 2 })).made_by?.name).toBe('Ann');
    const his = await submit(tokens.bob, { ...LONG, name: 'Bob’s, with her run' });
    expect(his.made_by?.name).toBe('Bob');
    expect(his.runs[0]?.id).toBe(run?.id);
    for (const [method, path, body] of attempts)
      expect(`${path}: ${codeOf(await ask(tokens.bob, method, path, body))}`).toBe(`${path}: 403 NOT_YOURS`);
    expect(codeOf(await ask(tokens.viewer, 'DELETE', at))).toBe('403 ROLE_REFUSED');
    expect((await ask(tokens.bob, 'PATCH', `/experiments/${his.id}/labels`, { note: 'his' })).status).toBe(200);
    expect((await ask(tokens.ann, 'POST', `${at}/stop`)).status).toBe(200);
    expect((await ask(tokens.bob, 'POST', `/experiments/${his.id}/stop`)).status).toBe(200);
    expect((await ask(tokens.ann, 'PATCH', `/runs/${run?.id ?? ''}/labels`, { note: 'hers' })).status).toBe(200);
    expect((await ask(OPERATORS, 'PATCH', `${at}/labels`, { archived: true })).status).toBe(200);
    expect((await ask(tokens.ann, 'DELETE', at)).status).toBe(200);
    expect(codeOf(await ask(tokens.bob, 'POST', `${at}/restore`))).toBe('403 NOT_YOURS');
    expect((await ask(tokens.ann, 'POST', `${at}/restore`)).status).toBe(200);
    // What she has thrown away is whose it is who wants it again.
    await ask(tokens.ann, 'DELETE', at);
    const again = await submit(tokens.bob, { ...LONG, name: 'Ann’s long one', repetitions: 2 });
    expect([again.id, again.made_by?.name]).toEqual([made.id, 'Bob']);
    expect((await ask(tokens.bob, 'DELETE', at)).status).toBe(200);
    // Removed for good and made anew, it is nobody's that was.
    await server.lab.removal.experiment(made.id);
    expect(server.lab.store.owners.of('experiment', made.id)).toBeNull();
  });

  it('that nobody has made is everybody’s, and stays so', async () => {
    const again = await submit(tokens.bob, { ...QUICK, name: 'everybody’s' });
    expect([again.id, again.made_by]).toEqual([everybodys.id, undefined]);
    const at = `/experiments/${everybodys.id}`;
    expect((await ask(tokens.ann, 'PATCH', `${at}/labels`, { note: 'seen' })).status).toBe(200);
    expect((await ask(tokens.bob, 'DELETE', at)).status).toBe(200);
    expect((await ask(tokens.ann, 'POST', `${at}/restore`)).status).toBe(200);
  });

  it('is its maker’s still with another token of that name, and nobody else’s', async () => {
    const first = await give('Carl', 'author');
    const made = await submit(first.token, { ...QUICK, name: 'Carl’s', seed: 9 });
    await server.over(made);
    await ask(OPERATORS, 'DELETE', `/tokens/${first.id}`);
    const other = await give('carl', 'author');
    expect(codeOf(await ask(other.token, 'DELETE', `/experiments/${made.id}`))).toBe('403 NOT_YOURS');
    await ask(OPERATORS, 'DELETE', `/tokens/${other.id}`);
    const second = await give('Carl', 'author');
    expect((await ask(second.token, 'DELETE', `/experiments/${made.id}`)).status).toBe(200);
  });
});

it('traces, templates, algorithms, shares and files are their makers’ alike', async () => {
  const { ann, bob } = tokens;
  const trace = Array.from({ length: 400 }, (_, i) => `${(i + 1) * 5}`).join('\n') + '\n';
  const sent = await ask(ann, 'POST', '/traces?name=Ann', trace, 'text/plain');
  expect(codeOf(sent)).toBe('201 ');
  const { id } = TraceRecord.parse(sent.json);
  // Sent once more by another: the same trace, and nothing of what he says of it.
  const again = await ask(bob, 'POST', '/traces?name=Bob&licence=CC0', trace, 'text/plain');
  expect([again.status, TraceRecord.parse(again.json)]).toMatchObject([200, { id, name: 'Ann', licence: '' }]);
  expect(codeOf(await ask(bob, 'PATCH', `/traces/${id}`, { name: 'Bob' }))).toBe('403 NOT_YOURS');
  expect(codeOf(await ask(bob, 'PATCH', `/traces/${id}/labels`, { archived: true }))).toBe('403 NOT_YOURS');
  expect(codeOf(await ask(bob, 'DELETE', `/traces/${id}`))).toBe('403 NOT_YOURS');
  const edited = await ask(bob, 'POST', `/traces/${id}/edits`, {
    name: 'Half',
    description: '',
    steps: [{ op: 'scale', factor: 0.5 }],
  });
  expect(edited.status).toBe(201);
  const half = TraceRecord.parse(edited.json).id;
  expect(codeOf(await ask(ann, 'DELETE', `/traces/${half}`))).toBe('403 NOT_YOURS');
  expect((await ask(bob, 'DELETE', `/traces/${half}`)).status).toBe(200);
  expect((await ask(ann, 'PATCH', `/traces/${id}`, { name: 'Ann’s own' })).status).toBe(200);
  expect((await ask(ann, 'DELETE', `/traces/${id}`)).status).toBe(200);

  const kept = Template.parse((await ask(ann, 'POST', '/templates', { title: 'Hers', spec: QUICK })).json);
  for (const [method, path, body] of [
    ['PATCH', `/templates/${kept.id}`, { title: 'His' }],
    ['DELETE', `/templates/${kept.id}`],
    ['POST', `/templates/${kept.id}/restore`],
  ] as const)
    expect(codeOf(await ask(bob, method, path, body))).toBe('403 NOT_YOURS');
  expect((await ask(ann, 'PATCH', `/templates/${kept.id}`, { title: 'Still hers' })).status).toBe(200);

  const text = ownText('Mine');
  const algorithm = (await ask(ann, 'POST', '/algorithms', text, 'text/plain')).json as { id: string };
  expect(codeOf(await ask(bob, 'DELETE', `/algorithms/${algorithm.id}`))).toBe('403 NOT_YOURS');
  expect((await ask(ann, 'DELETE', `/algorithms/${algorithm.id}`)).status).toBe(200);
  // Thrown away by her, it is his who sends it again.
  expect((await ask(bob, 'POST', '/algorithms', text, 'text/plain')).status).toBe(200);
  expect(codeOf(await ask(ann, 'DELETE', `/algorithms/${algorithm.id}`))).toBe('403 NOT_YOURS');
});

it('a share is its maker’s, and names nobody to whom it is sent', async () => {
  const { ann, bob } = tokens;
  const made = await submit(ann, { ...QUICK, name: 'to share', seed: 31 });
  await server.over(made);
  const answer = await ask(ann, 'POST', '/shares', { address: `/e/${made.id}`, title: 'Shared', note: '' });
  const { slug } = ShareRecord.parse(answer.json);
  const { shares } = ShareList.parse((await ask(bob, 'GET', '/shares')).json);
  expect(shares.find((one) => one.slug === slug)?.made_by).toEqual({ name: 'Ann', via: 'token' });
  const frozen = await ask(bob, 'GET', `/shares/${slug}/answers`);
  expect(Object.keys(ShareAnswers.parse(frozen.json).answers).length).toBeGreaterThan(0);
  expect(JSON.stringify(frozen.json)).not.toMatch(/made_by|Ann/);
  expect(codeOf(await ask(bob, 'DELETE', `/shares/${slug}`))).toBe('403 NOT_YOURS');
  expect((await ask(ann, 'DELETE', `/shares/${slug}`)).status).toBe(200);
});

it('people take turns with their runs: a few do not wait for somebody’s hundreds', async () => {
  // Both cores are taken, so that all of it waits.
  const first = await submit(OPERATORS, { ...LONG, name: 'in the way', seed: 5, repetitions: 2 });
  await Promise.all(first.runs.map(({ id }) => server.reaches(id, 'running')));
  const many = await submit(tokens.ann, { ...QUICK, name: 'hundreds', seed: 6, repetitions: 200 });
  const few = await submit(tokens.bob, { ...QUICK, name: 'a few', seed: 7, repetitions: 3 });
  const ofBob = new Set(few.runs.map(({ id }) => id));
  // Nor does who looks go before the others.
  server.lab.experiments.lookAt(many.id);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const places = server.lab.store.jobs.waiting().flatMap(({ run_id }, place) => (ofBob.has(run_id) ? [place] : []));
  expect(places).toHaveLength(3);
  // One of hers before each of his, about.
  expect(Math.max(...places)).toBeLessThan(8);
  for (const [token, { id }] of [
    [tokens.ann, many],
    [tokens.bob, few],
    [OPERATORS, first],
  ] as const)
    await ask(token, 'POST', `/experiments/${id}/stop`);
});

it('a server that asks nobody knows no makers, and goes on so', async () => {
  await server.close();
  server = await TestServer.start({ dataDir });
  const list = ExperimentList.parse(await (await fetch(server.url('/experiments'))).json());
  expect(list.experiments.length).toBeGreaterThan(0);
  expect(list.experiments.every(({ made_by }) => made_by === undefined)).toBe(true);
  const [{ id } = { id: '' }] = list.experiments.filter(({ name }) => name === 'to share');
  expect((await fetch(server.url(`/experiments/${id}`), { method: 'DELETE' })).status).toBe(200);
});
