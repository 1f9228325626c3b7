import { describe, expect, it } from 'vitest';
import { strategyOf } from './strategy';

describe.each(['https://paceline.example/', 'https://paceline.example/lab/'])('of a site at %s', (home) => {
  const ask = (path: string, more: Partial<Parameters<typeof strategyOf>[0]> = {}) =>
    strategyOf({ method: 'GET', mode: 'cors', url: new URL(path, home).href, partial: false, ...more }, home);

  it('answers with what is kept, whether code, engine or data', () => {
    expect(ask('assets/index-abc.js')).toBe('kept');
    expect(ask('engine/paceline.wasm')).toBe('kept');
    expect(ask('data/runs/abc/samples.bin.gz')).toBe('kept');
  });

  it('answers with the page whatever its address, and asks the network first for what names the version', () => {
    expect(ask('', { mode: 'navigate' })).toBe('page');
    expect(ask('e/abc?x=1', { mode: 'navigate' })).toBe('page');
    expect(ask('data/site.json')).toBe('newest');
    expect(ask('data/site.json?again')).toBe('newest');
  });

  it('leaves to the network what is no whole file of the site', () => {
    expect(ask('plan', { method: 'POST' })).toBe('network');
    expect(ask('https://elsewhere.example/x')).toBe('network');
    expect(ask('data/runs/abc/samples.bin.gz', { partial: true })).toBe('network');
  });
});

it('leaves to the network what lies beside the site on its host', () => {
  const home = 'https://paceline.example/lab/';
  for (const path of ['/', '/lab', '/labour/', '/other/data/site.json'])
    for (const mode of ['navigate', 'cors'])
      expect(strategyOf({ method: 'GET', mode, url: new URL(path, home).href, partial: false }, home)).toBe('network');
});
