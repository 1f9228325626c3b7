import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyLabel, listenToKeys, matches, useCommands } from './commands';

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

  it('tells arrows with shift from arrows', () => {
    const shifted = press('ArrowLeft', { shiftKey: true });
    expect([matches('ArrowLeft', shifted), matches('shift+ArrowLeft', shifted)]).toEqual([false, true]);
    expect(matches('shift+ArrowLeft', press('ArrowLeft'))).toBe(false);
  });

  it('writes keys as they are printed', () => {
    const keys = ['KeyW', 'space', 'ArrowLeft', 'shift+ArrowLeft', '?'];
    expect(keys.map(keyLabel)).toEqual(['w', 'Space', '←', 'Shift ←', '?']);
  });
});

describe('where single keys are commands', () => {
  let done: string[] = [];
  let stop = (): void => undefined;
  const KEYS = ['?', '/', 't', 'space', 'ArrowRight', 'mod+k'] as const;
  const commands = KEYS.map((keys) => ({
    id: keys,
    title: keys,
    group: 'test',
    keys,
    run: () => void done.push(keys),
  }));
  beforeEach(() => {
    done = [];
    stop = listenToKeys();
    renderHook(() => useCommands(commands));
  });
  afterEach(() => {
    stop();
    cleanup();
    document.body.replaceChildren();
  });

  /** Which of them are heard when something of this markup has the focus. */
  const heard = (markup: string): string[] => {
    document.body.innerHTML = markup;
    const target = document.body.querySelector('[data-here]') ?? document.body;
    for (const key of ['?', '/', 't', ' ', 'ArrowRight'])
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    target.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }));
    return done;
  };

  it.each([
    ['the page', '<p data-here></p>', [...KEYS]],
    ['a chart', '<div role="slider" data-here></div>', ['?', '/', 't', 'space', 'mod+k']],
    ['a slider', '<input type="range" data-here>', ['?', '/', 't', 'space', 'mod+k']],
    ['a checkbox', '<input type="checkbox" data-here>', ['?', '/', 't', 'mod+k']],
    ['a radio button', '<input type="radio" data-here>', ['?', '/', 't', 'mod+k']],
    ['a button', '<button data-here></button>', ['?', '/', 't', 'mod+k']],
    ['a field', '<input type="text" data-here>', ['mod+k']],
    ['a search field', '<input type="search" data-here>', ['mod+k']],
    [
      'a list that is searched by typing',
      '<ul role="listbox"><li role="option" data-here></li></ul>',
      ['?', '/', 'mod+k'],
    ],
    ['a select', '<button aria-haspopup="listbox" data-here></button>', ['?', '/', 'mod+k']],
  ])('%s', (_, markup, expected) => {
    expect(heard(markup)).toEqual(expected);
  });
});
