import { describe, expect, it } from 'vitest';
import { cssColour } from './css-colour';
import { printable, runsOf, type Letters } from './printable-svg';

/** Half the size each letter, and no Chinese. */
const letters: Letters = {
  has: (text) => !/[\u4e00-\u9fff]/.test(text),
  width: (text, size) => (text.length * size) / 2,
};
const read = (inner: string): Element =>
  new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg" font-family="x">${inner}</svg>`,
    'image/svg+xml',
  ).documentElement;
const made = (inner: string): Element => printable(read(inner), letters);

describe('an SVG that becomes a PDF', () => {
  it('has texts that begin where the font of the file lets them', () => {
    const [end, middle] = made(
      '<text x="100" y="10" text-anchor="end" font-size="10">abcd</text><g text-anchor="middle" font-size="20"><text x="50" dy="0.35em" y="1">ab</text></g>',
    ).querySelectorAll('text');
    expect([end?.getAttribute('x'), end?.getAttribute('text-anchor')]).toEqual(['80', 'start']);
    expect([middle?.getAttribute('x'), middle?.getAttribute('y')]).toEqual(['40', '8']);
  });

  it('has what lies around a shape before the shape', () => {
    const [halo, shape] = made(
      '<path d="M0,0H1" fill="#ff0000" stroke="#ffffff" paint-order="stroke"/>',
    ).querySelectorAll('path');
    expect([halo?.getAttribute('fill'), halo?.getAttribute('stroke')]).toEqual(['none', '#ffffff']);
    expect([shape?.getAttribute('fill'), shape?.getAttribute('stroke')]).toEqual(['#ff0000', 'none']);
  });

  it('has plain colours, and their opacity beside them', () => {
    const [rect] = made('<rect fill="rgba(0, 0, 255, 0.5)" stroke="url(#x)" fill-opacity="0.5"/>').querySelectorAll(
      'rect',
    );
    expect([rect?.getAttribute('fill'), rect?.getAttribute('fill-opacity')]).toEqual(['#0000ff', '0.25']);
    expect(rect?.getAttribute('stroke')).toBe('url(#x)');
    expect(cssColour('color(srgb 1 0.5 0 / 0.2)')).toEqual({ hex: '#ff8000', alpha: 0.2 });
    expect(cssColour('none')).toBeNull();
  });

  it('loses no words to letters that the font has not', () => {
    const has = (sign: string): boolean => letters.has(sign, false);
    expect(runsOf('LTE 中文 µ', has)).toEqual([
      { known: true, text: 'LTE ' },
      { known: false, text: '中文' },
      { known: true, text: ' µ' },
    ]);
    expect(runsOf('', has)).toEqual([]);
  });
});
