import { describe, expect, it } from 'vitest';
import { csvText } from '#analysis/csv-text';

describe('a text in CSV', () => {
  it.each(['=1+1', '+1+cmd|x', '-2+3', '@SUM(A1)', '\t=1', '＝1+1', '=HYPERLINK("http://x","y")', '-', '--1'])(
    '%j is no formula',
    (text) => {
      expect(csvText(text)).toMatch(/^"?'/);
    },
  );

  it('is quoted where a line break would end its row', () => {
    expect(csvText('\r=1')).toBe('"\'\r=1"');
  });

  it.each(['-3.2', '+5', '-1e-7', '-.5', 'a=b', 'x-1', '5 %', ''])('%j stays as it is', (text) => {
    expect(csvText(text)).toBe(text);
  });
});
