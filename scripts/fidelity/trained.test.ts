import { describe, expect, it } from 'vitest';
import { signFlipP } from './trained.ts';

describe('signs that could as well be others', () => {
  it.each([
    ['all alike: once each way', [1, 1, 1, 1, 1], 2 / 32],
    ['nothing between them', [1, -1], 1],
    ['all of one sign, of different sizes', [3, 2, 1], 2 / 8],
    // |mean| of 4 at least: 6 and 4, each way
    ['a small one against two large ones', [3, 2, -1], 4 / 8],
  ])('%s', (_, differences, expected) => {
    expect(signFlipP(differences)).toBeCloseTo(expected, 12);
  });
});
