import { describe, expect, it } from 'vitest';
import { begun, NO_RUNS, shown, type MovedRuns } from './moved-runs';

const nothing: MovedRuns<string, string> = NO_RUNS;

describe('the run before', () => {
  it('is the one that was shown when the hand began to move, and stays it while it moves', () => {
    const moving = begun(shown(begun(nothing, null), 'a', 'A'), 'a');
    const moved = shown(shown(moving, 'b', 'B'), 'c', 'C');
    expect(moved).toMatchObject({ now: 'C', before: 'A' });
    expect(begun(moved, 'c')).toMatchObject({ now: 'C', before: 'C' });
  });

  it('is that of where the hand was, though it came only after the hand had begun', () => {
    const moving = begun(begun(nothing, null), 'a');
    expect(moving.before).toBeNull();
    const come = shown(moving, 'a', 'A');
    expect(shown(come, 'b', 'B')).toEqual({ now: 'B', before: 'A', awaited: null });
  });

  it('is what was shown earlier where that run was given up', () => {
    const earlier = shown(nothing, 'x', 'X');
    const moving = begun(earlier, 'a');
    expect(shown(moving, 'b', 'B')).toMatchObject({ now: 'B', before: 'X' });
  });
});
