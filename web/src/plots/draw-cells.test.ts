import { describe, expect, it } from 'vitest';
import { SvgSurface } from '../charts/surface';
import { THEME } from '../charts/testing';
import { drawCells, type CellGrid, type DrawnCell } from './draw-cells';

const cell = (more: Partial<DrawnCell>): DrawnCell => ({
  x: 0,
  y: 0,
  state: 'done',
  value: { fill: '#336699', text: '98.8' },
  done: 1,
  faint: false,
  ...more,
});
const drawn = (grid: Partial<CellGrid>): string => {
  const surface = new SvgSurface('test');
  drawCells(surface, { cells: [], cellWidth: 80, cellHeight: 28, written: true, theme: THEME, ...grid });
  return surface.toString();
};
const texts = (svg: string): string[] => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text ?? '');

describe('the grid of cells, drawn', () => {
  it('writes each value on its colour, in the middle', () => {
    const svg = drawn({ cells: [cell({}), cell({ x: 82, value: { fill: '#aabbcc', text: '12.0' } })] });
    expect(texts(svg)).toEqual(['98.8', '12.0']);
    expect(svg).toContain('fill="#336699"');
    expect(svg).toContain('<text x="122" y="14"');
    expect(svg).not.toContain('opacity');
  });

  it('leaves the values out where there is no room, and shortens states to signs', () => {
    const states = [
      cell({}),
      ...(['queued', 'running', 'failed'] as const).map((state) => cell({ state, value: null })),
    ];
    expect(texts(drawn({ cells: states }))).toEqual(['98.8', '·', 'running', 'failed']);
    expect(texts(drawn({ cells: states, cellWidth: 18, written: false }))).toEqual(['·', '…', '×']);
  });

  it('shows how many repetitions are missing, and what is not looked at faintly', () => {
    expect(drawn({ cells: [cell({ done: 0.5 })] }).match(/<path/g)).toHaveLength(2);
    expect(drawn({ cells: [cell({ faint: true })] })).toContain('opacity="0.35"');
  });
});
