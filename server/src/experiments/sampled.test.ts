// What the samples of an experiment's runs come to, from runs of the real engine: held to its own files, kept, and asked by a study.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ExperimentRecord, Problem } from '#protocol/api';
import { SAMPLE_FAMILIES, SampledPage, type CellSampled } from '#protocol/sampled';
import type { ExperimentSpecInput } from '#protocol/spec';
import { StudyRecord } from '#protocol/study';
import { SMALL_STUDY } from '../testing/small-study.ts';
import { TestServer } from '../testing/server.ts';

const SPEC: ExperimentSpecInput = {
  name: 'sampled',
  duration_s: 8,
  traces: [{ rate_mbps: 12 }],
  ccas: [{ id: 'cubic' }, { id: 'bbr' }],
  flows: [{}, { start_s: 2 }],
  buffers: [{ bdp: 3 }],
  repetitions: 2,
  // Flows begin when they are said to: windows of 100 ms are ten rows.
  vary: ['cca_random'],
};

const dataDir = mkdtempSync(join(tmpdir(), 'paceline-sampled-'));
let server: TestServer;
let experiment: ExperimentRecord;

/** With a claim that only samples can tell. */
const ASKING = {
  ...SMALL_STUDY,
  id: 'asking',
  answers: [],
  figures: [
    {
      id: 'peaks',
      title: 'Peaks',
      claims: [
        {
          id: 'most',
          text: 'The most that passes in 100 ms is what the link has',
          tested: {
            measure: { experiment: 'steady', value: 'throughput_max_mbps', by: 'cca', where: { cca: 'cubic' } },
            expect: { kind: 'values', paper: { cubic: 12 }, tolerance: { relative: 0.05 } },
            unit: 'Mbps',
          },
        },
      ],
    },
  ],
};

beforeAll(async () => {
  mkdirSync(join(dataDir, 'studies'));
  writeFileSync(join(dataDir, 'studies', 'small.study.json'), JSON.stringify(SMALL_STUDY));
  writeFileSync(join(dataDir, 'studies', 'asking.study.json'), JSON.stringify(ASKING));
  server = await TestServer.start({ dataDir });
  experiment = await server.submit(SPEC);
  await server.over(experiment);
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const cells = async (query = ''): Promise<readonly CellSampled[]> =>
  (await server.json(`/experiments/${experiment.id}/sampled${query}`, SampledPage)).cells;

const RunFile = z.object({
  columns: z.array(z.object({ name: z.string() })),
  rows: z.array(z.array(z.union([z.number(), z.string(), z.null()]))),
});

/** Means over so many rows at a time, of rates of both flows, from the run's file: no code of the analysis is in it. */
async function ratesOf(run: string, rows: number): Promise<number[]> {
  const file = RunFile.parse(await (await fetch(server.url(`/runs/${run}/export?format=json`))).json());
  const at = (name: string): number => file.columns.findIndex((column) => column.name === name);
  const columns = [at('receiver0_throughput_mbps'), at('receiver1_throughput_mbps')];
  const rates = file.rows.map((row) => columns.reduce((total, column) => total + Number(row[column] ?? 0), 0));
  const means: number[] = [];
  for (let i = 0; i + rows <= rates.length; i += rows)
    means.push(rates.slice(i, i + rows).reduce((total, rate) => total + rate, 0) / rows);
  return means;
}

const kept = (run: string): unknown[] =>
  server.lab.store.db.prepare('SELECT family FROM run_sampled WHERE run_id = ? ORDER BY family').pluck().all(run);

const numbers = (values: Readonly<Record<string, { readonly mean: number }>>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).map(([name, { mean }]) => [name, mean]));

describe('what the samples of an experiment come to', () => {
  it('is what the run’s own file has, window by window', async () => {
    const [cubic] = await cells('?of=spread');
    const runs = experiment.runs.filter(({ cell, role }) => cell === experiment.cells[0]?.key && role === 'solo');
    const peaks = await Promise.all(runs.map(async ({ id }) => Math.max(...(await ratesOf(id, 10)))));
    expect(cubic).toMatchObject({ key: experiment.cells[0]?.key, runs: 2, told: 2 });
    expect(cubic?.values['throughput_max_mbps']?.mean).toBeCloseTo((peaks[0] ?? 0) / 2 + (peaks[1] ?? 0) / 2, 3);
    expect(cubic?.values['throughput_max_mbps']?.n).toBe(2);
    // 80 windows of each run: together what is in their middle.
    const all = (await Promise.all(runs.map(({ id }) => ratesOf(id, 10)))).flat().sort((a, b) => a - b);
    expect(cubic?.boxes['throughput']).toMatchObject({ n: 160, runs: 2 });
    expect(cubic?.boxes['throughput']?.p50).toBeCloseTo(all[79] ?? NaN, 3);
    expect(Object.keys(cubic?.values ?? {}).every((name) => /^(throughput|delay)_/.test(name))).toBe(true);
  });

  it('has the course, ellipses and, from engines that tell it, RTO less RTT', async () => {
    const [cubic] = await cells();
    expect(cubic?.values['converged']?.n).toBe(2);
    expect(cubic?.values['jain_rtt:50']?.mean).toBeGreaterThan(0.5);
    expect(cubic?.values['jain_rtt:50']?.mean).toBeLessThanOrEqual(1);
    // A constant rate never fails.
    expect(cubic?.values).not.toHaveProperty('recovered');
    expect(cubic?.ellipses['inflight:100 ms']).toMatchObject({ runs: 2 });
    expect(cubic?.ellipses['throughput:1 s']?.y).toBeGreaterThan(6);
    expect(cubic?.ellipses['throughput:1 s']?.y).toBeLessThan(12.5);
  });

  it('is read once: what a run came to stays, and goes with its samples', async () => {
    const first = await cells();
    const run = experiment.runs[0]?.id ?? '';
    expect(kept(run)).toEqual([...SAMPLE_FAMILIES].sort());
    const { samples } = server.lab.store;
    const reading = vi.spyOn(samples, 'slices');
    expect(await cells()).toEqual(first);
    expect(reading).not.toHaveBeenCalled();
    reading.mockRestore();
    samples.delete(run);
    expect(kept(run)).toEqual([]);
    const [cubic] = await cells('?of=spread');
    expect(cubic).toMatchObject({ runs: 2, told: 1 });
    expect(cubic?.values['throughput_max_mbps']?.n).toBe(1);
  });

  it('those who ask at once wait for the same reading', async () => {
    const another = await server.submit({ ...SPEC, name: 'again', seed: 2 });
    await server.over(another);
    const { samples } = server.lab.store;
    const reading = vi.spyOn(samples, 'slices');
    const path = `/experiments/${another.id}/sampled?of=spread`;
    const found = await Promise.all([server.json(path, SampledPage), server.json(path, SampledPage)]);
    const asked = reading.mock.calls.map((given) => given.slice(0, 3).join(' '));
    reading.mockRestore();
    expect(found[0]).toEqual(found[1]);
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('comes page by page, and refuses what it cannot read', async () => {
    const page = await server.json(`/experiments/${experiment.id}/sampled?of=spread&limit=1`, SampledPage);
    expect([page.cells.length, page.next]).toEqual([1, 1]);
    const rest = await server.json(`/experiments/${experiment.id}/sampled?of=spread&limit=1&after=1`, SampledPage);
    expect([rest.cells[0]?.key, rest.next]).toEqual([experiment.cells[1]?.key, null]);
    expect((await server.json(`/experiments/${experiment.id}/sampled?after=999`, SampledPage)).cells).toEqual([]);
    const refused = await fetch(server.url(`/experiments/${experiment.id}/sampled?of=spread,nothing`));
    expect([refused.status, Problem.parse(await refused.json()).detail]).toEqual([
      400,
      expect.stringContaining('course, spread, plane, rto') as string,
    ]);
  });
});

describe('a study', () => {
  const finished = async (id: string): Promise<StudyRecord> => {
    await server.post(`/studies/${id}/run`);
    for (const { experiment: own } of (await server.json(`/studies/${id}`, StudyRecord)).experiments)
      await server.over(await server.json(`/experiments/${own ?? ''}`, ExperimentRecord));
    return server.json(`/studies/${id}`, StudyRecord);
  };

  it('that asks nothing of samples reads none', async () => {
    const { experiments } = await finished('small');
    const { runs } = await server.json(`/experiments/${experiments[0]?.experiment ?? ''}`, ExperimentRecord);
    expect(runs.length).toBeGreaterThan(0);
    for (const { id } of runs) expect(kept(id)).toEqual([]);
  });

  it('that asks has its value from them, and that one alone', async () => {
    const { experiments, figures } = await finished('asking');
    const { id, runs } = await server.json(`/experiments/${experiments[0]?.experiment ?? ''}`, ExperimentRecord);
    const [claim] = figures[0]?.claims ?? [];
    expect(claim?.outcome.verdict).toBe('holds');
    expect(kept(runs[0]?.id ?? '')).toEqual(['spread']);
    const page = await server.json(`/experiments/${id}/sampled?of=spread`, SampledPage);
    const own = numbers(page.cells[0]?.values ?? {});
    expect(claim?.outcome.points[0]?.ours?.value).toBeCloseTo(own['throughput_max_mbps'] ?? NaN, 9);
  });
});
