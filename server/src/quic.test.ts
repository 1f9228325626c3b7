// Real QUIC through the whole server: the study of unused windows, shortened, and its qlogs over HTTP and on the command line.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mean } from '#analysis/statistics';
import { ExperimentRecord, Plan, Problem } from '#protocol/api';
import { ImportedRecord } from '#protocol/imported';
import { ExperimentSpec, type ExperimentSpecInput } from '#protocol/spec';
import { nativeDir } from '#bridge/programs';
import { quicHelper } from '#bridge/quic';
import { ReadSeries } from './export/read-series.ts';
import { QlogFolder } from './jobs/qlogs.ts';
import { testFolder } from './testing/folder.ts';
import { TestProcess } from './testing/process.ts';
import { QUICK, TestServer } from './testing/server.ts';

const STUDY = new URL('../studies/unused-window.json', import.meta.url);
const trial = spawnSync(join(nativeDir(), 'paceline-tun'), ['--check'], { encoding: 'utf8' });
const missing = quicHelper().unavailable ?? (trial.status === 0 ? null : trial.stderr.trim());

const folder = testFolder();
let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

const study = ExperimentSpec.parse(JSON.parse(readFileSync(STUDY, 'utf8')));
const short: ExperimentSpecInput = {
  ...study,
  duration_s: 1,
  traces: [{ rate_mbps: 100 }],
  buffers: [{ bdp: 1 }],
  ccas: study.ccas.filter(({ id }) => !id.startsWith('quinn-')),
  qlog: true,
};

it('a run that keeps no qlog has none', async () => {
  const experiment = await server.submit(QUICK);
  await server.over(experiment);
  const response = await fetch(server.url(`/runs/${experiment.runs[0]!.id}/qlog/0`));
  expect(response.status).toBe(404);
  expect(Problem.parse(await response.json())).toMatchObject({ code: 'RUN_WITHOUT_QLOG' });
});

it('only flows over QUIC of a run that asked for it can have one', () => {
  const qlogs = new QlogFolder(folder());
  const flows = [{}, {}] as never[];
  expect(qlogs.flows('a', { qlog: true, flows } as never)).toEqual([]);
  expect(qlogs.flows('a', { flows } as never)).toEqual([]);
});

describe.skipIf(missing !== null)(`QUIC${missing === null ? '' : ` cannot be run here: ${missing}`}`, () => {
  it('the study of unused windows can be planned as it stands', async () => {
    const response = await server.post('/plan', study);
    expect(response.status).toBe(200);
    expect(Plan.parse(await response.json())).toMatchObject({ cells: 20, runs: 20 });
  });

  it('windows with and without the rule are two cells, with the kernel’s beside, and their qlogs are kept', async () => {
    const experiment = await server.submit(short);
    await server.over(experiment);
    const { runs, cells } = await server.json(`/experiments/${experiment.id}`, ExperimentRecord);
    expect(cells.map(({ cca }) => cca)).toEqual([
      { id: 'quic-cubic', params: {} },
      { id: 'quic-cubic', params: { grow_underutilised: true } },
      { id: 'kernel-cubic', params: {} },
    ]);
    // A machine that is busy with other tests may be late: the run is invalid then, but it is whole.
    for (const { state, reason } of runs) expect(['done', 'invalid'], reason ?? '').toContain(state);
    const logs = await Promise.all(
      runs.map(async ({ id }) => {
        const response = await fetch(server.url(`/runs/${id}/qlog/0`));
        return {
          status: response.status,
          name: response.headers.get('content-disposition'),
          text: await response.text(),
        };
      }),
    );
    expect(logs.map(({ status }) => status)).toEqual([200, 200, 404]);
    expect(logs[0]!.name).toBe(`attachment; filename="paceline-${runs[0]!.id}-flow0.sqlog"`);
    for (const { text } of logs.slice(0, 2)) {
      expect(JSON.parse(text.split('\n')[0]!.slice(1))).toMatchObject({ qlog_version: '0.3', qlog_format: 'JSON-SEQ' });
      expect(text).toContain('recovery:metrics_updated');
    }
    const [run] = runs;
    const series = new ReadSeries(await (await fetch(server.url(`/runs/${run!.id}/export?format=csv`))).text());
    const back = await fetch(server.url('/imported-series?name=ours.sqlog'), { method: 'POST', body: logs[0]!.text });
    const { imported } = ImportedRecord.parse(await back.json());
    // Both are by 10 ms on the wire, and their clocks begin within a few of each other.
    for (const [quantity, column] of [
      ['throughput_mbps', 'sender0_sent_mbps'],
      ['cwnd_bytes', 'sender0_cwnd_bytes'],
    ] as const) {
      const found = imported.flows[0]!.series.find((one) => one.quantity === quantity)!.values;
      const own = Array.from(series.column(column)!.values).filter((value) => !Number.isNaN(value));
      const [theirs, ours] = [mean(found.filter((value) => value !== null))!, mean(own)!];
      expect(Math.abs(theirs / ours - 1), column).toBeLessThan(0.05);
    }
  });

  it('the command line writes the qlogs of a run', async () => {
    const spec = join(folder(), 'spec.json');
    writeFileSync(spec, JSON.stringify({ ...short, ccas: [{ id: 'quinn-newreno' }] }));
    const command = new TestProcess('bin/paceline.mjs', ['run', spec, '--out', join(folder(), 'out')], folder());
    const { stderr } = await command.ended();
    const written = readdirSync(join(folder(), 'out', 'qlog'));
    expect(written, stderr).toHaveLength(1);
    expect(written[0]).toMatch(/^paceline-[a-z2-7]{20}-flow0\.sqlog$/);
  });
});
