import { describe, expect, it } from 'vitest';
import { ExperimentSpec } from '#protocol/spec';
import { Line, plainLine, plainText, shortened } from '#protocol/text';

describe('a line', () => {
  it('has nothing that cannot be seen', () => {
    expect(plainLine('a\u0000b\u202ecod.exe\u2066\u200b\u{e0041}\ufeff')).toBe('a bcod.exe');
    expect(plainLine('half \ud800 of a character\u2028and more')).toBe('half \ufffd of a character and more');
  });

  it('keeps every script and what joins its letters', () => {
    for (const text of ['Zürich – 東京', 'שלום', 'می\u200cخواهم', '👩\u200d💻']) expect(plainLine(text)).toBe(text);
  });

  it('is not empty when something was written', () => {
    expect(Line.min(1).parse('\u202e\u200b')).toBe('unnamed');
    expect(Line.min(1).safeParse('  ').success).toBe(false);
  });

  it('is cut between characters', () => {
    expect(shortened('👩👩👩', 2)).toBe('👩👩');
  });
});

it('a text keeps its lines and tabs', () => {
  expect(plainText('one\r\ntwo\tthree\u0007\u202e\u2029four')).toBe('one\ntwo\tthree \nfour');
});

it('an experiment kept by an earlier version is still read, whatever its name was', () => {
  const spec = { name: '\u202e', traces: [{ rate_mbps: 1 }], ccas: [{ id: 'x' }] };
  expect(ExperimentSpec.parse(spec).name).toBe('unnamed');
});
