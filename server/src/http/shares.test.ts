import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iperf3Report } from '#analysis/testing-iperf3';
import { Problem, RunRecord, TraceRecord, type ExperimentRecord } from '#protocol/api';
import { ShareAnswers, ShareList, ShareRecord, type NewShareInput } from '#protocol/share';
import { LONG, QUICK, TestServer } from '../testing/server.ts';

let server: TestServer;
let trace: TraceRecord;
let experiment: ExperimentRecord;
let run = '';
const SPEC = { ...QUICK, ccas: [{ id: 'cubic' }, { id: 'bbr' }], duration_s: 2 };

beforeAll(async () => {
  server = await TestServer.start();
  const text = Array.from({ length: 3000 }, (_, ms) => ms).join('\n');
  const answer = await fetch(server.url('/traces?name=mine'), { method: 'POST', body: `${text}\n` });
  trace = TraceRecord.parse(await answer.json());
  experiment = await server.submit({ ...SPEC, traces: [{ trace: trace.id }] });
  await server.over(experiment);
  run = experiment.runs[0]?.id ?? '';
});
afterAll(() => server.close());

const freeze = (share: NewShareInput): Promise<Response> => server.post('/shares', share);
const frozen = async (share: NewShareInput): Promise<ShareRecord> => {
  const answer = await freeze(share);
  expect(answer.status).toBe(201);
  return ShareRecord.parse(await answer.json());
};
const bytes = async (path: string): Promise<Buffer> => {
  const answer = await fetch(server.url(path));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

describe('a share', () => {
  it('stays the same byte for byte, whatever becomes of what it shows', async () => {
    const long = await server.submit(LONG);
    const stopped = long.runs[0]?.id ?? '';
    await server.reaches(stopped, 'running');
    while ((await bytes(`/runs/${stopped}/samples`)).length === 0) await new Promise((next) => setTimeout(next, 20));
    await server.post(`/experiments/${long.id}/stop`);
    const made = [
      await frozen({ address: `/e/${experiment.id}?frontier.x=log`, title: 'The experiment' }),
      await frozen({ address: `/r/${run}?t=0.5,1`, title: 'A run' }),
      await frozen({ address: `/r/${stopped}`, title: 'A stopped run' }),
      await frozen({ address: `/e/${long.id}`, title: 'A stopped experiment' }),
      await frozen({ address: `/overlay?runs=${experiment.runs.map(({ id }) => id).join()}`, title: 'Both' }),
      await frozen({ address: `/traces/${trace.id}`, title: 'A trace' }),
      await frozen({ address: `/traces/compare?ids=${trace.id}`, title: 'Traces' }),
    ];
    const paths = [
      ...made.map(({ slug }) => `/shares/${slug}/answers`),
      `/shares/a-run/runs/${run}/samples`,
      `/shares/a-run/runs/${run}/control`,
      `/shares/a-stopped-run/runs/${stopped}/samples`,
      `/shares/a-stopped-run/runs/${stopped}/control`,
    ];
    const before = await Promise.all(paths.map(bytes));
    const live = await bytes(`/runs/${stopped}/samples`);
    expect(before[9]?.equals(live)).toBe(true);
    expect(before.every(({ length }) => length > 100)).toBe(true);

    // Another name, another experiment with the same run, a measurement over it, and another try of what was stopped.
    await fetch(server.url(`/traces/${trace.id}`), {
      method: 'PATCH',
      body: JSON.stringify({ name: 'renamed' }),
      headers: { 'content-type': 'application/json' },
    });
    const wider = await server.submit({ ...SPEC, name: 'wider', repetitions: 2, traces: [{ trace: trace.id }] });
    await server.over(wider);
    const report = JSON.stringify(iperf3Report({ mbps: Array<number>(20).fill(9) }));
    await fetch(server.url(`/runs/${run}/measurements`), {
      method: 'POST',
      body: report,
      headers: { 'content-type': 'application/json' },
    });
    const then = RunRecord.parse(JSON.parse((await bytes(`/runs/${stopped}`)).toString()));
    await server.post(`/runs/${stopped}/retry`);
    await server.reaches(stopped, 'running');
    await server.post(`/experiments/${long.id}/stop`);
    const now = RunRecord.parse(JSON.parse((await bytes(`/runs/${stopped}`)).toString()));
    expect(now.started_at).not.toBe(then.started_at);
    expect(TraceRecord.parse(JSON.parse((await bytes(`/traces/${trace.id}`)).toString())).name).toBe('renamed');

    const after = await Promise.all(paths.map(bytes));
    expect(paths.filter((_, i) => before[i]?.equals(after[i] ?? Buffer.alloc(0)) !== true)).toEqual([]);
  });

  it('keeps what its page reads, and names when and by which engine it was made', async () => {
    const share = await frozen({
      address: new URL(`/e/${experiment.id}?over=yes#x`, server.page).href,
      title: 'Kept',
      note: 'a\n\nb',
    });
    expect(share).toMatchObject({ slug: 'kept', note: 'a\n\nb', kind: 'experiment' });
    expect(share.address).toBe(`/e/${experiment.id}?over=yes`);
    expect(share.engine_version).not.toBe('');
    const { answers } = await server.json('/shares/kept/answers', ShareAnswers);
    expect(Object.keys(answers)).toEqual(
      expect.arrayContaining([
        '/ccas',
        '/traces',
        '/sparks',
        `/experiments/${experiment.id}`,
        `/experiments/${experiment.id}/answers`,
        `/experiments/${experiment.id}/sampled`,
        `/runs/${run}`,
      ]),
    );
    expect(answers['/sparks']).toMatchObject({ sparks: [{ run: expect.any(String) as string }, {}] });
  });

  it('holds its runs: they cannot be taken away', () => {
    const { db } = server.lab.store;
    expect(() => db.prepare('DELETE FROM runs WHERE id = ?').run(run)).toThrow(/FOREIGN KEY/);
  });

  it('is named by its title, with a number where that is taken', async () => {
    const address = `/traces/${trace.id}`;
    const titled = async (title: string, slug?: string): Promise<string> =>
      (await frozen({ address, title, ...(slug === undefined ? {} : { slug }) })).slug;
    expect(await titled('Ein Überblick: 5G, Teil 1')).toBe('ein-uberblick-5g-teil-1');
    expect(await titled('Ein Überblick: 5G, Teil 1')).toBe('ein-uberblick-5g-teil-1-2');
    expect(await titled('走る')).toBe('trace');
    expect(await titled('x', 'chosen')).toBe('chosen');
    expect(await titled('x', 'chosen')).toBe('chosen-2');
    const long = 'a'.repeat(60);
    expect([await titled(`${long} b`), await titled(`${long} b`)]).toEqual([long, `${'a'.repeat(58)}-2`]);
  });

  it('is taken away alone', async () => {
    const { slug } = await frozen({ address: `/r/${run}`, title: 'For a while' });
    const remove = (): Promise<Response> => fetch(server.url(`/shares/${slug}`), { method: 'DELETE' });
    const gone = ShareList.parse(await (await remove()).json());
    expect(gone.shares.map((share) => share.slug)).not.toContain(slug);
    expect(Problem.parse(await (await remove()).json())).toMatchObject({ status: 404, code: 'SHARE_UNKNOWN' });
    expect((await fetch(server.url(`/shares/${slug}/answers`))).status).toBe(404);
    expect((await fetch(server.url(`/runs/${run}`))).status).toBe(200);
  });

  it.each<[string, Partial<NewShareInput>, object]>([
    ['of the home page', { address: '/' }, { status: 422, code: 'SHARE_REFUSED', where: 'address' }],
    ['of a share', { address: '/s/kept' }, { status: 422, code: 'SHARE_REFUSED' }],
    ['of another path', { address: '/e/../../etc/passwd' }, { status: 422, code: 'SHARE_REFUSED' }],
    ['of no run', { address: `/r/${'a'.repeat(20)}` }, { status: 404, code: 'RUN_UNKNOWN' }],
    ['of too many runs', { address: `/overlay?runs=${nineRuns()}` }, { status: 422, code: 'SHARE_REFUSED' }],
    ['without a title', { title: '' }, { status: 400, code: 'REQUEST_INVALID', where: 'title' }],
    ['with a strange name', { slug: '../x' }, { status: 400, code: 'REQUEST_INVALID', where: 'slug' }],
    ['with a book as its note', { note: 'x'.repeat(6000) }, { status: 400, code: 'REQUEST_INVALID', where: 'note' }],
  ])('%s is refused', async (_, change, expected) => {
    const answer = await freeze({ address: `/r/${run}`, title: 'x', ...change });
    expect(Problem.parse(await answer.json())).toMatchObject(expected);
  });

  it('of what still goes on is refused, and says when to come back', async () => {
    const going = await server.submit({ ...LONG, name: 'going', seed: 7 });
    const addresses = [`/e/${going.id}`, `/r/${going.runs[0]?.id ?? ''}`];
    for (const address of addresses) {
      const problem = Problem.parse(await (await freeze({ address, title: 'x' })).json());
      expect(problem).toMatchObject({ status: 409, code: 'SHARE_NOT_OVER' });
      expect(problem.hint).toContain('when it is over');
    }
    await server.post(`/experiments/${going.id}/stop`);
  });
});

function nineRuns(): string {
  return Array.from({ length: 9 }, (_, i) => 'abcdefghi'.charAt(i).repeat(20)).join();
}
