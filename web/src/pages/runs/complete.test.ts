import { describe, expect, it } from 'vitest';
import { choicesFor, chosen, openAt } from './complete';

/** `|` is the caret. */
const at = (marked: string) => {
  const caret = marked.indexOf('|');
  const query = marked.replace('|', '');
  return { query, open: openAt(query, caret) };
};
const offered = (marked: string, values: readonly string[] = []): string[] => {
  const { open } = at(marked);
  return open === null ? [] : choicesFor(open, values).map(({ text }) => text);
};

describe('completion of a query', () => {
  it('names fields by how they begin, then by what they are called', () => {
    expect(offered('cca:bbr sta|')).toEqual(['state:', 'starred:']);
    expect(offered('-uti|')).toEqual(['util<']);
    expect(offered('queueing|')).toEqual(['delay<', 'p95<']);
    expect(offered('|').length).toBeGreaterThan(20);
  });

  it('offers the values that there are, after a comma too', () => {
    expect(offered('cca:b|', ['bbr', 'cubic', 'copa'])).toEqual(['bbr', 'cubic']);
    expect(offered('cca:bbr,co|', ['bbr', 'cubic', 'copa'])).toEqual(['copa']);
    expect(offered('trace:"lte w|', ['LTE walk', '5G'])).toEqual(['"LTE walk"']);
    expect(offered('starred:|')).toEqual(['yes', 'no']);
    expect(offered('nothing:b|', ['bbr'])).toEqual([]);
  });

  it('puts a choice in place of what was begun', () => {
    const take = (marked: string, text: string): string => {
      const { query, open } = at(marked);
      const { query: now, caret } = chosen(query, open!, { text, means: '' });
      return `${now.slice(0, caret)}|${now.slice(caret)}`;
    };
    expect(take('ut| cca:bbr', 'util<')).toBe('util<| cca:bbr');
    expect(take('cca:c| util<1', 'cubic')).toBe('cca:cubic |util<1');
    expect(take('-trace:"lte|', '"LTE walk"')).toBe('-trace:"LTE walk" |');
  });
});
