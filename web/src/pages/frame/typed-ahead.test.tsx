import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Suspense, use } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { afterKey, forgetTyped, TypedAhead, useTypedAhead } from './typed-ahead';

afterEach(cleanup);

function later(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

const settled = () => act(() => new Promise<void>((done) => setTimeout(done, 20)));

describe('keys before the palette is there', () => {
  it('keeps letters in their order, takes back with Backspace, and leaves keys without a letter alone', () => {
    const keys = ['t', 'Shift', 'ö', 'x', 'Backspace', 'ArrowDown', ' ', 'Enter', '🛰', 'u'];
    expect(keys.reduce(afterKey, '')).toBe('tö 🛰u');
    expect(afterKey('', 'Backspace')).toBe('');
  });

  it('has them still when the palette was begun, put off and drawn anew', async () => {
    const code = later();
    const more = later();
    const Palette = () => {
      use(code.promise);
      const typed = useTypedAhead();
      use(more.promise);
      return <p>{typed}</p>;
    };
    await act(() => {
      render(
        <Suspense fallback={<TypedAhead open />}>
          <Palette />
        </Suspense>,
      );
      return Promise.resolve();
    });
    fireEvent.keyDown(window, { key: 't' });
    fireEvent.keyDown(window, { key: 'o' });
    code.resolve();
    await settled();
    // Begun, and not there yet: this one is kept for it, too.
    fireEvent.keyDown(window, { key: 'u' });
    more.resolve();
    await settled();
    expect(screen.getByText('tou')).toBeDefined();
    // From now on keys are the palette's.
    fireEvent.keyDown(window, { key: 'r' });
    expect(screen.getByText('tou')).toBeDefined();
    act(forgetTyped);
    expect(screen.queryByText('tou')).toBeNull();
  });
});
