import { describe, expect, it } from 'vitest';
import type { Plan } from '#protocol/api';
import { costsLittle, difference } from './full-scores';

const plan = (more: Partial<Plan>): Plan => ({
  runs: 6,
  cells: 6,
  cached: 0,
  estimate_s: { low: 1, high: 2 },
  estimate_bytes: 1e6,
  limits: [],
  warnings: [],
  ...more,
});

describe('full scores', () => {
  it('cost little while the whole is done within a minute and two gigabytes', () => {
    expect(costsLittle(plan({ estimate_s: { low: 20, high: 60 } }))).toBe(true);
    expect(costsLittle(plan({ estimate_s: { low: 20, high: 61 } }))).toBe(false);
    expect(costsLittle(plan({ estimate_bytes: 3e9 }))).toBe(false);
  });

  it('add the runs that are missing, not those of the matrix', () => {
    // 16 with pairs: 6 of one flow, 10 of two. Two pairs and four of the others are there already.
    const adds = difference(
      plan({ runs: 16, cached: 6, estimate_s: { low: 3, high: 8 }, estimate_bytes: 5e6 }),
      plan({ cached: 4 }),
    );
    expect(adds).toEqual({ runs: 8, seconds: { low: 2, high: 6 }, bytes: 4e6 });
  });

  it('add nothing when all of it is measured', () => {
    const all = { estimate_s: { low: 0, high: 0 }, estimate_bytes: 0 };
    expect(difference(plan({ runs: 16, cached: 16, ...all }), plan({ cached: 6, ...all })).runs).toBe(0);
  });
});
