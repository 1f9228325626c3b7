import { describe, expect, it } from 'vitest';
import { EXAMPLES, TEMPLATE_TEXT } from './examples';

describe('the examples', () => {
  it('are called by what their first comment says, the template first', () => {
    expect(EXAMPLES.map(({ title }) => title)).toEqual(['AIMD', 'Delay-based', 'Policy', 'Rate-based']);
    expect(TEMPLATE_TEXT).toBe(EXAMPLES[0]?.text);
  });
});
