import { expect, it } from 'vitest';
import { hrefOf, ownName, pathOf } from './place';

it.each(['/', '/lab/', '/a/b/'])('leads from a path to what the browser is told and back: %s', (base) => {
  for (const path of ['/', '/e/abc', '/traces/compare?ids=a']) expect(pathOf(hrefOf(path, base), base)).toBe(path);
});

it('says where in its folder the page is', () => {
  expect(hrefOf('/e/abc', '/lab/')).toBe('/lab/e/abc');
  expect(pathOf('/lab/e/abc', '/lab/')).toBe('/e/abc');
  // Of another site of the same host.
  expect(pathOf('/labour/e/abc', '/lab/')).toBe('/labour/e/abc');
});

it('keeps what two sites of one host have apart', () => {
  expect(new Set(['/', '/lab/', '/old/'].map((base) => ownName('paceline', base))).size).toBe(3);
  expect(ownName('paceline', '/')).toBe('paceline');
});
