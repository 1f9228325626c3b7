import { describe, expect, it } from 'vitest';
import { judgeBound } from '#analysis/expected-bound';
import { ExpectationFault, type ChosenRun, type Verdict } from '#analysis/expectation-verdict';
import { experimentOf, type TestRun } from '#analysis/testing';
import { Bound } from '#protocol/expectations';

function chosen(measured: readonly TestRun[]): ChosenRun[] {
  const { cells, runs } = experimentOf(measured);
  return runs.flatMap((ref) => {
    const cell = cells.find(({ key }) => key === ref.cell);
    return cell === undefined ? [] : [{ ref, cell, cca: null }];
  });
}
const judge = (bound: Partial<Bound>, measured: readonly TestRun[]): Verdict =>
  judgeBound(Bound.parse({ metric: 'utilisation', ...bound }), chosen(measured));

const run = (utilisation: number, repetition = 0, more: Partial<TestRun> = {}): TestRun => ({
  cca: 'cubic',
  utilisation,
  queueing_ms: 10,
  repetition,
  ...more,
});
const REPEATED = [run(0.7, 0), run(0.8, 1), run(0.9, 2)];

describe('a bound', () => {
  it('is kept by the mean of each cell, whatever single runs do, and told with interval and n', () => {
    const kept = judge({ at_least: 0.8 }, REPEATED);
    expect(kept).toMatchObject({ verdict: 'ok', n: 3, basis: 'mean of 3 repetitions' });
    expect(kept.value).toBeCloseTo(0.8, 12);
    expect(kept.interval?.low).toBeLessThan(0.7);
    expect(judge({ at_least: 0.801 }, REPEATED).verdict).toBe('broken');
    expect(judge({ at_most: 0.8 }, REPEATED).verdict).toBe('ok');
  });

  it('is for every cell, and names the worst', () => {
    const two = [...REPEATED, run(0.5, 0, { trace: 'walk' }), run(0.6, 1, { trace: 'walk' })];
    expect(judge({ at_least: 0.7 }, two)).toMatchObject({
      verdict: 'broken',
      where: 'cubic · ∞ · walk',
      found: expect.stringContaining('1 of 2 cells beyond it') as string,
    });
    // All together are above it.
    expect(judge({ at_least: 0.7, of: 'all' }, two)).toMatchObject({ verdict: 'ok', where: 'all 5 runs' });
  });

  it('is for every run where that is asked for', () => {
    expect(judge({ at_least: 0.75, of: 'runs' }, REPEATED)).toMatchObject({
      verdict: 'broken',
      where: expect.stringMatching(/^run run-0: cubic/) as string,
      basis: 'one run',
    });
    expect(judge({ at_least: 0.7, of: 'runs' }, REPEATED).verdict).toBe('ok');
  });

  it('is undecided where runs lack a result, unless what is there breaks it by itself', () => {
    const failed = [...REPEATED, run(0, 3, { state: 'failed', reason: 'it was killed' })];
    expect(judge({ at_least: 0.1 }, failed)).toMatchObject({
      verdict: 'undecided',
      reason: '1 of 4 runs did not end well: run-3 is failed: it was killed',
    });
    expect(judge({ at_least: 0.75, of: 'runs' }, failed).verdict).toBe('broken');
    expect(judge({ at_least: 0.95 }, failed).verdict).toBe('undecided');
  });

  it('says what is no metric, and what was not measured', () => {
    expect(() => judge({ metric: 'jain', at_least: 0.9 }, REPEATED)).toThrow(ExpectationFault);
    expect(() => judge({ metric: 'jain', at_least: 0.9 }, REPEATED)).toThrow(/not measured in any of the 3 runs/);
    expect(() => judge({ metric: 'util', at_least: 0.9 }, REPEATED)).toThrow(
      /there is no metric "util": there are utilisation, /,
    );
    const fair = REPEATED.map((one) => ({ ...one, ccas: ['cubic', 'cubic'], throughput_mbps: [6, 6] }));
    expect(judge({ metric: 'jain', at_least: 0.99 }, fair).verdict).toBe('ok');
  });
});
