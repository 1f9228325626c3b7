import { describe, expect, it } from 'vitest';
import { liveVerdict, meanOf, type LiveOutcome } from './live-verdict.ts';

const run: LiveOutcome = { utilisation: 90, meanMs: 50, p95Ms: 100, lossPercent: 1 };
const runs = (...changes: Partial<LiveOutcome>[]): LiveOutcome[] => changes.map((change) => ({ ...run, ...change }));

describe('the verdict on ours beside the kernel', () => {
  it('agrees while every figure’s mean is within its tolerance', () => {
    expect(liveVerdict(runs({ utilisation: 92.9, meanMs: 54.9, p95Ms: 114, lossPercent: 2.9 }), runs({}))).toBe('PASS');
    expect(liveVerdict(runs({ utilisation: 93.1 }), runs({}))).toBe('DIFF');
    expect(liveVerdict(runs({ meanMs: 55.1 }), runs({}))).toBe('DIFF');
    expect(liveVerdict(runs({ p95Ms: 84 }), runs({}))).toBe('DIFF');
    expect(liveVerdict(runs({ lossPercent: 3.1 }), runs({}))).toBe('DIFF');
    expect(liveVerdict(runs({ lossPercent: 0.3 }), runs({}))).toBe('DIFF');
  });

  it('takes milliseconds and a few packets for equal where shares say nothing', () => {
    const idle = { meanMs: 1, p95Ms: 2, lossPercent: 0 };
    expect(liveVerdict(runs({ meanMs: 2.9, p95Ms: 3.9, lossPercent: 0.19 }), runs(idle))).toBe('PASS');
    expect(liveVerdict(runs({ ...idle, meanMs: 3.1 }), runs(idle))).toBe('DIFF');
  });

  it('judges means, and says where only the repetitions meet', () => {
    const kernel = runs({ meanMs: 50 }, { meanMs: 80 });
    expect(liveVerdict(runs({ meanMs: 60 }), kernel)).toBe('PASS');
    expect(liveVerdict(runs({ meanMs: 75 }), kernel)).toBe('spread');
    expect(liveVerdict(runs({ meanMs: 89 }), kernel)).toBe('DIFF');
    expect(liveVerdict(runs({ meanMs: 40 }, { meanMs: 46 }), kernel)).toBe('spread');
  });

  it('is left open where the machine kept up with no run', () => {
    expect(liveVerdict(runs({}), [])).toBe('overrun');
    expect(liveVerdict([], runs({}))).toBe('overrun');
  });

  it('averages repetitions', () => {
    expect(meanOf(runs({ p95Ms: 10 }, { p95Ms: 30 }), 'p95Ms')).toBe(20);
  });
});
