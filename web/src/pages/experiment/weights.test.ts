import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SCENARIOS, TERMS } from '#analysis/scores';
import { setWeight, weightsText } from './weights';

const first = SCENARIOS[0]!;
const total = (weights: typeof first.weights): number => TERMS.reduce((sum, term) => sum + weights[term], 0);

describe('weights in the address', () => {
  it('reads what it wrote', () => {
    const map = new Map([[first.id, { throughput: 0.5, delay: 0.25, intra: 0, inter: 0.25 }]]);
    const text = z.encode(weightsText, map);
    expect(text).toBe(`${first.id}:0.5,0.25,0,0.25`);
    expect(weightsText.parse(text)).toEqual(map);
  });

  it('refuses unknown scenarios and weights that are none', () => {
    for (const text of ['nothing:1,0,0,0', `${first.id}:1,x,0,0`, `${first.id}:0,0,0,0`, `${first.id}:1,-1,0,0`])
      expect(weightsText.safeParse(text).success, text).toBe(false);
  });
});

describe('dragging a weight', () => {
  it('keeps the sum and the proportions of the others', () => {
    const next = setWeight({ throughput: 0.2, delay: 0.4, intra: 0.1, inter: 0.3 }, 'throughput', 0.6);
    expect(total(next)).toBeCloseTo(1);
    expect(next.delay / next.inter).toBeCloseTo(4 / 3);
  });

  it('shares what is left equally when the others were zero', () => {
    const next = setWeight({ throughput: 1, delay: 0, intra: 0, inter: 0 }, 'throughput', 0.4);
    expect([next.delay, next.intra, next.inter].map((w) => Number(w.toFixed(6)))).toEqual([0.2, 0.2, 0.2]);
  });
});
