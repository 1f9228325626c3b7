import { describe, expect, it } from 'vitest';
import { jsonLines } from '#analysis/json-lines';

describe('the lines of a JSON text', () => {
  it('are those on which values begin, or what would hold them', () => {
    const text = '{\n "a": [\n  1, 2,\n  {"b":\n   true}],\n "c": "x"\n}';
    const asked = [['a'], ['a', 0], ['a', 1], ['a', 2], ['a', 2, 'b'], ['c'], ['a', 2, 'none'], ['a', 9], ['none']];
    expect(jsonLines(text, asked)).toEqual([2, 3, 3, 4, 5, 6, 4, 2, 1]);
  });

  it('are not led astray by what stands in texts', () => {
    const text = '{"x": "]}\\",\\n{[",\n"expectations": [\n{"name": "a\\\\"},\n{"n\\u0061me": ","}]}';
    const asked = [
      ['expectations', 0],
      ['expectations', 1],
      ['expectations', 1, 'name'],
    ];
    expect(jsonLines(text, asked)).toEqual([3, 4, 4]);
  });

  it('take no stack, however long a string is', () => {
    const escapes = String.raw`\"`.repeat(5_000_000);
    expect(jsonLines(`{"x": "${escapes}",\n"b": 1}`, [['b']])).toEqual([2]);
  });

  it('take no stack, however deep the text is', () => {
    const deep = 20_000;
    const text = `{"a":${'['.repeat(deep)}${']'.repeat(deep)},\n"b":1}`;
    expect(jsonLines(text, [['a', 0, 0], ['b']])).toEqual([1, 2]);
  });
});
