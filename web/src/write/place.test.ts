import { describe, expect, it } from 'vitest';
import { failureOf, placeIn, problemText } from './place';

const TEXT = 'const a = 1;\n  flow.cwnd = b;\n\nlast';
const marked = (line: number, column: number): string => {
  const { from, to } = placeIn(TEXT, { line, column });
  return TEXT.slice(from, to);
};

describe('a place in a text', () => {
  it('is the word there, or the rest of the line', () => {
    expect(marked(1, 7)).toBe('a');
    expect(marked(2, 3)).toBe('flow');
    expect(marked(2, 13)).toBe('= b;');
  });

  it('is within the text wherever it is said to be', () => {
    expect(placeIn(TEXT, { line: 3, column: 9 })).toEqual({ from: 30, to: 30 });
    expect(placeIn(TEXT, { line: 99, column: 1 })).toEqual({ from: TEXT.length, to: TEXT.length });
    expect(placeIn('', { line: 1, column: 1 })).toEqual({ from: 0, to: 0 });
  });

  it('begins the sentence that says what is wrong', () => {
    expect(problemText({ message: 'b is not defined', at: { line: 2, column: 15 } })).toBe('Line 2: b is not defined');
    expect(problemText({ message: 'its budget ended', at: null })).toBe('its budget ended');
    const at = { line: 7, column: 3 };
    expect(failureOf('A, line 1: B, line 7: c is not defined', at)).toEqual({ message: 'c is not defined', at });
    expect(failureOf('The engine stopped.', null)).toEqual({ message: 'The engine stopped.', at: null });
  });
});
