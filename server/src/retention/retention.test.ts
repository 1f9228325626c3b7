// Samples of old runs go and come again: held to the bytes that were there before.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Doctor, Problem, RunRecord, SamplesGone, SamplesMade, type ExperimentRecord } from '#protocol/api';
import { SAMPLE_FAMILIES, SampledPage } from '#protocol/sampled';
import type { AskedSpecInput } from '#protocol/spec';
import { OwnAlgorithm } from '#protocol/own-algorithm';
import { serveConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { folderBytes } from '../quota.ts';
import { ownText } from '../testing/own-texts.ts';
import { TestProcess } from '../testing/process.ts';
import { LONG, QUICK, TestServer } from '../testing/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'paceline-retention-'));
let server: TestServer;
/** In the order in which they ended. */
let made: Record<'first' | 'starred' | 'inStarred' | 'shared' | 'stopped' | 'real' | 'last', string>;
let first: ExperimentRecord;

const fault = (error: unknown): void => {
  throw error;
};
const NOTHING = 0;

async function madeBy(spec: AskedSpecInput): Promise<ExperimentRecord> {
  const experiment = await server.submit(spec);
  await server.over(experiment);
  return experiment;
}
const only = ({ runs }: ExperimentRecord): string => runs[0]?.id ?? '';
const bytesOf = async (path: string): Promise<string> => {
  const answer = await fetch(server.url(path), { headers: { 'cache-control': 'no-cache' } });
  expect(answer.status).toBe(200);
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
};
const record = (run: string): Promise<RunRecord> => server.json(`/runs/${run}`, RunRecord);
const again = (run: string): Promise<Response> => server.post(`/runs/${run}/samples`);
const has = (run: string): boolean => server.lab.store.samples.has(run);
const star = (path: string): Promise<Response> =>
  fetch(server.url(path), {
    method: 'PATCH',
    body: JSON.stringify({ starred: true }),
    headers: { 'content-type': 'application/json' },
  });

beforeAll(async () => {
  server = await TestServer.start({ dataDir });
  const one = { ...QUICK, vary: [] } satisfies AskedSpecInput;
  first = await madeBy({ ...one, name: 'first', ccas: [{ id: 'bbr' }], flows: [{}, { start_s: 1 }] });
  const starred = await madeBy({ ...one, name: 'starred', ccas: [{ id: 'newreno' }] });
  const inStarred = await madeBy({ ...one, name: 'in a starred', ccas: [{ id: 'vegas' }] });
  const shared = await madeBy({ ...one, name: 'shared', ccas: [{ id: 'copa' }] });
  const stopped = await server.submit({ ...LONG, name: 'stopped' });
  await server.reaches(only(stopped), 'running');
  while ((await fetch(server.url(`/runs/${only(stopped)}/samples`)).then((answer) => answer.text())) === '')
    await new Promise((next) => setTimeout(next, 20));
  await server.post(`/experiments/${stopped.id}/stop`);
  const real = await madeBy({ ...one, name: 'real', engine: 'realtime', duration_s: 1 });
  const last = await madeBy({ ...one, name: 'last', ccas: [{ id: 'illinois' }] });
  await star(`/runs/${only(starred)}/labels`);
  await star(`/experiments/${inStarred.id}/labels`);
  expect((await server.post('/shares', { address: `/r/${only(shared)}`, title: 'Kept' })).status).toBe(201);
  made = {
    first: only(first),
    starred: only(starred),
    inStarred: only(inStarred),
    shared: only(shared),
    stopped: only(stopped),
    real: only(real),
    last: only(last),
  };
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true });
});

describe('the samples of old runs', () => {
  it('go where they can be made again, then where they cannot; what is starred, shared or of the home page stays', async () => {
    const { retention, store } = server.lab;
    const planned = await retention.plan(NOTHING);
    expect(planned.map(({ run, exact }) => [run, exact])).toEqual([
      [made.first, true],
      [made.last, true],
      [made.stopped, false],
      [made.real, false],
    ]);
    // As many as it takes, and no more.
    const [oldest] = planned;
    const used = store.usedBytes();
    expect(await retention.plan(used - 1)).toEqual([oldest]);
    expect(await retention.plan(used)).toEqual([]);
    expect(oldest?.bytes).toBeGreaterThan(10_000);
    expect(has(made.first)).toBe(true);
  });

  it('leave what they came to, to the last digit, and come again as they were', async () => {
    const { retention, store } = server.lab;
    const samples = await bytesOf(`/runs/${made.first}/samples`);
    const told = await bytesOf(`/runs/${made.first}/control`);
    const before = await record(made.first);
    expect(before.samples).toEqual({ kept: true, gone_at: null });
    const figures = (): Promise<SampledPage> =>
      server.json(`/experiments/${first.id}/sampled?of=${SAMPLE_FAMILIES.join()}`, SampledPage);
    const used = store.usedBytes();

    const gone = await retention.sweep(used - 1, fault);
    expect(gone.map(({ run }) => run)).toEqual([made.first]);
    expect(used - store.usedBytes()).toBeGreaterThan((gone[0]?.bytes ?? 0) / 2);
    expect(await (await fetch(server.url(`/runs/${made.first}/samples`))).text()).toBe('');
    const after = await record(made.first);
    expect({ ...after, samples: null }).toEqual({ ...before, samples: null });
    expect(after.samples).toEqual({ kept: false, gone_at: expect.stringMatching(/^20\d\d-/) as string });
    expect(await bytesOf(`/runs/${made.first}/control`)).toBe(told);
    // Read before they went, though nobody had asked.
    const read = await figures();
    expect(read.cells[0]?.told).toBe(1);
    const checks = (await server.json('/doctor', Doctor)).checks.find(({ id }) => id === 'retention');
    expect(checks?.detail).toContain('the samples of one run were let go');

    expect((await again(made.first)).status).toBe(200);
    expect((await record(made.first)).samples).toEqual({ kept: true, gone_at: null });
    expect(await bytesOf(`/runs/${made.first}/samples`)).toBe(samples);
    expect(await bytesOf(`/runs/${made.first}/control`)).toBe(told);
    expect(await figures()).toEqual(read);
    // Somebody wanted it: others go first.
    expect((await retention.plan(NOTHING)).map(({ run }) => run)).toEqual([
      made.last,
      made.stopped,
      made.real,
      made.first,
    ]);
  });

  it('are made once for all who ask at once, and not again where they are', async () => {
    const { lab } = server;
    const helpers = vi.spyOn(lab.helpers, 'run');
    onTestFinished(() => helpers.mockRestore());
    await lab.retention.sweep(NOTHING, fault);
    expect([made.first, made.last, made.real].map(has)).toEqual([false, false, false]);
    expect([made.starred, made.inStarred, made.shared].map(has)).toEqual([true, true, true]);
    const answers = await Promise.all([again(made.last), again(made.last), again(made.last)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await again(made.last)).status).toBe(200);
    expect(helpers).toHaveBeenCalledTimes(1);
    // What was left half, by a disk that failed in the middle, is whole again.
    const samples = await bytesOf(`/runs/${made.last}/samples`);
    lab.store.samplesGone.begin(made.last, new Date().toISOString());
    lab.store.samples.deleteSome(made.last, 1);
    expect((await again(made.last)).status).toBe(200);
    expect(await bytesOf(`/runs/${made.last}/samples`)).toBe(samples);
  });

  it('are refused where they would be others', async () => {
    const refusal = async (run: string): Promise<Problem> => Problem.parse(await (await again(run)).json());
    expect(await refusal(made.real)).toMatchObject({
      code: 'SAMPLES_NOT_MADE',
      detail: expect.stringContaining('real time') as string,
    });
    expect(await refusal(made.stopped)).toMatchObject({ detail: 'it has not ended well' });
    expect((await refusal('a'.repeat(20))).code).toBe('RUN_UNKNOWN');
    const stored = await record(made.first);
    const run = vi.spyOn(server.lab.experiments, 'run');
    onTestFinished(() => run.mockRestore());
    run.mockReturnValue({ ...stored, manifest: { ...stored.manifest, seed: stored.manifest.seed + 1 } });
    expect((await refusal(made.first)).detail).toContain('makes another run than');
    run.mockRestore();
    expect([has(made.first), (await record(made.first)).samples?.kept]).toEqual([false, false]);
    expect((await record(made.first)).samples?.gone_at).not.toBeNull();
    expect((await again(made.first)).status).toBe(200);
  });

  it('are made for all runs of an experiment, in the order of its matrix, from any place on', async () => {
    const many = await madeBy({
      ...QUICK,
      name: 'many',
      vary: [],
      ccas: ['cubic', 'bbr', 'vegas'].map((id) => ({ id })),
      seed: 9,
    });
    const ids = many.runs.map(({ id }) => id);
    const path = `/experiments/${many.id}/samples`;
    const gone = (): Promise<SamplesGone> => server.json(path, SamplesGone);
    expect(await gone()).toEqual({ gone: 0, lost: 0 });
    await server.lab.retention.sweep(NOTHING, fault);
    expect(await gone()).toEqual({ gone: 3, lost: 0 });
    const some = async (from: number): Promise<SamplesMade> =>
      SamplesMade.parse(await (await server.post(`${path}?from=${from}`)).json());
    expect(await some(1)).toEqual({ made: 2, refused: [], next: null });
    expect(ids.map(has)).toEqual([false, true, true]);
    // Others’ refusals are told, and what is behind them is made all the same.
    await server.lab.retention.sweep(NOTHING, fault);
    const make = vi.spyOn(server.lab.samplesAgain, 'make');
    make.mockRejectedValueOnce(new AppError('SAMPLES_NOT_MADE', 'other figures'));
    expect(await some(0)).toEqual({ made: 2, refused: [{ run: ids[0], reason: 'other figures' }], next: null });
    make.mockRestore();
    expect(ids.map(has)).toEqual([false, true, true]);
    expect(await some(0)).toMatchObject({ made: 1 });
    expect(await gone()).toEqual({ gone: 0, lost: 0 });
    const real = (await record(made.real)).experiments[0]?.id ?? '';
    expect(await server.json(`/experiments/${real}/samples`, SamplesGone)).toEqual({ gone: 0, lost: 1 });
    expect((await server.post(`/experiments/${'a'.repeat(20)}/samples`)).status).toBe(404);
  });

  it('do not come into a view that was frozen without them', async () => {
    const run = only(await madeBy({ ...QUICK, name: 'frozen without', seed: 77 }));
    await server.lab.retention.sweep(NOTHING, fault);
    expect((await server.post('/shares', { address: `/r/${run}`, title: 'Without' })).status).toBe(201);
    const path = `/shares/without/runs/${run}/samples`;
    const before = await bytesOf(path);
    expect((await again(run)).status).toBe(200);
    expect(await bytesOf(path)).toBe(before);
    expect(await bytesOf(`/runs/${run}/samples`)).not.toBe(before);
  });

  it('are those of own algorithms, too', async () => {
    const text = ownText('retained');
    const kept = await fetch(server.url('/algorithms'), { method: 'POST', body: text });
    const { id } = OwnAlgorithm.parse(await kept.json());
    const run = only(await madeBy({ ...QUICK, name: 'own', ccas: [{ id }] }));
    const samples = await bytesOf(`/runs/${run}/samples`);
    expect((await server.lab.retention.sweep(NOTHING, fault)).map((going) => going.run)).toContain(run);
    expect((await again(run)).status).toBe(200);
    expect(await bytesOf(`/runs/${run}/samples`)).toBe(samples);
  });
});

describe('a server that ends', () => {
  it('in the middle leaves no half of them', async () => {
    const { store } = server.lab;
    for (const run of [made.first, made.last]) expect((await again(run)).status).toBe(200);
    const samples = await bytesOf(`/runs/${made.first}/samples`);
    // As one that was letting them go, and one that was making those of a run that never had any.
    store.samplesGone.begin(made.first, new Date().toISOString());
    store.samples.deleteSome(made.first, 1);
    store.samplesGone.begin(made.last, null);
    expect((await record(made.first)).samples?.kept).toBe(false);
    expect(await (await fetch(server.url(`/runs/${made.first}/samples`))).text()).toBe('');
    await server.stop();
    server = await TestServer.start({ dataDir });
    expect([made.first, made.last].map(has)).toEqual([false, false]);
    expect((await record(made.first)).samples?.gone_at).not.toBeNull();
    expect((await record(made.last)).samples).toEqual({ kept: false, gone_at: null });
    for (const run of [made.first, made.last]) expect((await again(run)).status).toBe(200);
    expect(await bytesOf(`/runs/${made.first}/samples`)).toBe(samples);
  });

  it('and begins again with --retain lets go by itself, and counts no room that is free', async () => {
    await server.stop();
    server = await TestServer.start({ dataDir, retain: 1 });
    await vi.waitFor(() => expect([made.first, made.last].map(has)).toEqual([false, false]), 10_000);
    await server.stop();
    server = await TestServer.start({ dataDir });
    const free = (await folderBytes(dataDir)) - (await server.lab.quota.used());
    expect(server.lab.store.freeBytes()).toBeGreaterThan(20_000);
    expect(free).toBeGreaterThan(20_000);
  });
});

it('the option wants a size below that of the data folder', () => {
  expect(serveConfig(['--retain', '20G', '--max-data', '30G'], {})).toMatchObject({ retain: 20e9 });
  expect(serveConfig([], { PACELINE_RETAIN: '5G' })).toMatchObject({ retain: 5e9 });
  expect(() => serveConfig(['--retain', 'all'], {})).toThrow('--retain: wants a size');
  expect(() => serveConfig(['--retain', '30G', '--max-data', '20G'], {})).toThrow('--retain: wants less');
});

it('paceline retention says how it stands, lets go and makes again', async () => {
  const file = `${dataDir}/paceline.db`;
  expect((await again(made.first)).status).toBe(200);
  await server.stop();
  onTestFinished(async () => {
    server = await TestServer.start({ dataDir });
  });
  const paceline = (...words: string[]) =>
    new TestProcess('server/src/cli/main.ts', [...words, '--data-dir', dataDir]).ended();
  const ask = (...words: string[]) => paceline('retention', ...words);
  expect((await ask()).stdout).toMatch(/^The database takes [\d.]+ [kM]B.*; the samples of \d runs were let go\n$/);
  const dry = await ask('to', '1k', '--dry-run', '--json');
  expect(dry).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing else may go') as string });
  expect((JSON.parse(dry.stdout) as { runs: { run: string }[] }).runs.map(({ run }) => run)).toContain(made.first);
  const { size } = statSync(file);
  const went = await ask('to', '1k', '--shrink');
  expect(went.stdout).toMatch(/let go the samples of \d+ runs?: [\d.]+ [kM]B; the database takes [\d.]+ [kM]B\n$/);
  const { size: shrunk } = statSync(file);
  expect(shrunk).toBeLessThan(size - 20_000);
  expect(await paceline('check')).toMatchObject({ code: 0 });
  expect(await ask('again', first.id)).toMatchObject({ code: 0, stdout: 'the samples of 1 run were made again\n' });
  expect(await ask('again', made.real)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('real time') as string,
  });
  for (const words of [['to'], ['to', 'much'], ['again'], ['again', 'nobody'], ['elsewhere'], ['--dry-run']])
    expect((await ask(...words)).code).toBe(2);
});
