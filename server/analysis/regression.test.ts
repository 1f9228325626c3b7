import { describe, expect, it } from 'vitest';
import { regressionOf, regressionSentence, type RegressionSide } from '#analysis/regression';
import { experimentOf, type TestRun } from '#analysis/testing';
import { ExperimentSpec } from '#protocol/spec';

const SPEC = ExperimentSpec.parse({ traces: [{ rate_mbps: 12 }], ccas: [{ id: 'base' }] });

const run = (queueing_ms: number, repetition = 0, more: Partial<TestRun> = {}): TestRun => ({
  cca: 'base',
  utilisation: 0.8,
  queueing_ms,
  repetition,
  ...more,
});
const side = (engine_version: string, measured: readonly TestRun[]): RegressionSide => ({
  ...experimentOf(measured),
  engine_version,
  spec: SPEC,
});
const repeated = (...delays: readonly number[]): TestRun[] => delays.map((delay, i) => run(delay, i));

describe('the same spec under two engines', () => {
  it('says plainly when nothing moved', () => {
    const found = regressionOf(side('1', repeated(10, 12)), side('2', repeated(10, 12)));
    expect(found).toMatchObject({ sameSpec: true, moved: [], within: [], compared: 1, missing: [0, 0] });
    expect(regressionSentence(found)).toMatch(/^Nothing moved: all \d+ metrics of 1 cell are the same\.$/);
  });

  it('holds what moved against the spread of repetitions', () => {
    const before = side('1', repeated(10, 12, 14));
    const { moved, within } = regressionOf(before, side('2', repeated(20, 22, 24)));
    const queueing = moved.find(({ metric }) => metric === 'queueing_mean');
    expect(queueing).toMatchObject({ before: 12, after: 22, difference: 10, spread: 2, spreads: 5, n: [3, 3] });
    expect(queueing?.percent).toBeCloseTo(1000 / 12);
    expect(moved.map(({ metric }) => metric)).not.toContain('utilisation');
    expect(within).toEqual([]);
    const little = regressionOf(before, side('2', repeated(10.1, 12.1, 14.1)));
    expect(little.moved).toEqual([]);
    expect(little.within.map(({ metric }) => metric)).toContain('queueing_mean');
    expect(regressionSentence(little)).toMatch(/^Nothing moved beyond the spread of repetitions: \d+ metrics changed/);
  });

  it('takes repetitions that are all alike for no spread, and says of one that there is none to be known', () => {
    const of = (...runs: readonly (readonly TestRun[])[]) =>
      regressionOf(side('1', runs[0] ?? []), side('2', runs[1] ?? [])).moved.find(
        ({ metric }) => metric === 'queueing_mean',
      );
    expect(of(repeated(10, 10), repeated(11, 11))?.spreads).toBe(Infinity);
    expect(of(repeated(10), repeated(11))).toMatchObject({ spreads: null, spread: null, percent: 10 });
  });

  it('takes rounding for no movement', () => {
    const found = regressionOf(side('1', repeated(10)), side('2', repeated(10 * (1 + 1e-12))));
    expect(found).toMatchObject({ moved: [], within: [] });
  });

  it('compares runs that count, in cells and roles that both have, and counts the others', () => {
    const found = regressionOf(
      side('1', [run(10), run(10, 1, { state: 'failed' }), run(9, 0, { role: 'self_pair' })]),
      side('2', [run(10), run(10, 0, { cca: 'rival' })]),
    );
    expect(found).toMatchObject({ moved: [], compared: 1, missing: [1, 1] });
    const none = regressionOf(side('1', [run(10)]), side('2', [run(10, 0, { cca: 'rival' })]));
    expect(regressionSentence(none)).toMatch(/^No cell/);
  });

  it('knows another spec by more than its name', () => {
    const before = side('1', [run(10)]);
    const named = { ...side('2', [run(10)]), spec: { ...SPEC, name: 'Again', note: 'later' } };
    expect(regressionOf(before, named).sameSpec).toBe(true);
    const longer = { ...named, spec: { ...SPEC, duration_s: SPEC.duration_s + 1 } };
    expect(regressionOf(before, longer).sameSpec).toBe(false);
  });

  it('puts the largest first, in spreads', () => {
    const cells = (base: number, rival: number) => [
      ...repeated(base, base + 1),
      ...repeated(rival, rival + 1).map((one) => ({ ...one, cca: 'rival' })),
    ];
    const { moved } = regressionOf(side('1', cells(10, 10)), side('2', cells(13, 19)));
    const order = moved.filter(({ metric }) => metric === 'queueing_mean').map(({ cell }) => cell.cca.id);
    expect(order).toEqual(['rival', 'base']);
    const sizes = moved.map(({ spreads }) => spreads ?? 0);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  });
});
