import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { TimeView } from './time-view';

const view = (): TimeView => new TimeView({ extent: [0, 60] });

describe('a time view', () => {
  it('goes back and forward through its zooms', () => {
    const v = view();
    v.show([10, 20]);
    v.show([12, 14]);
    v.back();
    expect(v.range).toEqual([10, 20]);
    v.back();
    expect(v.range).toEqual([0, 60]);
    v.forward();
    v.forward();
    expect(v.range).toEqual([12, 14]);
    v.forward();
    expect(v.range).toEqual([12, 14]);
  });

  it('remembers one step per gesture', () => {
    const v = view();
    for (let i = 1; i <= 20; i++) v.show([i, 60 - i], { gesture: true });
    v.commit();
    v.back();
    expect(v.range).toEqual([0, 60]);
    expect(v.canGoBack).toBe(false);
  });

  it('forgets what was ahead when it zooms anew', () => {
    const v = view();
    v.show([10, 20]);
    v.back();
    v.show([30, 40]);
    expect(v.canGoForward).toBe(false);
  });

  it('keeps the time under the pointer when it zooms there', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 5, max: 55, noNaN: true }),
        fc.double({ min: 1.1, max: 8, noNaN: true }),
        (at, factor) => {
          const v = view();
          const before = at / 60;
          v.zoomAt(at, factor);
          const [from, to] = v.range;
          expect((at - from) / (to - from)).toBeCloseTo(before, 6);
        },
      ),
    );
  });

  it('never leaves its extent nor shrinks below its least span', () => {
    const actions = fc.array(
      fc.oneof(
        fc.record({
          kind: fc.constant('zoom' as const),
          a: fc.double({ min: -10, max: 80, noNaN: true }),
          b: fc.double({ min: 0.01, max: 100, noNaN: true }),
        }),
        fc.record({
          kind: fc.constant('pan' as const),
          a: fc.double({ min: -100, max: 100, noNaN: true }),
          b: fc.constant(0),
        }),
        fc.record({
          kind: fc.constantFrom('back' as const, 'forward' as const, 'reset' as const),
          a: fc.constant(0),
          b: fc.constant(0),
        }),
      ),
    );
    fc.assert(
      fc.property(actions, (all) => {
        const v = view();
        for (const { kind, a, b } of all) {
          if (kind === 'zoom') v.zoomAt(a, b);
          else if (kind === 'pan') v.panBy(a);
          else v[kind]();
          const [from, to] = v.range;
          expect(from).toBeGreaterThanOrEqual(-1e-9);
          expect(to).toBeLessThanOrEqual(60 + 1e-9);
          expect(to - from).toBeGreaterThanOrEqual(0.005 - 1e-9);
        }
      }),
    );
  });

  it('moves with the head of a live run while it follows, and stays when it does not', () => {
    const v = view();
    v.show([0, 10]);
    v.setFollow(true);
    v.setHead(30);
    expect(v.range).toEqual([20, 30]);
    v.panBy(-5);
    expect(v.follow).toBe(false);
    v.setHead(40);
    expect(v.range).toEqual([15, 25]);
  });

  it('keeps showing all when the extent grows, and keeps a zoom', () => {
    const all = view();
    all.setExtent([0, 90]);
    expect(all.range).toEqual([0, 90]);
    const zoomed = view();
    zoomed.show([10, 20]);
    zoomed.setExtent([0, 90]);
    expect(zoomed.range).toEqual([10, 20]);
  });

  it('tells apart what changed', () => {
    const v = view();
    const heard = vi.fn();
    const stop = v.subscribe(heard);
    v.setCursor(3);
    v.show([1, 2]);
    stop();
    v.setCursor(4);
    expect(heard.mock.calls.map(([change]) => change as unknown)).toEqual(['cursor', 'range']);
  });
});
