import { renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { changeText, useCostChange, type Priced } from './cost-change';
import type { Factor } from './sum';

const priced = (change: Partial<Priced> & { runs?: number; seconds?: number } = {}): Priced => {
  const { runs = 40, seconds = 100, ...rest } = change;
  return {
    spec: {},
    plan: { runs, estimate_s: { low: seconds * 0.5, high: seconds * 1.5 } },
    factors: [
      { count: 2, of: 'trace' },
      { count: 2, of: 'limit' },
    ],
    duration_s: 60,
    pairs: false,
    ...rest,
  };
};
const plain = (text: string | null): string | undefined => text?.replace(/[\u00a0\u202f]/g, ' ');
const limits = (count: number): Factor[] => [
  { count: 2, of: 'trace' },
  { count, of: 'limit' },
];

describe('what a change costs', () => {
  it('is told with its reason', () => {
    const more = priced({ runs: 80, seconds: 280, factors: limits(4) });
    expect(plain(changeText(priced(), more))).toBe('+ 40 runs, + about 3 min: 4 limits instead of 2');
    expect(plain(changeText(more, priced()))).toBe('− 40 runs, − about 3 min: 2 limits instead of 4');
  });

  it('is of seconds alone where the runs only take longer, and of runs alone where it is not felt', () => {
    expect(plain(changeText(priced(), priced({ seconds: 200, duration_s: 120 })))).toBe(
      '+ about 100 s: 2 min each instead of 60 s',
    );
    expect(plain(changeText(priced(), priced({ runs: 41, seconds: 100.4 })))).toBe('+ 1 run');
  });

  it('names factors that were not there, and pairs; not more than can be read', () => {
    const factors: Factor[] = [...limits(2), { count: 5, of: 'repetition' }];
    expect(plain(changeText(priced(), priced({ runs: 600, pairs: true, factors })))).toBe(
      '+ 560 runs: 5 repetitions instead of 1, with pairs',
    );
    const all = (['trace', 'limit', 'loss rate', 'transport'] as const).map((of) => ({ count: 3, of }));
    expect(plain(changeText(priced({ factors: [] }), priced({ runs: 99, factors: all })))).toMatch(
      /3 loss rates instead of 1, …$/,
    );
  });

  it('is nothing where it costs the same', () => expect(changeText(priced(), priced())).toBeNull());
});

it('is of the last change, and stays while the next is reckoned', () => {
  const [first, second, third] = [priced(), priced({ runs: 80 }), priced({ runs: 80 })];
  const { result, rerender } = renderHook<string | null, { readonly now: Priced | null }>(
    ({ now }) => useCostChange(now),
    {
      initialProps: { now: first },
    },
  );
  expect(result.current).toBeNull();
  rerender({ now: second });
  expect(result.current).toBe('+ 40\u00a0runs'.replace('\u00a0', ' '));
  rerender({ now: null });
  expect(result.current).toContain('40');
  rerender({ now: third });
  expect(result.current).toBeNull();
});
