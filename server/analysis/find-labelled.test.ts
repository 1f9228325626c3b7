import { describe, expect, it } from 'vitest';
import { finder } from '#analysis/find-labelled';

describe('looking for something', () => {
  it('needs every word somewhere, in what is said or in a tag', () => {
    expect(finder('lte sweep')('LTE drive', ['sweep-2'])).toBe(true);
    expect(finder('lte sweep')('LTE drive', [])).toBe(false);
    expect(finder('  ')('anything')).toBe(true);
  });

  it('takes tag:word for exactly that tag, whatever its case', () => {
    expect(finder('tag:thesis')('', ['Thesis'])).toBe(true);
    expect(finder('tag:thesis')('thesis', ['thesis-old'])).toBe(false);
    expect(finder('tag:thesis lte')('lte', ['thesis'])).toBe(true);
    expect(finder('tag:')('', ['any'])).toBe(true);
    expect(finder('tag:')('', [])).toBe(false);
  });
});
