import { describe, expect, it } from 'vitest';
import { afterKey } from './typed-ahead';

describe('keys before the palette is there', () => {
  it('keeps letters in their order, takes back with Backspace, and leaves keys without a letter alone', () => {
    const keys = ['t', 'Shift', 'ö', 'x', 'Backspace', 'ArrowDown', ' ', 'Enter', '🛰', 'u'];
    expect(keys.reduce(afterKey, '')).toBe('tö 🛰u');
    expect(afterKey('', 'Backspace')).toBe('');
  });
});
