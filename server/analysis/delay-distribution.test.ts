import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ccdf, delayQuantile, joined, pooledDelays } from '#analysis/delay-distribution';

describe('delays of several runs', () => {
  const runs = [
    [10, 3, 20, 1],
    [10, 1, 40, 5],
  ];

  test('by hand: packets of all runs count alike', () => {
    const pooled = pooledDelays(runs);
    expect(pooled).toEqual([
      { ms: 10, packets: 4 },
      { ms: 20, packets: 1 },
      { ms: 40, packets: 5 },
    ]);
    expect(ccdf(pooled)).toEqual([
      { ms: 10, longer: 0.6 },
      { ms: 20, longer: 0.5 },
      { ms: 40, longer: 0 },
    ]);
    expect([0.4, 0.5, 0.51, 1].map((q) => delayQuantile(pooled, q))).toEqual([10, 20, 40, 40]);
  });

  test('or runs count alike, however many packets they delivered', () => {
    // 10 ms: (3/4 + 1/6) / 2; 20 ms: 1/4 / 2; 40 ms: 5/6 / 2.
    const [ten, twenty, forty] = pooledDelays(runs, 'run');
    expect(ten?.packets).toBeCloseTo(11 / 12, 12);
    expect(twenty?.packets).toBeCloseTo(1 / 4, 12);
    expect(forty?.packets).toBeCloseTo(5 / 6, 12);
    expect(pooledDelays([[], [5, 2]], 'run')).toEqual([{ ms: 5, packets: 1 }]);
  });

  test('joined in parts they are the same', () => {
    expect(joined(runs.map((run) => pooledDelays([run])))).toEqual(pooledDelays(runs));
    expect(joined([])).toEqual([]);
  });

  test('of nothing there is none', () => {
    expect(pooledDelays([])).toEqual([]);
    expect(ccdf(pooledDelays([[]]))).toEqual([]);
    expect(delayQuantile([], 0.5)).toBeNull();
  });

  test('is what one run with all packets would have, and a quantile has its share at or below', () => {
    const spread = fc
      .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9 })), {
        selector: ([ms]) => ms,
        minLength: 1,
        maxLength: 12,
      })
      .map((pairs) => pairs.toSorted(([a], [b]) => a - b).flat());
    fc.assert(
      fc.property(
        fc.array(spread, { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, q) => {
          const packets = all.flatMap((own) =>
            own.flatMap((ms, i) => (i % 2 === 0 ? Array.from({ length: own[i + 1] ?? 0 }, () => ms) : [])),
          );
          const pooled = pooledDelays(all);
          for (const { ms, longer } of ccdf(pooled))
            expect(longer).toBeCloseTo(packets.filter((own) => own > ms).length / packets.length, 12);
          const found = delayQuantile(pooled, q) ?? NaN;
          expect(packets.filter((own) => own <= found).length / packets.length).toBeGreaterThanOrEqual(q - 1e-9);
        },
      ),
    );
  });
});
