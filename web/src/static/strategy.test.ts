import { expect, it } from 'vitest';
import { strategyOf } from './strategy';

const ORIGIN = 'https://paceline.example';
const ask = (path: string, more: Partial<Parameters<typeof strategyOf>[0]> = {}) =>
  strategyOf({ method: 'GET', mode: 'cors', url: new URL(path, ORIGIN).href, partial: false, ...more }, ORIGIN);

it('answers with what is kept, whether code, engine or data', () => {
  expect(ask('/assets/index-abc.js')).toBe('kept');
  expect(ask('/engine/paceline.wasm')).toBe('kept');
  expect(ask('/data/runs/abc/samples.bin.gz')).toBe('kept');
});

it('answers with the page whatever its address, and asks the network first for what names the version', () => {
  expect(ask('/e/abc', { mode: 'navigate' })).toBe('page');
  expect(ask('/data/site.json')).toBe('newest');
});

it('leaves to the network what is no whole file of the site', () => {
  expect(ask('/plan', { method: 'POST' })).toBe('network');
  expect(ask('https://elsewhere.example/x')).toBe('network');
  expect(ask('/data/runs/abc/samples.bin.gz', { partial: true })).toBe('network');
});
