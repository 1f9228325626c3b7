import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Spark } from './spark.ts';

describe('a run at a glance', () => {
  it('has the mean of each part of its time, and nothing where nothing was sampled', () => {
    const spark = new Spark(2, 3, 3);
    spark.add(Float64Array.of(0.5, 1, 1.5), [Float32Array.of(2, 4, 6), Float32Array.of(Number.NaN, Number.NaN, 8)]);
    expect(spark.means()).toEqual([
      [3, 6, null],
      [null, 8, null],
    ]);
  });

  it('is the same in whatever pieces the rows come, and keeps the mean of all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 300 }),
        fc.nat(),
        (values, cut) => {
          const time = Float64Array.from(values, (_, i) => (i + 1) * 0.01);
          const data = Float32Array.from(values);
          const duration = values.length * 0.01;
          const [whole, pieces] = [new Spark(1, 10, duration), new Spark(1, 10, duration)];
          whole.add(time, [data]);
          const at = cut % (values.length + 1);
          pieces.add(time.subarray(0, at), [data.subarray(0, at)]);
          pieces.add(time.subarray(at), [data.subarray(at)]);
          expect(pieces.means()).toEqual(whole.means());
          if (values.length % 10 !== 0) return;
          const [means = []] = whole.means();
          const mean = values.reduce((a, b) => a + b, 0) / values.length;
          expect(means.reduce<number>((sum, value) => sum + (value ?? 0), 0) / 10).toBeCloseTo(mean, 0);
        },
      ),
    );
  });
});
