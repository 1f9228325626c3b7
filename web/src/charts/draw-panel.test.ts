import { describe, expect, it } from 'vitest';
import { drawPanel, type Scene } from './draw-panel';
import { layoutPanel } from './layout';
import { yRange, yTicks } from './scales';
import { SvgSurface } from './surface';
import { seriesOf, THEME } from './testing';
import type { PanelSpec } from './types';
import { Visibility } from './visibility';

const wave = Array.from({ length: 60 }, (_, i) => (i % 17 === 0 ? NaN : 20 + ((i * 7) % 11)));
const SPEC: PanelSpec = {
  id: 'golden',
  title: 'Everything a panel can draw',
  y: { unit: 'Mbps' },
  limits: [{ id: 'limit', label: 'limit', value: 31, colour: THEME.danger }],
  marks: [
    { id: 'loss', label: 'loss', shape: 'loss', colour: '#0e27a1', group: 'flow:0', times: [5, 5.1, 30] },
    { id: 'rto', label: 'timeout', shape: 'timeout', colour: '#0e27a1', group: 'flow:0', times: [40] },
  ],
  series: [
    {
      id: 'capacity',
      kind: 'step-area',
      label: 'capacity',
      unit: 'Mbps',
      group: 'capacity',
      data: seriesOf(wave.map((v) => v + 3)),
      style: { colour: '#aab1ba', fill: '#e4e7eb' },
    },
    {
      id: 'band',
      kind: 'band',
      label: 'band',
      unit: 'Mbps',
      group: 'band',
      lower: seriesOf(wave.map(() => 5)),
      upper: seriesOf(wave.map(() => 9)),
      style: { colour: '#aab1ba' },
    },
    {
      id: 'line',
      kind: 'line',
      label: 'throughput',
      unit: 'Mbps',
      group: 'flow:0',
      data: seriesOf(wave),
      style: { colour: '#0e27a1' },
    },
    {
      id: 'step',
      kind: 'step',
      label: 'other',
      unit: 'Mbps',
      group: 'flow:1',
      data: seriesOf(wave.map((v) => v / 2)),
      style: { colour: '#a35a75', dash: [6, 4] },
    },
  ],
};

function draw(visibility: Visibility, spec = SPEC): string {
  const range = [0, 59] as const;
  const layout = layoutPanel(spec, 390, 160, true);
  const y = yRange(spec, range, visibility);
  const scene: Scene = {
    spec,
    layout,
    range,
    yRange: y,
    yTicks: yTicks(y, layout.plotHeight),
    xTicks: [0, 20, 40],
    visibility,
    theme: THEME,
    columnWidth: 0.5,
    dirtyFrom: 0,
  };
  const surface = new SvgSurface('golden');
  drawPanel(surface, scene);
  return surface.toString();
}

describe('a panel drawn as SVG', () => {
  it('looks as it did', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="390" height="160">${draw(new Visibility()).replaceAll('><', '>\n<')}</svg>\n`;
    await expect(svg).toMatchFileSnapshot('golden/panel.svg');
  });

  it('is well-formed XML', () => {
    const document = new DOMParser().parseFromString(
      `<svg xmlns="http://www.w3.org/2000/svg">${draw(new Visibility())}</svg>`,
      'image/svg+xml',
    );
    expect(document.querySelector('parsererror')).toBeNull();
    expect(document.querySelectorAll('path').length).toBeGreaterThan(8);
  });

  it('leaves out what is hidden and puts what is highlighted on top', () => {
    const hidden = draw(new Visibility(['flow:0']));
    expect(hidden).not.toContain('#0e27a1');
    const visibility = new Visibility();
    visibility.highlight('flow:0');
    const svg = draw(visibility);
    expect(svg.indexOf('#a35a75')).toBeLessThan(svg.indexOf('#0e27a1'));
    expect(svg).toContain('opacity="0.18"');
  });

  it('draws one mark of a kind per cell of pixels', () => {
    expect(draw(new Visibility()).match(/transform="translate/g)).toHaveLength(3);
  });

  it('marks where a line leaves a scale that few values do not set', () => {
    const y = Array.from({ length: 60 }, (_, i) => (i === 20 ? 6000 : i === 40 ? -6000 : 40));
    const line: PanelSpec['series'][number] = {
      ...{ id: 'l', kind: 'line', label: '', unit: 'ms', group: 'l', data: seriesOf(y) },
      style: { colour: '#0e27a1' },
    };
    const marks = (cut: boolean): number =>
      (
        draw(new Visibility(), {
          id: 'p',
          title: '',
          y: { unit: 'ms', ...(cut && { cut: 'lines' }) },
          series: [line],
        }).match(/translate/g) ?? []
      ).length;
    expect(marks(true)).toBe(2);
    expect(marks(false)).toBe(0);
  });

  it('marks where a band leaves a scale that its lines set', () => {
    const look = { label: '', unit: 'Mbps', style: { colour: '#0e27a1' } };
    const rates = Array.from({ length: 60 }, () => 100);
    const mean = seriesOf(rates);
    const upper = seriesOf(rates.map((value, i) => (i === 20 || i === 40 ? 4000 : value)));
    const spec: PanelSpec = {
      ...{ id: 'p', title: '', y: { unit: 'Mbps', cut: 'bands' } },
      series: [
        { ...look, id: 'b', kind: 'band', group: 'b', lower: mean, upper },
        { ...look, id: 'm', kind: 'step', group: 'm', data: mean },
      ],
    };
    expect(draw(new Visibility(), spec).match(/translate/g)).toHaveLength(2);
  });
});
