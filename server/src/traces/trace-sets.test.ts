// Sets of traces in a spec: what they become, what a plan leaves behind, and how they are refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultsOf } from '#analysis/results';
import { groupMean, groupRows } from '#analysis/table-groups';
import { tableOf } from '#analysis/table';
import { Plan, Problem, TraceList } from '#protocol/api';
import type { AskedSpecInput } from '#protocol/spec';
import { answers } from '../cli/answers.ts';
import { TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

const RECIPE = 'markov-four-rates';
const spec = (...traces: AskedSpecInput['traces']): AskedSpecInput => ({
  duration_s: 3,
  sample_period_ms: 1000,
  traces,
  ccas: [{ id: 'cubic' }],
});
const planOf = async (asked: AskedSpecInput): Promise<Plan> => {
  const response = await server.post('/plan', asked);
  const body: unknown = await response.json();
  expect([response.status, response.status === 200 ? '' : body]).toEqual([200, '']);
  return Plan.parse(body);
};
const names = async (): Promise<string[]> =>
  (await server.json('/traces', TraceList)).traces.map(({ name }) => name).sort();
const refusal = async (asked: AskedSpecInput): Promise<string> => {
  const response = await server.post('/plan', asked);
  expect(response.status).toBe(422);
  const { code, faults } = Problem.parse(await response.json());
  expect(code).toBe('SPEC_INVALID');
  return (faults ?? []).map(({ where, detail }) => `${where}: ${detail}`).join('\n');
};

describe('seeds of a recipe', () => {
  it('are planned without leaving anything behind, and are other traces each', async () => {
    const before = await names();
    const { runs, limits } = await planOf(spec({ recipe: RECIPE, seeds: { count: 4 } }));
    expect(runs).toBe(4);
    expect(new Set(limits.map(({ sha256 }) => sha256)).size).toBe(4);
    expect(limits.map(({ trace }) => trace)).toEqual(
      [1, 2, 3, 4].map((n): unknown => expect.stringMatching(`, seed ${n}$`)),
    );
    expect(new Set(limits.map(({ set }) => set))).toEqual(new Set([expect.stringMatching(/^4 seeds of /)]));
    expect(await names()).toEqual(before);
  });

  it('become traces of the library with their recipe when they run, the same as were planned', async () => {
    const asked = spec({ recipe: RECIPE, seeds: [7, 8, 9, 7] });
    const planned = (await planOf(asked)).limits.map(({ sha256 }) => sha256);
    const experiment = await server.submit({ ...asked, repetitions: 1 });
    await server.over(experiment);
    const traces = experiment.cells.map(({ trace }) => ('trace' in trace ? trace.trace : ''));
    expect(traces).toEqual(planned);
    expect(experiment.cells.every(({ trace }) => !('set' in trace))).toBe(true);
    expect(experiment.spec.traces).toEqual(
      planned.map((trace) => ({ trace, set: expect.stringMatching(/^3 seeds of/) })),
    );
    const recipe = await server.lab.traces.recipe(traces[0] ?? '');
    expect(recipe.markov).toMatchObject({ seed: 7 });
    expect(server.lab.traces.get(traces[0] ?? '')).toMatchObject({ origin: 'recipe', formerly: [] });
    // The same set again is the same experiment, and so are its traces listed with the set’s name.
    expect((await server.submit(asked)).id).toBe(experiment.id);
    expect((await server.submit({ ...asked, traces: experiment.spec.traces })).id).toBe(experiment.id);
    // A trace made from a recipe stands for it.
    expect((await planOf(spec({ recipe: traces[0] ?? '', seeds: [7, 8, 9] }))).cached).toBe(3);
  });

  it('run as the same runs as their traces without a set', async () => {
    const set = await server.submit(spec({ recipe: RECIPE, seeds: [7, 8] }));
    await server.over(set);
    const plain = set.spec.traces.map((entry) => ('trace' in entry ? { trace: entry.trace } : entry));
    const { runs, cached } = await planOf(spec(...plain));
    expect([runs, cached]).toEqual([2, 2]);
    const alone = await server.submit(spec(...plain));
    expect(alone.runs.map(({ id }) => id)).toEqual(set.runs.map(({ id }) => id));
    expect(alone.id).not.toBe(set.id);
  });

  it('are told together, with an interval over them', async () => {
    const experiment = await server.submit(spec({ recipe: RECIPE, seeds: { from: 7, count: 3 } }, { rate_mbps: 12 }));
    await server.over(experiment);
    const whole = await server.lab.experiments.whole(experiment.id);
    const { ccas } = await server.lab.engine.listing();
    const groups = groupRows(tableOf(resultsOf(whole, ccas)), 'set', null);
    expect(groups.map(({ rows }) => [rows.length, rows[0]?.cell.trace_set])).toEqual([
      [3, expect.stringMatching(/^3 seeds of/)],
      [1, undefined],
    ]);
    const own = groups[0]?.rows.map(({ metrics }) => metrics.utilisation?.mean ?? NaN) ?? [];
    const mean = groups[0] === undefined ? null : groupMean(groups[0], (row) => row.metrics.utilisation?.mean ?? null);
    expect(mean?.mean).toBeCloseTo(own.reduce((a, b) => a + b, 0) / 3, 12);
    expect(mean?.interval_traces?.low).toBeLessThan(mean?.mean ?? NaN);
    const said = answers(resultsOf(whole, ccas));
    expect(said).toContain('Means over the traces of a set');
    expect(said).toMatch(/^ {2}3 seeds of .* +Cubic +1 BDP +[\d.]+ \([\d.]+ … [\d.]+\) +[\d.]+ \([\d.]+ … [\d.]+\)/m);
    const csv = await (await fetch(server.url(`/experiments/${experiment.id}/export?format=csv`))).text();
    expect(csv.split('\n')[0]).toContain('trace_set');
  });

  it('limits of the part that runs are of each one’s own part', async () => {
    const asked = { ...spec({ recipe: RECIPE, seeds: [11, 12] }), bdp_of: 'part' as const };
    const planned = (await planOf(asked)).limits.map(({ mean_mbps }) => mean_mbps);
    const kept = await server.submit(asked);
    const again = (await planOf({ ...asked, traces: kept.spec.traces })).limits.map(({ mean_mbps }) => mean_mbps);
    expect(planned).toEqual(again);
    expect(new Set(planned).size).toBe(2);
  });

  it('are refused where there is no such recipe, nothing random in it, or too many', async () => {
    expect(await refusal(spec({ recipe: 'nowhere', seeds: [1] }))).toMatch(
      /^traces\.0\.recipe: there is no recipe or trace “nowhere”; recipes are .*city-drive/,
    );
    expect(await refusal(spec({ rate_mbps: 1 }, { recipe: 'constant-48mbps', seeds: [1] }))).toMatch(
      /^traces\.1\.seeds: nothing in “Constant, 48 Mbps” is random/,
    );
    const many = Array.from({ length: 5 }, () => ({ recipe: RECIPE, seeds: { count: 50 } }));
    expect(await refusal(spec(...many))).toMatch(/^traces: these are 250 traces, sets included; at most 200/);
    const recording = (await server.json('/traces?search=lumos', TraceList)).traces[0];
    expect(await refusal(spec({ recipe: recording?.name ?? '', seeds: [1] }))).toMatch(/was not made from a recipe/);
    for (const seeds of [[], { count: 51 }, { from: -1, count: 2 }, [1.5], [2 ** 33]])
      expect(await refusal(spec({ recipe: RECIPE, seeds }))).toMatch(/^traces/);
    expect(await refusal(spec({ recipe: '../../etc/passwd', seeds: [1] }))).toContain('there is no recipe or trace');
  });
});

describe('sets of the library', () => {
  it('are the shipped recordings, or all of a technology, by content', async () => {
    const { limits } = await planOf(spec({ folder: 'recordings' }));
    expect(limits).toHaveLength(4);
    expect(limits.every(({ set }) => set === '4 recordings')).toBe(true);
    const fifth = (await planOf(spec({ technology: '5G' }))).limits;
    const { traces } = await server.json('/traces', TraceList);
    expect(fifth).toHaveLength(traces.filter(({ technology }) => /^5G( |$)/.test(technology)).length);
    expect(fifth.length).toBeGreaterThan(3);
  });

  it('count a trace once that is also named alone', async () => {
    const { traces } = await server.json('/traces', TraceList);
    const recording = traces.find(({ source }) => source.startsWith('traces/recordings/'));
    const both = await planOf(spec({ folder: 'recordings' }, { trace: recording?.name ?? '' }));
    expect(both.limits).toHaveLength(4);
  });

  it('are refused when they are empty, with what there is', async () => {
    expect(await refusal(spec({ technology: '7G' }))).toMatch(
      /^traces\.0: no trace of the library is one of these; there are folders recordings \(4\), recipes \(\d+\), own \(\d+\); technologies .*5G/,
    );
    expect(await refusal(spec({} as never))).toMatch(/^traces/);
  });
});
