import { describe, expect, it } from 'vitest';
import type { SeriesData } from '../charts/types';
import { edgesOf } from './band';

const series = (...y: number[]): SeriesData => ({
  x: Float64Array.from({ length: 8 }, (_, i) => (i + 1) / 10),
  y: Float32Array.from([...y, 99, 99]),
  length: y.length,
});

describe('the band of several runs', () => {
  it('goes from the least to the greatest of those that have come so far', () => {
    const edges = edgesOf([series(1, 5, 3), series(2, NaN, 1, 7), series(4, 2)]);
    expect([...(edges?.lower.y ?? [])]).toEqual([1, 2, 1, 7]);
    expect([...(edges?.upper.y ?? [])]).toEqual([4, 5, 3, 7]);
    expect([...(edges?.upper.x ?? [])]).toEqual([0.1, 0.2, 0.3, 0.4]);
  });

  it('has a gap where nothing is known, and is nothing of nothing', () => {
    expect([...(edgesOf([series(NaN, 1), series(NaN, 2)])?.lower.y ?? [])]).toEqual([NaN, 1]);
    expect([edgesOf([]), edgesOf([series()])]).toEqual([null, null]);
  });
});
