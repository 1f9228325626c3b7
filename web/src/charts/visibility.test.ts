import { describe, expect, it } from 'vitest';
import { Visibility } from './visibility';

const KEYS = ['a', 'b', 'c'];

describe('visibility', () => {
  it('shows one alone, and all again when asked twice', () => {
    const v = new Visibility();
    v.solo('b', KEYS);
    expect(KEYS.filter((key) => v.isHidden(key))).toEqual(['a', 'c']);
    v.solo('b', KEYS);
    expect(KEYS.filter((key) => v.isHidden(key))).toEqual([]);
  });

  it('hides a series by its flow or by its quantity', () => {
    const v = new Visibility(['q:rtt']);
    expect(v.shows({ group: 'flow:0', facet: 'q:rtt' })).toBe(false);
    expect(v.shows({ group: 'flow:0', facet: 'q:owd' })).toBe(true);
    v.toggle('flow:0');
    expect(v.shows({ group: 'flow:0' })).toBe(false);
  });

  it('greys what is not highlighted', () => {
    const v = new Visibility();
    v.highlight('flow:1');
    expect(v.emphasis({ group: 'flow:1' })).toBe(1);
    expect(v.emphasis({ group: 'flow:0' })).toBeLessThan(0.5);
    v.highlight(null);
    expect(v.emphasis({ group: 'flow:0' })).toBe(1);
  });
});
