import { describe, expect, it } from 'vitest';
import { blocksOf } from './note-blocks';

describe('Markdown apart from its tables', () => {
  it('keeps text and tables in their order', () => {
    expect(blocksOf('before\n\n| a | b |\n|---|:--:|\n| 1 \\| 2 | `x` |\n| 3 | |\n\nafter')).toEqual([
      'before\n',
      {
        head: ['a', 'b'],
        rows: [
          ['1 | 2', '`x`'],
          ['3', ''],
        ],
      },
      '\nafter',
    ]);
  });

  it('takes no line for a table that has no rule below it, nor what is fenced', () => {
    expect(blocksOf('|x| is a norm')).toEqual(['|x| is a norm']);
    const fenced = '```\n| a |\n|---|\n```';
    expect(blocksOf(fenced)).toEqual([fenced]);
    expect(blocksOf(' \n')).toEqual([]);
  });
});
