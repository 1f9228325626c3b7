import { expect, it } from 'vitest';
import { sameFigure } from './compare.ts';

const line = (...ys: readonly number[]): string =>
  `<path d="M0,0${ys.map((y, x) => `L${x},${y}`).join('')}" fill="#1b1b1b"/>`;
const flat = (y: number, changes: Readonly<Record<number, number>> = {}): string =>
  line(...Array.from({ length: 100 }, (_, x) => changes[x] ?? y));

it('takes pictures for the same that differ by less than an eye sees', () => {
  expect(sameFigure(flat(50), flat(50))).toBe(true);
  expect(sameFigure(flat(50), flat(50, { 7: 50.2, 8: 52.1 }))).toBe(true);
});

it('notices another course, a lone spike and another colour', () => {
  expect(sameFigure(flat(50), flat(51))).toBe(false);
  expect(sameFigure(flat(50), flat(50, { 7: 90 }))).toBe(false);
  expect(sameFigure(flat(50), flat(50).replace('1b1b1b', '1c1c1c'))).toBe(false);
  expect(sameFigure(line(1, 2), line(1, 2, 3))).toBe(false);
});
