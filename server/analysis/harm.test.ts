import { describe, expect, test } from 'vitest';
import { harm, harmTable } from '#analysis/harm';
import { resultsOf } from '#analysis/results';
import { LISTING, experimentOf } from '#analysis/testing';
import type { TestRun } from '#analysis/testing';

const table = (runs: readonly TestRun[]) => harmTable(resultsOf(experimentOf(runs), LISTING.ccas));

const soloBase: TestRun = { cca: 'base', utilisation: 1, queueing_ms: 80, throughput_mbps: [12] };
const basePair: TestRun = {
  cca: 'base',
  role: 'self_pair',
  ccas: ['base', 'base'],
  utilisation: 1,
  queueing_ms: 80,
  throughput_mbps: [7, 5],
};
const beside = (throughput: number, queueing_ms: number): TestRun => ({
  cca: 'rival',
  role: 'baseline_pair',
  ccas: ['rival', 'base'],
  utilisation: 1,
  queueing_ms,
  throughput_mbps: [12 - throughput, throughput],
});

describe('harm', () => {
  test('by hand', () => {
    expect(harm(12, 6, 'more')).toBe(50);
    expect(harm(12, 15, 'more')).toBe(-25);
    expect(harm(100, 160, 'less')).toBe(60);
    expect(harm(100, 80, 'less')).toBe(-20);
    expect(harm(0, 1, 'more')).toBeNull();
  });

  test('the kernel’s flows are held against the kernel’s baseline', () => {
    const kernel = (run: TestRun): TestRun => ({
      ...run,
      cca: `kernel-${run.cca}`,
      ...(run.ccas === undefined ? {} : { ccas: run.ccas.map((cca) => `kernel-${cca}`) }),
    });
    const own = [soloBase, basePair, beside(3, 80)];
    const { results } = table([...own, kernel({ ...soloBase, throughput_mbps: [10] }), kernel(beside(5, 80))]);
    expect(results.map(({ label, throughput }) => [label, throughput?.mean])).toEqual([
      ['BASE', 50],
      ['RIVAL', 75],
      ['KERNEL-BASE', undefined],
      ['KERNEL-RIVAL', 50],
    ]);
  });

  test('an equal share is the bar: 50 %, whichever of the two is called the victim', () => {
    const { bars, results } = table([soloBase, basePair]);
    const [bar] = [...bars.values()];
    expect(bar!.throughput?.mean).toBeCloseTo(50, 12);
    expect(bar!.delay?.mean).toBe(0);
    expect(results[0]).toMatchObject({ label: 'BASE', throughput_safe: true, delay_safe: true });
  });

  test('a competitor is measured by what it leaves to the baseline', () => {
    // Beside the rival the baseline keeps 2.4 of 12 Mbps and its RTT falls from 100 to 60 ms.
    const { results } = table([soloBase, basePair, beside(2.4, 40)]);
    const rival = results.find((r) => r.label === 'RIVAL')!;
    expect(rival.throughput?.mean).toBeCloseTo(80, 9);
    expect(rival.delay?.mean).toBeCloseTo(-40, 9);
    // One repetition decides nothing.
    expect([rival.throughput_safe, rival.delay_safe]).toEqual([null, null]);
    expect(rival.throughput_test).toMatchObject({ outcome: 'undecided', n: 1, p_safe: null, margin: 5 });
    expect(rival.throughput_test!.beyond).toBeCloseTo(30, 9);
  });

  test('harmful, safe and undecided are told by the differences to the bar, repetition by repetition', () => {
    const kept = (by: readonly number[]) =>
      table([
        ...[0, 1, 2].flatMap((repetition) => [
          { ...soloBase, repetition },
          { ...basePair, repetition },
        ]),
        ...by.map((throughput, repetition) => ({ ...beside(throughput, 40), repetition })),
      ]).results.find((r) => r.label === 'RIVAL')!;
    // Beside itself the baseline keeps 6 of 12 Mbps.
    expect(kept([2.4, 2.5, 2.3])).toMatchObject({
      throughput_safe: false,
      throughput_test: { outcome: 'harmful', n: 3 },
      delay_safe: true,
      delay_test: { outcome: 'safe' },
    });
    expect(kept([6.1, 6, 6.2]).throughput_test!.outcome).toBe('safe');
    // The mean keeps 6.2 Mbps, which two means would call safe.
    const uncertain = kept([2.4, 8.2, 8]);
    expect(uncertain.throughput!.mean).toBeLessThan(50);
    expect(uncertain).toMatchObject({ throughput_safe: null, throughput_test: { outcome: 'undecided', n: 3 } });
    expect(kept([6, 6]).throughput_test).toMatchObject({ outcome: 'undecided', n: 2, p_safe: null });
  });

  test('repetitions are paired', () => {
    const { results } = table([
      soloBase,
      { ...soloBase, repetition: 1, throughput_mbps: [10] },
      beside(6, 80),
      { ...beside(5, 80), repetition: 1 },
      { ...beside(0, 80), repetition: 2 },
    ]);
    expect(results.find((r) => r.label === 'RIVAL')!.throughput).toMatchObject({ mean: 50, values: [50, 50] });
  });

  test('without the baseline alone, nothing is made up', () => {
    const { results } = table([beside(6, 80)]);
    expect(results[0]).toMatchObject({ throughput: null, delay: null, throughput_safe: null, delay_safe: null });
    expect(results[0]).toMatchObject({ throughput_test: null, delay_test: null });
    // A changed baseline, or one that shared its link, is not the baseline alone.
    for (const not of [
      { ...soloBase, params: { beta: 0.8 } },
      { ...soloBase, ccas: ['base', 'rival'] },
    ])
      expect(table([not, beside(6, 80)]).results.find((r) => r.label === 'RIVAL')!.throughput).toBeNull();
  });
});
