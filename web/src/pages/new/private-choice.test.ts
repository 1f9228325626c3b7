import { expect, it } from 'vitest';
import { asksPrivate } from './private-choice';

it('what was chosen to be private is asked to be, until the server has said that nothing can', () => {
  const asked = [true, null, false].map((tellsApart) => [
    asksPrivate(true, tellsApart),
    asksPrivate(false, tellsApart),
  ]);
  expect(asked).toEqual([
    [true, false],
    [true, false],
    [false, false],
  ]);
});
