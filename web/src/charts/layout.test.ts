import { describe, expect, it } from 'vitest';
import { layoutPanel, plotEdges } from './layout';
import { isEmpty } from './scales';
import type { PanelSpec } from './types';
import { Visibility } from './visibility';

const nothing: PanelSpec = { id: 'p', title: '', y: { unit: 'Mbps' }, series: [] };

describe('the layout of a panel', () => {
  it('has room for the unit above the axis while its series are still to come, and makes up no scale for them', () => {
    expect(layoutPanel(nothing, 800, 160, true).top).toBeGreaterThan(12);
    expect(isEmpty(nothing, [0, 1], new Visibility())).toBe(true);
  });

  it('has the edges that the shared time axis has, at any width', () => {
    for (const width of [320, 559, 560, 1400])
      expect(layoutPanel(nothing, width, 160, false)).toMatchObject(plotEdges(width));
  });
});
