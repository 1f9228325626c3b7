import { describe, expect, it } from 'vitest';
import type { CcaAbout } from '#protocol/cca-about';
import { byFamily, familyOf, findCcas } from './families';

const cca = (id: string, family: string, summary = '') => ({ id, label: id.toUpperCase(), family, summary });
const ALL = [cca('b', 'delay'), cca('a', 'loss', 'Halves its window.'), cca('z', 'homegrown')];
const ABOUT = new Map<string, CcaAbout>([['b', { id: 'b', how: 'Forecasts the link.', states: {}, sources: [] }]]);

describe('families of algorithms', () => {
  it('come in the order in which they are told, those that nobody has described last', () => {
    expect(byFamily(ALL).map(({ id, ccas }) => [id, ccas.map((one) => one.id)])).toEqual([
      ['loss', ['a']],
      ['delay', ['b']],
      ['homegrown', ['z']],
    ]);
    expect(familyOf('homegrown').title).toBe('Homegrown');
  });

  it('are looked through by id, name, family, summary and paragraph; every word must be there', () => {
    const found = (query: string): string[] => findCcas(ALL, ABOUT, query).map(({ id }) => id);
    expect(found('  ')).toEqual(['b', 'a', 'z']);
    expect(found('halves window')).toEqual(['a']);
    expect(found('FORECASTS delay-based')).toEqual(['b']);
    expect(found('forecasts loss')).toEqual([]);
    expect(found('(')).toEqual([]);
  });
});
