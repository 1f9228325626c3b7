import { describe, expect, it } from 'vitest';
import { chop, flow, wrap } from './export-svg';
import { escapeXml } from './surface';

const measure = (text: string): number => text.length * 10;

describe('the text of an exported figure', () => {
  it('breaks into lines that fit', () => {
    expect(wrap('one two three four', 90, measure)).toEqual(['one two', 'three', 'four']);
    expect(wrap('extraordinarily', 50, measure)).toEqual(['extraordinarily']);
    expect(wrap('', 50, measure)).toEqual([]);
  });

  it('breaks an address wherever the line ends', () => {
    expect(chop('http://a/b', 40, measure)).toEqual(['http', '://a', '/b']);
    expect(chop('', 40, measure)).toEqual([]);
  });

  it('flows a legend into rows', () => {
    expect(flow([40, 40, 40], 100)).toEqual([
      { x: 0, row: 0 },
      { x: 40, row: 0 },
      { x: 0, row: 1 },
    ]);
  });

  it('cannot be broken out of', () => {
    expect(escapeXml('<script>"&\'')).toBe('&#60;script&#62;&#34;&#38;&#39;');
  });
});
