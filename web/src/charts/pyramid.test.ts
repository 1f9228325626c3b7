import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pyramid } from './pyramid';
import { extremesOf, GrowingSeries, seriesOf, values } from './testing';

const answer = (pyramid: Pyramid): [number, number] | null =>
  pyramid.min <= pyramid.max ? [pyramid.min, pyramid.max] : null;

describe('a min/max pyramid', () => {
  it('gives the exact extremes of any run of samples, while the series grows', () => {
    fc.assert(
      fc.property(
        values(1500),
        fc.array(fc.tuple(fc.nat(1500), fc.nat(1500), fc.nat(400)), { maxLength: 12 }),
        (all, steps) => {
          const data = seriesOf(all);
          const growing = new GrowingSeries(data);
          const pyramid = new Pyramid(growing);
          for (const [a, b, more] of steps) {
            growing.length = Math.min(data.length, growing.length + more);
            const [from, to] = [Math.min(a, b, growing.length), Math.min(Math.max(a, b), growing.length)];
            pyramid.query(from, to);
            expect(answer(pyramid)).toEqual(extremesOf(data.y.subarray(from, to)));
          }
        },
      ),
    );
  });

  it('survives that the arrays are replaced by larger ones', () => {
    let y = Float32Array.from({ length: 64 }, (_, i) => i);
    const data = {
      x: new Float64Array(4096),
      length: 64,
      get y() {
        return y;
      },
    };
    const pyramid = new Pyramid(data);
    pyramid.query(0, 64);
    expect(answer(pyramid)).toEqual([0, 63]);
    const larger = new Float32Array(4096).fill(-1);
    larger.set(y);
    y = larger;
    data.length = 4000;
    pyramid.query(10, 4000);
    expect(answer(pyramid)).toEqual([-1, 63]);
  });

  it('looks at few samples however long the run is', () => {
    let reads = 0;
    const counted = new Proxy(new Float32Array(1 << 20), {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        return Reflect.get(target, key, target) as unknown;
      },
    });
    const pyramid = new Pyramid({ x: new Float64Array(0), y: counted, length: counted.length });
    pyramid.query(0, 16);
    reads = 0;
    pyramid.query(5, counted.length - 5);
    expect(reads).toBeLessThan(64);
  });
});
