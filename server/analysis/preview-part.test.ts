import { describe, expect, it } from 'vitest';
import { previewPart } from './preview-part.ts';

const WHOLE = {
  bin_ms: 10,
  mean_mbps: [1, 2, 3, 4],
  min_mbps: [0, 1, 2, 3],
  max_mbps: [2, 4, 6, 8],
};

describe('a part of a preview', () => {
  it('is the whole where all is asked for in as many bins', () => {
    expect(previewPart(WHOLE, { fromMs: 0, toMs: 40, bins: 4 })).toEqual(WHOLE);
  });

  it('weighs means by what is within, and leaves out no extreme', () => {
    const part = previewPart(WHOLE, { fromMs: 5, toMs: 25, bins: 1 });
    expect(part).toEqual({ bin_ms: 20, mean_mbps: [(1 * 5 + 2 * 10 + 3 * 5) / 20], min_mbps: [0], max_mbps: [6] });
  });

  it('is no finer than what it is made of, and ends where that ends', () => {
    const part = previewPart(WHOLE, { fromMs: 12, toMs: 18, bins: 1000 });
    expect(part).toEqual({ bin_ms: 10, mean_mbps: [2], min_mbps: [1], max_mbps: [4] });
    expect(previewPart(WHOLE, { fromMs: 30, toMs: 100, bins: 7 }).mean_mbps).toEqual([4]);
  });
});
