import { describe, expect, it } from 'vitest';
import { plotOptions } from './plot-options';

describe('options of a figure in the address', () => {
  it('reads its own and leaves the others', () => {
    const { options } = plotOptions(
      'frontier',
      { 'frontier.x': 'log', 'frontier.zero': 'true', 'cells.metric': 'loss', t: '1,2' },
      () => undefined,
    );
    expect(options).toEqual({ x: 'log', zero: true });
  });

  it('writes what was changed and takes away what went back to its default', () => {
    let written: Readonly<Record<string, string | undefined>> = {};
    const { onOptions } = plotOptions('frontier', { 'frontier.x': 'log' }, (change) => {
      written = change;
    });
    onOptions({ zero: true });
    expect(written).toEqual({ 'frontier.x': undefined, 'frontier.zero': 'true' });
  });
});
