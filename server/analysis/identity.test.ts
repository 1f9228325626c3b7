import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, shortId } from '#analysis/identity';

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest();

describe('canonical JSON', () => {
  test('sorts keys at every level and leaves no spaces', () => {
    expect(canonicalJson({ b: [1, { z: null, a: 'ü"' }], a: -0, c: undefined })).toBe(
      '{"a":0,"b":[1,{"a":"ü\\"","z":null}]}',
    );
  });

  test('is the same whatever the order of keys, and parses back to the value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const turned = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(object));
        expect(JSON.parse(canonicalJson(object))).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });

  test('refuses what JSON cannot say', () => {
    expect(() => canonicalJson({ a: Number.NaN })).toThrow(TypeError);
    expect(() => canonicalJson(() => 1)).toThrow(TypeError);
  });
});

describe('short id', () => {
  test('is the start of RFC 4648 base32', () => {
    // RFC 4648 section 10: BASE32("foobar") = MZXW6YTBOI.
    const hash = new TextEncoder().encode('foobarfoobarfoobar');
    expect(shortId(hash)).toHaveLength(20);
    expect(shortId(hash).slice(0, 9)).toBe('mzxw6ytbo');
    // SHA-256 of the empty text begins e3 b0 c4 42 98: base32 4oymiquy.
    expect(shortId(sha256(''))).toMatch(/^4oymiquy[a-z2-7]{12}$/);
  });

  test('refuses a hash that is too short', () => {
    expect(() => shortId(new Uint8Array(4))).toThrow(RangeError);
  });
});
