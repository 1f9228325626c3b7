import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cancelPaint, drawNow, requestDraw, requestPaint, type Painter } from './frame-loop';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame', 'performance'] });
});
afterEach(() => {
  drawNow();
  vi.useRealTimers();
});

/** Painters a, b, … of which each takes `ms` to paint, and what they did. */
function make(names: string, ms: number, canMove = true): { painters: readonly Painter[]; did: string[] } {
  const did: string[] = [];
  const painters = names.split('').map((name) => ({
    paint: () => {
      did.push(name);
      vi.advanceTimersByTime(ms);
    },
    move: () => {
      if (canMove) did.push(`(${name})`);
      return canMove;
    },
  }));
  return { painters, did };
}

const frame = (did: string[]): string => {
  did.length = 0;
  vi.advanceTimersToNextFrame();
  return did.join(' ');
};

describe('one frame for all figures', () => {
  it('paints all that asked, each once, when there is time', () => {
    const { painters, did } = make('abc', 1);
    for (const painter of [...painters, ...painters]) requestPaint(painter);
    expect(frame(did)).toBe('a b c');
    expect(frame(did)).toBe('');
  });

  it('moves those that find the time of a frame spent, and paints them first in the next', () => {
    const { painters, did } = make('abc', 2);
    for (const painter of painters) requestPaint(painter);
    expect(frame(did)).toBe('a b (c)');
    // The hand goes on: all ask again. Two that take 2 ms each are known to be too much now.
    for (const painter of painters) requestPaint(painter);
    expect(frame(did)).toBe('c (a) (b)');
    expect(frame(did)).toBe('a (b)');
    expect(frame(did)).toBe('b');
    expect(frame(did)).toBe('');
  });

  it('paints what cannot be moved, however long it takes, and everything when no frame will come', () => {
    const stuck = make('abc', 30, false);
    for (const painter of stuck.painters) requestPaint(painter);
    expect(frame(stuck.did)).toBe('a b c');
    const { painters, did } = make('abc', 30);
    for (const painter of painters) requestPaint(painter);
    requestDraw(() => did.push('plain'));
    const [first] = painters;
    if (first !== undefined) cancelPaint(first);
    drawNow();
    expect(did).toEqual(['plain', 'b', 'c']);
  });
});
