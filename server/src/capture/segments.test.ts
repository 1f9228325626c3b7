import { expect, it } from 'vitest';
import { Segments } from './segments.ts';

const FAR = 10_000;

function filled(): Segments {
  const segments = new Segments();
  for (let i = 0; i < FAR; i++) segments.place(i, 100 + (i % 3));
  return segments;
}

it('are where they began, another time too', () => {
  const segments = filled();
  expect(segments.begin(3)).toBe(303);
  expect(segments.place(2, 100)).toBe(201);
});

it('are forgotten when all of them have arrived, but for those that somebody will still tell of', () => {
  const segments = filled();
  segments.forget(9000, () => 17);
  expect(segments.begin(17)).toBe(5 * 303 + 201);
  expect(() => segments.begin(16)).toThrow('segment 16 is not known');
  segments.forget(9000, () => Infinity);
  expect(() => segments.begin(17)).toThrow('not known');
  expect(segments.begin(9000)).toBe(3000 * 303);
});

it('are not moved for a few', () => {
  const segments = filled();
  segments.forget(4000, () => Infinity);
  expect(segments.begin(0)).toBe(0);
});
