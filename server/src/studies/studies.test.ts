// Studies as they are shipped, and as they are run: from a data file to a verdict and a report.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExperimentAnswers } from '#protocol/answers';
import { ExperimentRecord, Problem } from '#protocol/api';
import { StudyList, StudyRecord } from '#protocol/study';
import { MEASURED_STUDY, SMALL_STUDY } from '../testing/small-study.ts';
import { TestServer } from '../testing/server.ts';
import { allStudies, shippedStudies } from './read-studies.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'paceline-studies-'));
const own = join(dataDir, 'studies');
let server: TestServer;
beforeAll(async () => {
  mkdirSync(own);
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(own, name), typeof content === 'string' ? content : JSON.stringify(content));
  write('small.study.json', SMALL_STUDY);
  write('measured.study.json', MEASURED_STUDY);
  write('broken.study.json', '{ "id": ');
  write('formless.study.json', { ...SMALL_STUDY, id: 'formless', figures: [{ id: 'X!' }] });
  write('zeus.study.json', { ...SMALL_STUDY, id: 'zeus' });
  write('lost.study.json', { ...SMALL_STUDY, id: 'lost', answers: ['nowhere'] });
  write('other-name.study.json', SMALL_STUDY);
  server = await TestServer.start({ dataDir });
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const record = (): Promise<StudyRecord> => server.json('/studies/small', StudyRecord);

async function finished(): Promise<StudyRecord> {
  for (const { experiment } of (await record()).experiments)
    await server.over(await server.json(`/experiments/${experiment ?? ''}`, ExperimentRecord));
  return record();
}

describe('the studies that are shipped', () => {
  it('name only what there is', async () => {
    const sound = await server.lab.studies.all();
    const shipped = shippedStudies().map(({ id }) => id);
    expect(shipped).toContain('zeus');
    expect(sound.map(({ id }) => id)).toEqual([...shipped, 'measured', 'small']);
  });
});

describe('studies of the data folder', () => {
  it('are left out with a reason where they are none, and the others are there', () => {
    const faults: string[] = [];
    const ids = allStudies(own, (fault) => faults.push(fault)).map(({ id }) => id);
    expect(ids).toContain('small');
    expect(faults).toEqual([
      expect.stringMatching(/JSON/),
      expect.stringMatching(/^formless\.study\.json is not a study: figures\.0\.id: an id/),
      'other-name.study.json: its id is small',
      'zeus.study.json: there is a study of this id already',
    ]);
    expect(allStudies(join(own, 'none'), () => expect.unreachable()).length).toBe(shippedStudies().length);
  });

  it('are left out where their folder is a file', () => {
    const faults: string[] = [];
    const found = allStudies(join(own, 'small.study.json'), (fault) => faults.push(fault));
    expect(found.length).toBe(shippedStudies().length);
    expect(faults).toEqual([expect.stringMatching(/ENOTDIR.*small\.study\.json/)]);
  });
});

describe('a study', () => {
  it('is open before it runs, and says how much there is to run', async () => {
    const { studies } = await server.json('/studies', StudyList);
    const small = studies.find(({ id }) => id === 'small');
    expect(small).toMatchObject({ runs_total: 3, runs_done: 0, running: false, verdicts: { open: 2, untestable: 1 } });
    expect(small?.estimate_s.high).toBeGreaterThan(0);
    const { experiments, answers } = await record();
    expect(experiments.map(({ experiment }) => experiment)).toEqual([null, null]);
    expect(answers).toEqual([]);
  });

  it('runs as experiments do, and ends in verdicts; again it runs nothing', async () => {
    expect((await server.post('/studies/small/run')).status).toBe(200);
    const done = await finished();
    expect(done).toMatchObject({ runs_done: 3, running: false, estimate_s: { low: 0, high: 0 } });
    expect(done.verdicts).toEqual({ holds: 1, direction: 0, fails: 1, untestable: 1, open: 0 });
    const [full, slow, phone] = done.figures[0]?.claims ?? [];
    // The same numbers as the experiment's own table has.
    const steady = await server.json(`/experiments/${done.experiments[0]?.experiment ?? ''}`, ExperimentRecord);
    const link = steady.runs[0]?.summary?.links[0];
    expect(full?.outcome.points[0]?.ours?.value).toBeCloseTo(100 * (link?.utilisation ?? NaN), 9);
    expect(slow?.outcome.points[0]?.ours?.value).toBeCloseTo(link?.queueing_delay.mean_ms ?? NaN, 9);
    expect(slow?.variants[0]).toMatchObject({ id: 'deep', origin: 'modelled', nearer: true });
    expect(slow?.reason).toMatchObject({ text: 'Its queue was deeper.', shown: true });
    expect(phone?.outcome).toMatchObject({ verdict: 'untestable', text: 'There is no phone here.' });

    const runs = server.lab.store.experiments.list().length;
    await server.post('/studies/small/run');
    expect(await record()).toMatchObject({ running: false, runs_done: 3 });
    expect(server.lab.store.experiments.list()).toHaveLength(runs);
  });

  it('answers in sentences, as its experiment does', async () => {
    const { answers, experiments } = await record();
    expect(answers).toHaveLength(1);
    const [first] = answers[0]?.answers ?? [];
    expect(first?.text).toMatch(/^For real-time traffic over 12 Mbps at 1 BDP: (Cubic, then BBR|BBR, then Cubic)\.$/);
    const path = `/experiments/${experiments[0]?.experiment ?? ''}/answers`;
    expect((await server.json(path, ExperimentAnswers)).answers).toEqual(answers[0]?.answers);
  });

  it('is kept: another server of the same folder has what came out', async () => {
    const before = await record();
    await server.stop();
    server = await TestServer.start({ dataDir });
    expect(await record()).toEqual(before);
  });

  it('reports in one file that fetches nothing and runs nothing', async () => {
    const response = await fetch(server.url('/studies/small/report'));
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=paceline-small.html');
    const html = await response.text();
    expect(html).toContain('On &lt;b&gt;steady&lt;/b&gt; links');
    expect(html).toContain('@misc{nobody');
    expect(html).not.toContain('<script>alert');
    // One script, which is data, and no address of anything.
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="application/json" id="data">']);
    expect(html).not.toMatch(/(src|href)=/);
    const data: unknown = JSON.parse(
      /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? '',
    );
    expect(data).toEqual(await record());
  });

  it('in real time is measured once, and again what does not count', async () => {
    const { store } = server.lab;
    const measured = (): Promise<StudyRecord> => server.json('/studies/measured', StudyRecord);
    const before = store.experiments.list().length;
    expect((await measured()).experiments[0]?.experiment).toBeNull();
    const go = async (): Promise<{ readonly experiment: string; readonly run: string }> => {
      await server.post('/studies/measured/run');
      const experiment = (await measured()).experiments[0]?.experiment ?? '';
      const record = await server.json(`/experiments/${experiment}`, ExperimentRecord);
      await server.over(record);
      return { experiment, run: record.runs[0]?.id ?? '' };
    };
    const first = await go();
    // Whether this machine kept up or not: as when it did not.
    const late = { state: 'invalid', reason: 'late', stderr_tail: null, summary: null, cost: null, time_s: 2 } as const;
    store.runs.finish(first.run, late, '2026-01-01T00:00:00.000Z');
    expect((await measured()).runs_done).toBe(0);
    expect((await measured()).experiments[0]).toMatchObject({ state: 'done', runs_failed: 1 });
    expect(await go()).toEqual(first);
    expect(store.runs.get(first.run)?.finished_at).not.toBe('2026-01-01T00:00:00.000Z');
    expect(store.experiments.list()).toHaveLength(before + 1);
    // What counts stays as it is.
    const good = { ...late, state: 'done', reason: null } as const;
    store.runs.finish(first.run, good, '2026-01-01T00:00:01.000Z');
    expect((await measured()).runs_done).toBe(1);
    expect(await go()).toEqual(first);
    expect(store.runs.get(first.run)?.finished_at).toBe('2026-01-01T00:00:01.000Z');
  });

  it('that there is not is a problem with a name', async () => {
    for (const path of ['/studies/nothing', '/studies/nothing/report', '/studies/lost']) {
      const response = await fetch(server.url(path));
      expect([path, Problem.parse(await response.json())]).toEqual([
        path,
        expect.objectContaining({
          status: 404,
          code: 'STUDY_UNKNOWN',
          hint: expect.stringContaining('small') as string,
        }),
      ]);
    }
    expect((await fetch(server.url('/studies/..%2F..'))).status).toBe(400);
    expect(await (await fetch(server.url('/studies/nothing?unknown=null'))).json()).toBe(null);
  });
});
