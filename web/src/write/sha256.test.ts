import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from './sha256';

describe('the hash of a text', () => {
  it('is that of everybody else, whatever the bytes and however many', () => {
    const theirs = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => sha256(bytes) === theirs(bytes)));
    for (const length of [0, 55, 56, 63, 64, 100_000]) {
      const bytes = new Uint8Array(length).fill(length % 251);
      expect(sha256(bytes)).toBe(theirs(bytes));
    }
  });
});
