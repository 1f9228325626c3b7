import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeAt } from './columns';
import { layoutPanel } from './layout';
import { moveOf } from './moved';
import { pictureOf, type Picture } from './repaint';
import { seriesOf, THEME } from './testing';
import type { Range } from './time-view';
import type { PanelSpec } from './types';
import { Visibility } from './visibility';

const spec: PanelSpec = {
  id: 'a',
  title: 'A',
  y: { unit: 'ms', scale: 'linear' },
  series: [
    {
      kind: 'line',
      id: 'a',
      group: 'a',
      label: 'a',
      unit: 'ms',
      data: seriesOf([1, 2, 3]),
      style: { colour: '#000', width: 1 },
    },
  ],
};
const layout = layoutPanel(spec, 800, 160, true);
const visibility = new Visibility();
const scene = (range: Range) => ({
  spec,
  layout,
  range,
  yRange: [0, 1] as const,
  yTicks: [],
  xTicks: [],
  visibility,
  theme: THEME,
  columnWidth: 1,
  dirtyFrom: 0,
});
const painted = (range: Range): Picture => pictureOf(scene(range));

describe('a picture that was painted for another time', () => {
  it('is put where each of its moments is now', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (start, factor, share) => {
          const [before, now]: [Range, Range] = [
            [0, 100],
            [start, start + 100 * factor],
          ];
          const move = moveOf(painted(before), scene(now));
          if (move === null) return;
          const pixel = layout.left + share * layout.plotWidth;
          const span = (range: Range) => ({ from: range[0], to: range[1], left: layout.left, width: layout.plotWidth });
          const shown = layout.left + (pixel - layout.left) * move.scale + move.shift;
          expect(timeAt(span(now), shown)).toBeCloseTo(timeAt(span(before), pixel), 6);
        },
      ),
    );
  });

  it('is not when it has nothing of what is in sight, or would be stretched too far', () => {
    expect(moveOf(painted([0, 10]), scene([2, 12]))).not.toBeNull();
    expect(moveOf(painted([0, 10]), scene([10, 20]))).toBeNull();
    expect(moveOf(painted([0, 10]), scene([0, 1]))).toBeNull();
    expect(moveOf(painted([0, 10]), scene([0, 100]))).toBeNull();
    expect(moveOf(null, scene([0, 10]))).toBeNull();
  });

  it('is not when anything but the time in sight differs', () => {
    const before = painted([0, 10]);
    const now = scene([2, 12]);
    expect(moveOf(before, { ...now, spec: { ...spec } })).toBeNull();
    expect(moveOf(before, { ...now, layout: { ...layout } })).toBeNull();
    expect(moveOf(before, { ...now, theme: { ...THEME } })).toBeNull();
    visibility.toggle('a');
    expect(moveOf(before, now)).toBeNull();
  });
});
