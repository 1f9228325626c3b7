// A run of an earlier version whose path lists its elements: it opens as it was, and what can be had of it is what it was.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ExperimentRecord, RunRecord } from '#protocol/api';
import { migrate, migrationFiles } from '../store/database.ts';
import { parseCsv } from '../export/testing.ts';
import { TestServer } from '../testing/server.ts';

const Blob = z.object({ base64: z.string() }).transform(({ base64 }) => Buffer.from(base64, 'base64'));
const Fixture = z.object({
  schema: z.int(),
  tables: z.record(
    z.string(),
    z.object({
      columns: z.array(z.string()),
      rows: z.array(z.array(z.union([z.null(), z.number(), z.string(), Blob]))),
    }),
  ),
});
const file = new URL('../testing/fixtures/listed-path-run.json', import.meta.url);
const { schema, tables } = Fixture.parse(JSON.parse(readFileSync(file, 'utf8')));
const idIn = (table: string): string => z.string().parse(tables[table]?.rows[0]?.[tables[table].columns.indexOf('id')]);
const [RUN, EXPERIMENT] = [idIn('runs'), idIn('experiments')];

const folder = mkdtempSync(join(tmpdir(), 'paceline-earlier-'));
let server: TestServer;
beforeAll(async () => {
  const db = new Database(join(folder, 'paceline.db'));
  migrate(db, migrationFiles().slice(0, schema));
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    const insert = db.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`);
    for (const row of rows) insert.run(...row);
  }
  db.close();
  server = await TestServer.start({ dataDir: folder });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const csvOf = async (path: string): Promise<string[][]> => parseCsv(await (await fetch(server.url(path))).text());

describe('a run whose path lists its elements', () => {
  it('is done, with its elements in manifest and summary', async () => {
    const run = await server.json(`/runs/${RUN}`, RunRecord);
    expect(run).toMatchObject({ state: 'done', reason: null });
    expect(run.manifest.forward.path?.map(({ element }) => element)).toEqual([
      'policer',
      'bottleneck',
      'bottleneck',
      'delay',
    ]);
    expect(run.manifest.flows[1]?.joins).toBe(2);
    const [forward, reverse] = run.summary?.links ?? [];
    expect(forward?.path?.map(({ element }) => element)).toEqual([
      'loss',
      'policer',
      'bottleneck',
      'bottleneck',
      'delay',
    ]);
    // The host held acknowledgements for the last delay then.
    expect(reverse?.path?.map(({ element }) => element)).toEqual(['loss', 'jitter', 'bottleneck']);
  });

  it('has its samples, element by element, and they add up to the summary', async () => {
    const { summary } = await server.json(`/runs/${RUN}`, RunRecord);
    const [header = [], ...rows] = await csvOf(`/runs/${RUN}/export?format=csv`);
    expect(rows).toHaveLength(4);
    const sum = (column: string): number => {
      expect(header).toContain(column);
      return rows.reduce((total, row) => total + Number(row[header.indexOf(column)]), 0);
    };
    const policer = summary?.links[0]?.path?.[1];
    expect(policer?.lost_packets).toBeGreaterThan(0);
    expect(sum('forward1_policer_lost_packets')).toBe(policer?.lost_packets);
    expect(sum('forward3_bottleneck_entered_packets')).toBe(summary?.links[0]?.path?.[3]?.entered_packets);
    expect(sum('reverse1_jitter_passed_packets')).toBe(summary?.links[1]?.path?.[1]?.passed_packets);
    expect(header.filter((name) => name.startsWith('reverse3'))).toEqual([]);
  });

  it('is in its experiment, whose spec can be asked for again', async () => {
    const then = await server.json(`/experiments/${EXPERIMENT}`, ExperimentRecord);
    expect(then).toMatchObject({ state: 'done', runs_total: 1, runs_done: 1 });
    const [header = [], first = []] = await csvOf(`/experiments/${EXPERIMENT}/export?format=csv`);
    expect(JSON.parse(first[header.indexOf('path_forward')] ?? '')).toEqual(then.spec.elements?.forward);
    const again = await server.submit(then.spec);
    await server.over(again);
    const { runs } = await server.json(`/experiments/${again.id}`, ExperimentRecord);
    expect(runs[0]?.state).toBe('done');
    // The same path gives the same: the data's way has not changed.
    const now = await server.json(`/runs/${runs[0]?.id ?? ''}`, RunRecord);
    const was = await server.json(`/runs/${RUN}`, RunRecord);
    expect(now.summary?.links[0]).toMatchObject(was.summary!.links[0]!);
    expect(now.summary?.receivers).toMatchObject(was.summary!.receivers);
    expect(now.summary?.fairness).toEqual(was.summary?.fairness);
  });

  it('is scored as it was, by its RTT samples, and says so; run again it is by its packets', async () => {
    const was = (await server.json(`/runs/${RUN}`, RunRecord)).summary!;
    expect([was.all_flows, was.links[0]?.flows, was.receivers[0]?.base_owd_ms]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const packets = was.senders.reduce((total, { rtt }) => total + rtt.count, 0);
    const inflation =
      was.senders.reduce((total, { rtt, delay_inflation }) => total + rtt.count * (delay_inflation ?? NaN), 0) /
      packets;
    const figure = async (experiment: string, column: string): Promise<string | undefined> => {
      const [header = [], first = []] = await csvOf(`/experiments/${experiment}/export?format=csv`);
      return first[header.indexOf(column)];
    };
    expect(await figure(EXPERIMENT, 'delay_basis')).toBe('rtt');
    expect(Number(await figure(EXPERIMENT, 'delay_inflation'))).toBeCloseTo(inflation, 12);
    expect(await figure(EXPERIMENT, 'rtt_p95_ms')).toBe('');
    expect(await figure(EXPERIMENT, 'flow0_queueing_mean_ms')).toBe('');

    const again = await server.submit((await server.json(`/experiments/${EXPERIMENT}`, ExperimentRecord)).spec);
    await server.over(again);
    expect(await figure(again.id, 'delay_basis')).toBe('packets');
    expect(Number(await figure(again.id, 'rtt_inflation'))).toBeGreaterThanOrEqual(1);
    expect(Number(await figure(again.id, 'rtt_p95_ms'))).toBeGreaterThan(0);
    expect(Number(await figure(again.id, 'flow0_owd_p95_ms'))).toBeGreaterThan(0);
  });
});
