import { describe, expect, it } from 'vitest';
import { jsonFault } from '#analysis/json-fault';

describe('where a text stops being JSON', () => {
  it.each([
    ['', 1, 1, 'expected a value, found the end'],
    ['{"a": 1,\n "b": NaN}', 2, 7, 'expected a value, found "N"'],
    ['[1, 2', 1, 6, 'expected a comma or ], found the end'],
    ['[1,]', 1, 4, 'expected a value, found "]"'],
    ['{"a" 1}', 1, 6, 'expected a colon, found "1"'],
    ['{a: 1}', 1, 2, 'expected a key in quotation marks or }, found "a"'],
    ['[01]', 1, 3, 'expected a comma or ], found "1"'],
    ['"a\nb"', 1, 1, 'expected a value, found "\\""'],
    ['1 2', 1, 3, 'expected nothing more, found "2"'],
    ['[}', 1, 2, 'expected a value or ], found "}"'],
  ])('%j', (text, line, column, message) => {
    expect(jsonFault(text)).toEqual({ line, column, message });
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  it.each([
    '{"a": [1, -2.5e3, "\\u00e9\\n", true, null, {}, []]}',
    ' 0 ',
    '"x"',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  ])('nowhere in JSON', (text) => {
    expect(jsonFault(text)).toBeNull();
  });
});
