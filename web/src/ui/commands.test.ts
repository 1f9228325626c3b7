import { describe, expect, it } from 'vitest';
import { keyLabel, matches } from './commands';

const press = (key: string, more: Partial<Parameters<typeof matches>[1]> = {}) => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe('keys of commands', () => {
  it('matches single keys only without modifiers', () => {
    expect(matches('n', press('n'))).toBe(true);
    expect(matches('n', press('n', { ctrlKey: true }))).toBe(false);
    expect(matches('?', press('?', { shiftKey: true }))).toBe(true);
    expect(matches('space', press(' '))).toBe(true);
  });

  it('takes Ctrl and ⌘ alike', () => {
    expect(matches('mod+k', press('k', { metaKey: true }))).toBe(true);
    expect(matches('mod+k', press('K', { ctrlKey: true }))).toBe(true);
    expect(matches('mod+k', press('k'))).toBe(false);
  });

  it('finds WASD by its place on any keyboard', () => {
    expect(matches('KeyW', press('z', { code: 'KeyW' }))).toBe(true);
    expect(matches('KeyW', press('w', { code: 'KeyZ' }))).toBe(false);
  });

  it('writes keys as they are printed', () => {
    expect(['KeyW', 'space', 'ArrowLeft', '?'].map(keyLabel)).toEqual(['w', 'Space', '←', '?']);
  });
});
