// What leaves for flent comes back as it was.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ExperimentRecord } from '#protocol/api';
import { ImportedRecord } from '#protocol/imported';
import { readImport } from '../imports/read-import.ts';
import { testFolder } from '../testing/folder.ts';
import { QUICK, TestServer } from '../testing/server.ts';
import { ReadSeries } from './read-series.ts';

const folder = testFolder();
let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

it('a run that was exported for flent is imported with the same series', async () => {
  const submitted = await server.submit(QUICK);
  await server.over(submitted);
  const { runs } = await server.json(`/experiments/${submitted.id}`, ExperimentRecord);
  const run = runs[0]!.id;
  const response = await fetch(server.url(`/runs/${run}/export?format=flent`));
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="paceline-${run}.flent.gz"`);
  const file = new Uint8Array(await response.arrayBuffer());
  const written = JSON.parse(gunzipSync(file).toString()) as { metadata: Record<string, unknown> };
  expect(written.metadata).toMatchObject({ PACELINE_RUN: run, STEP_SIZE: 0.01, NAME: 'tcp_1up' });

  const path = join(folder(), 'run.flent.gz');
  writeFileSync(path, file);
  const { imported } = await readImport(path, 'run');
  const csv = new ReadSeries(await (await fetch(server.url(`/runs/${run}/export?format=csv`))).text());
  const [flow, ...others] = imported.flows;
  expect(others).toEqual([]);
  const columns = {
    throughput_mbps: 'receiver0_throughput_mbps',
    rtt_ms: 'sender0_latest_rtt_ms',
    cwnd_bytes: 'sender0_cwnd_bytes',
  } as const;
  expect(flow?.series.map(({ quantity }) => quantity).sort()).toEqual(Object.keys(columns).sort());
  for (const { quantity, time_s, values } of flow?.series ?? []) {
    const own = csv.column(columns[quantity as keyof typeof columns])!;
    expect(time_s).toHaveLength(own.rows);
    const off = values.map((value, i) => {
      const was = own.values[i]!;
      if (value === null) return Number.isNaN(was) ? 0 : Infinity;
      return Math.abs(value - was) / Math.max(1e-3, Math.abs(was)) + Math.abs(time_s[i]! - own.time[i]!);
    });
    expect(Math.max(...off), quantity).toBeLessThan(2e-6);
  }

  const posted = await fetch(server.url('/imported-series?name=run.flent.gz'), { method: 'POST', body: file });
  expect(ImportedRecord.parse(await posted.json()).imported).toEqual(imported);
});
