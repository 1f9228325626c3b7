import { axisBottom, axisLeft, axisRight, scaleLinear, select } from 'd3';
import { describe, expect, it } from 'vitest';
import { writeTicks, type AxisLook } from './ticks';

const SVG = 'http://www.w3.org/2000/svg';
const AXES = { left: axisLeft, right: axisRight, bottom: axisBottom } as const;

/** What an axis shows: its line, and each tick's place, mark and number. */
const seen = (group: Element) => ({
  line: group.querySelector('.domain')?.getAttribute('d'),
  anchor: group.getAttribute('text-anchor'),
  ticks: [...group.querySelectorAll('.tick')].map((tick) => ({
    place: tick.getAttribute('transform'),
    mark: ['x2', 'y2'].map((name) => Number(tick.querySelector('line')?.getAttribute(name) ?? 0)),
    text: tick.querySelector('text')?.textContent ?? '',
    at: ['x', 'y', 'dy'].map((name) => tick.querySelector('text')?.getAttribute(name)),
  })),
});

function ours(group: SVGGElement, domain: readonly [number, number], values: readonly number[], look: AxisLook): void {
  const scale = scaleLinear(domain, look.line);
  writeTicks(
    group,
    values.map((value) => ({ value, at: scale(value), text: `${value} ms` })),
    look,
  );
}

describe('ticks of an axis', () => {
  it.each(['left', 'right', 'bottom'] as const)(
    'are where d3-axis has them (%s), also after they have moved',
    (side) => {
      const group = document.createElementNS(SVG, 'g');
      const size = side === 'bottom' ? 4 : 0;
      const look: AxisLook = { side, line: side === 'bottom' ? [56, 800] : [160, 18], size, padding: 6 };
      for (const [domain, values] of [
        [
          [0, 10],
          [0, 5, 10],
        ],
        [
          [2, 12],
          [5, 10],
        ],
        [
          [2, 12.5],
          [2.5, 5, 7.5, 10, 12.5],
        ],
      ] as const) {
        const reference = document.createElementNS(SVG, 'g');
        select(reference).call(
          AXES[side](scaleLinear(domain, look.line))
            .tickValues([...values])
            .tickFormat((value) => `${Number(value)} ms`)
            .tickSize(size)
            .tickSizeOuter(0)
            .tickPadding(6),
        );
        ours(group, domain, values, look);
        expect(seen(group)).toEqual(seen(reference));
      }
    },
  );

  it('are left alone where nothing has changed, and keep their element where they only move', () => {
    const group = document.createElementNS(SVG, 'g');
    const look: AxisLook = { side: 'bottom', line: [0, 100], size: 4, padding: 5 };
    ours(group, [0, 10], [0, 5, 10], look);
    const five = group.querySelectorAll('.tick')[1];
    const observer = new MutationObserver(() => undefined);
    observer.observe(group, { attributes: true, characterData: true, childList: true, subtree: true });
    ours(group, [0, 10], [0, 5, 10], look);
    expect(observer.takeRecords()).toEqual([]);
    ours(group, [1, 11], [5, 10], look);
    const changes = observer.takeRecords();
    expect(changes.map(({ type, attributeName }) => attributeName ?? type).sort()).toEqual([
      'childList',
      'transform',
      'transform',
    ]);
    expect(group.querySelector('.tick')).toBe(five);
  });
});
