import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TimeView, useCalmRange, type Range } from './time-view';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('a range for what is slow to draw follows at once, then now and then, and in the end shows what is in sight', () => {
  const view = new TimeView({ extent: [0, 60] });
  const seen: Range[] = [];
  renderHook(() => seen.push(useCalmRange(view)));
  expect(seen.at(-1)).toEqual([0, 60]);
  act(() => view.show([1, 11]));
  expect(seen.at(-1)).toEqual([1, 11]);
  const before = seen.length;
  for (let i = 2; i <= 31; i++)
    act(() => {
      view.show([i, i + 10], { gesture: true });
      vi.advanceTimersByTime(10);
    });
  // 300 ms of thirty moves.
  expect(seen.length - before).toBe(2);
  act(() => void vi.advanceTimersByTime(500));
  expect(seen.at(-1)).toEqual([31, 41]);
});
