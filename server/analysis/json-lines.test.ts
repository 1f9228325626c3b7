import { describe, expect, it } from 'vitest';
import { jsonLines } from '#analysis/json-lines';

describe('the lines of a JSON text', () => {
  it('are those on which values begin', () => {
    const text = '{\n "a": [\n  1, 2,\n  {"b":\n   true}],\n "c": "x"\n}';
    expect(Object.fromEntries(jsonLines(text, 3))).toEqual({
      '': 1,
      a: 2,
      'a.0': 3,
      'a.1': 3,
      'a.2': 4,
      'a.2.b': 5,
      c: 6,
    });
  });

  it('are not led astray by what stands in texts', () => {
    const text = '{"x": "]}\\",\\n{[",\n"expectations": [\n{"name": "a\\\\"},\n{"n\\u0061me": ","}]}';
    const lines = jsonLines(text, 3);
    expect([lines.get('expectations.0'), lines.get('expectations.1'), lines.get('expectations.1.name')]).toEqual([
      3, 4, 4,
    ]);
  });

  it('go no deeper than asked, however deep the text is', () => {
    const deep = 20_000;
    const text = `{"a":${'['.repeat(deep)}${']'.repeat(deep)},\n"b":1}`;
    expect(jsonLines(text, 2)).toEqual(
      new Map([
        ['', 1],
        ['a', 1],
        ['a.0', 1],
        ['b', 2],
      ]),
    );
  });
});
