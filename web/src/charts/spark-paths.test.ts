import { describe, expect, it } from 'vitest';
import { sparkArea, sparkLine, sparkTop } from './spark-paths';

const box = { width: 40, height: 10, top: 20 };

describe('a spark', () => {
  it('is a line through the middles of its steps, broken at gaps', () => {
    expect(sparkLine([0, 20, null, 10], box)).toBe('M5,10L15,0M30,5h10');
  });

  it('is an area that holds each value over its step', () => {
    expect(sparkArea([10, null, 20, 5], box)).toBe('M0,10V5H10V10ZM20,10V0H30V7.5H40V10Z');
  });

  it('stays within its box, and is flat where there is nothing', () => {
    expect(sparkLine([40, -3], box)).toBe('M10,0L30,10');
    expect(sparkArea([0, 0], { ...box, top: 0 })).toBe('M0,10V10H20V10H40V10Z');
    expect(sparkLine([null, null], box)).toBe('');
    expect(sparkTop([null, 3, 2])).toBe(3);
  });
});
