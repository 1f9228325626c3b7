// Real time: UDP packets through the emulator process, watched as they go, and stopped without leaving anything behind.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nativeDir, PROGRAMS } from '#bridge/programs';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { runToFirstPicture } from './support/first-picture.ts';
import { countSamples, sightings, watchLive } from './support/live-watch.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { realTimeProgramsOf, stillAlive } from './support/processes.ts';
import { tracePair } from './support/traces.ts';

const missing = PROGRAMS.filter((program) => !existsSync(join(nativeDir(), program)));
const { slow: TRACE } = tracePair();

test.beforeEach(() => {
  test.skip(missing.length > 0, `not built: ${missing.join(', ')}`);
});

test('a run in real time is watched, lasts as long as it says, and tells how late it was', async ({ page, server }) => {
  const api = new Api(server);
  const samples = countSamples(page);
  await page.goto(`${server.url}/traces`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload a trace' }).click();
  await (await chooser).setFiles(TRACE.path);
  await page.waitForURL(/\/traces\/[0-9a-f]{64}$/);
  await page.getByRole('link', { name: 'Use in experiment' }).click();

  const form = new NewExperiment(page);
  await form.chooseAlgorithms(['Cubic']);
  await form.chooseLimits(['5 BDP']);
  await form.fill('Duration', '6');
  await form.fullScores(false);
  await form.link.getByRole('radio', { name: 'Real time' }).locator('xpath=ancestor::label').click();
  await expect(form.link.getByText(/Real UDP packets through this machine/)).toBeVisible();
  await expect.poll(() => form.plannedRuns()).toBe(1);
  await watchLive(page);
  const started = Date.now();
  let firstPicture = Number.NaN;
  const id = await form.run(async () => {
    firstPicture = await runToFirstPicture(page);
  });
  test.info().annotations.push({ type: 'Run to first picture', description: `${firstPicture.toFixed(0)} ms` });
  await api.until(id, ({ runs }) => (runs[0]?.time_s ?? 0) > 0.3);
  // An emulator, a sender and a receiver.
  expect(realTimeProgramsOf(server.pid)).toHaveLength(3);
  await api.ended(id);
  expect(Date.now() - started).toBeGreaterThanOrEqual(6000);
  expect(realTimeProgramsOf(server.pid)).toEqual([]);

  const seen = await sightings(page);
  const times = seen.map(({ time }) => Number.parseFloat(time));
  expect(new Set(times).size).toBeGreaterThanOrEqual(5);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(seen.map(({ picture }) => picture)).size).toBeGreaterThanOrEqual(3);
  expect(samples.frames).toBeGreaterThan(20);

  const [ref] = (await api.experiment(id)).runs;
  await page.goto(`${server.url}/r/${ref?.id ?? ''}`);
  const { state, summary } = await api.run(ref?.id ?? '');
  expect(summary?.links[0]?.utilisation).toBeGreaterThan(0.5);
  const late = summary?.lateness;
  expect(late?.p99_us).toBeGreaterThan(0);
  // A machine that is busy with something else is too late at times. Then the run says so and does not count.
  expect(state).toBe(late?.overrun === true ? 'invalid' : 'done');
  const strip = page.getByLabel('Summary', { exact: true });
  await expect(strip).toContainText(late?.overrun === true ? 'overrun' : 'on time');
  test.info().annotations.push({
    type: 'lateness',
    description: `p99 ${late?.p99_us ?? '?'} µs, max ${late?.max_us ?? '?'} µs`,
  });
});

test('Stop ends a run in real time at once and leaves no process behind', async ({ page, server }) => {
  const api = new Api(server);
  const { id } = await api.submit({
    // Not a word of what its state will be called.
    name: 'Ten minutes',
    engine: 'realtime',
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }],
    flows: [{}, {}],
    duration_s: 600,
  });
  await page.goto(`${server.url}/e/${id}`);
  await api.until(id, ({ runs }) => (runs[0]?.time_s ?? 0) > 0.3);
  const pids = realTimeProgramsOf(server.pid);
  expect(pids).toHaveLength(5);
  const pressed = Date.now();
  await page.getByRole('group', { name: 'Progress' }).first().getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('stopped');
  test.info().annotations.push({ type: 'Stop to stopped', description: `${Date.now() - pressed} ms` });
  expect(stillAlive(pids)).toEqual([]);
  const record = await api.experiment(id);
  expect(record.runs[0]).toMatchObject({ state: 'cancelled' });
  expect(record.runs[0]?.time_s).toBeGreaterThan(0.3);
});
