import { expect, test } from 'vitest';
import { WINDOWS_K } from '#analysis/fairness';
import { summaryOf } from '#analysis/testing';
import { missingWindows } from './missing-windows.ts';

const run = (ks: readonly number[]) => ({
  summary: summaryOf({ utilisation: 1, queueing_ms: 1, fairness: ks.map((k) => [k, 0.9] as const) }),
});

test('a missing window is said, and nothing where there are all ten or a single flow', () => {
  expect(missingWindows([run(WINDOWS_K), run([]), { summary: null }])).toBe('');
  const upTo = (most: number) => run(WINDOWS_K.filter((k) => k <= most));
  expect(missingWindows([run(WINDOWS_K), upTo(1000), upTo(500)])).toMatch(
    /^Jain's index of 2 runs .*8 of 10 at the least.*k = 1000, 3000 /,
  );
});
