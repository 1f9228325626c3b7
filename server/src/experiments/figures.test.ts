// Figures of an experiment of more runs than are read at once, against what the page makes of few.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FiguresPage, ScoreTerms, type CellFiguresRecord } from '#protocol/figures';
import type { RunRef } from '#protocol/api';
import type { ExperimentSpecInput } from '#protocol/spec';
import { resultsOf } from '#analysis/results';
import { tableOf } from '#analysis/table';
import { termTable } from '#analysis/terms';
import { summaryOf } from '#analysis/testing';
import { TestServer } from '../testing/server.ts';
import { MOST_INLINE } from './experiment-service.ts';

const DURATION_S = 20_000;
const SPEC: ExperimentSpecInput = {
  name: 'many',
  // None ends by itself while the test lasts: how they end is written here.
  duration_s: DURATION_S,
  sample_period_ms: 10_000,
  traces: [{ rate_mbps: 2100 }, { rate_mbps: 2200 }],
  ccas: [{ id: 'cubic' }, { id: 'newreno' }],
  repetitions: 200,
  full_scores: true,
};

/** Something else for each run, the same every time. */
const drawn = (i: number, most: number): number => (((i * 7919) % 1000) / 1000) * most;

let server: TestServer;
let id: string;
let runs: readonly RunRef[];
const ccas = async () => (await server.lab.engine.listing()).ccas;

function end(run: RunRef, i: number, state: 'done' | 'failed' = 'done'): void {
  const pair = run.role !== 'solo';
  const summary = summaryOf({
    utilisation: 0.6 + drawn(i, 0.4),
    queueing_ms: 5 + drawn(i + 13, 80),
    duration_s: DURATION_S,
    ccas: pair ? ['a', 'b'] : ['a'],
    fairness: pair
      ? [
          [1, 0.5 + drawn(i, 0.5)],
          [50, 0.9 - drawn(i, 0.2)],
        ]
      : [],
  });
  const over = { reason: state === 'failed' ? 'it broke' : null, stderr_tail: null, cost: null, time_s: 60 };
  server.lab.store.runs.finish(
    run.id,
    { ...over, state, summary: state === 'failed' ? null : summary },
    new Date(i).toISOString(),
  );
  server.lab.store.jobs.remove(run.id);
  server.lab.feed.emit(run.id, 'state', state);
}

async function figures(): Promise<CellFiguresRecord[]> {
  const cells: CellFiguresRecord[] = [];
  for (let next: number | null = 0; next !== null;) {
    const page: FiguresPage = await server.json(`/experiments/${id}/figures?limit=3&after=${next}`, FiguresPage);
    cells.push(...page.cells);
    next = page.next;
  }
  return cells;
}

/** All of it by the way that few runs go. */
async function expected() {
  const experiment = await server.lab.experiments.whole(id);
  return resultsOf({ ...experiment, runs: [...experiment.runs] }, await ccas());
}

const withoutValues = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'values' ? undefined : inner)));

beforeAll(async () => {
  server = await TestServer.start();
  id = (await server.submit(SPEC)).id;
  runs = [...(await server.lab.experiments.whole(id)).runs];
  for (const [i, run] of runs.entries())
    if (server.lab.scheduler.active.has(run.id)) continue;
    else if (i % 50 === 7) end(run, i, 'failed');
    else if (i % 61 !== 12) end(run, i);
});
afterAll(() => server.close());

describe('the figures of very many runs', () => {
  it('are to the last digit those that the page makes of few', async () => {
    expect(runs.length).toBeGreaterThan(MOST_INLINE);
    const results = await expected();
    const rows = tableOf(results);
    const found = await figures();
    expect(found).toHaveLength(rows.length);
    for (const [i, row] of rows.entries()) {
      const { cell, n, planned, pending, metrics, intra, inter, scores } = found[i]!;
      expect({ cell, n, planned, pending, metrics, intra, inter, scores }).toEqual(
        withoutValues({
          cell: row.cell,
          n: row.n,
          planned: row.planned,
          pending: row.pending,
          metrics: row.metrics,
          intra: row.intra,
          inter: row.inter,
          scores: row.scores,
        }),
      );
      expect([found[i]!.left_out, found[i]!.excluded]).toEqual([
        row.excluded.length,
        row.excluded.slice(0, found[i]!.excluded.length),
      ]);
      expect(row.excluded.length).toBeGreaterThan(found[i]!.excluded.length);
      expect(n).toBeGreaterThan(100);
    }
  });

  it('and so are the terms of the scores, with every replicate', async () => {
    const table = termTable(await expected());
    const found = await server.json(`/experiments/${id}/terms`, ScoreTerms);
    const { ccas: own, ...rest } = found;
    const { ccas: wanted, ...others } = table;
    expect(rest).toEqual(others);
    for (const [i, { terms, replicates, replicates_traces }] of wanted.entries()) {
      // One trace says nothing of others.
      expect(own[i]!.replicates_traces).toEqual(replicates_traces);
      expect(own[i]!.terms).toEqual(terms);
      for (const term of ['throughput', 'delay', 'intra', 'inter'] as const) {
        const bytes = Buffer.from(own[i]!.replicates[term] ?? '', 'base64');
        expect([...new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))]).toEqual([
          ...replicates[term]!,
        ]);
      }
    }
  });

  it('follow the runs that end, cell by cell', async () => {
    const before = await figures();
    const waits = runs.findIndex(
      ({ role, id: run }) => role === 'solo' && server.lab.store.runs.state(run) === 'queued',
    );
    end(runs[waits]!, waits);
    await expect
      .poll(async () => (await figures()).reduce((sum, { n }) => sum + n, 0), { timeout: 10_000 })
      .toBe(before.reduce((sum, { n }) => sum + n, 0) + 1);
    const after = await figures();
    expect(
      after.filter((cell, i) => JSON.stringify(cell) !== JSON.stringify(before[i])).map(({ cell }) => cell.key),
    ).toEqual([runs[waits]!.cell]);
    const rows = tableOf(await expected());
    expect(after.map(({ metrics }) => metrics)).toEqual(rows.map(({ metrics }) => withoutValues(metrics)));
  });

  it('are in the JSON file, harm and scores with them', async () => {
    const Derived = z.object({
      table: z.array(z.looseObject({ key: z.string(), n: z.int() })),
      frontiers: z.array(z.unknown()).length(2),
      scores: z.array(z.looseObject({ scenario: z.string() })).min(4),
      harm: z.object({ results: z.array(z.unknown()).length(4), bars: z.record(z.string(), z.unknown()) }),
    });
    const file = await server.json(`/experiments/${id}/export?format=json`, z.looseObject({ derived: Derived }));
    const rows = tableOf(await expected());
    expect(file.derived.table.map(({ key, n }) => [key, n])).toEqual(rows.map(({ key, n }) => [key, n]));
    expect(withoutValues(file.derived.table.map((row) => row['metrics']))).toEqual(
      rows.map(({ metrics }) => withoutValues(metrics)),
    );
  });

  it('are refused of an experiment that is not there', async () => {
    const answers = await Promise.all(
      ['figures', 'terms'].map((what) => fetch(server.url(`/experiments/aaaaaaaaaaaaaaaaaaaa/${what}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});
