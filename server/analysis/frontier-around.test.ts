import { describe, expect, it } from 'vitest';
import type { CcaSeries } from '#analysis/cca-series';
import { surroundingsOf } from '#analysis/frontier-around';
import type { PlacedPoint } from '#analysis/frontier-stacks';
import type { Stack } from '#analysis/frontier-stacks';

const series = (key: string): CcaSeries => ({ key }) as CcaSeries;
const point = (own: CcaSeries, more: Partial<PlacedPoint>): PlacedPoint =>
  ({ series: own, x: 10, y: 20, whiskerX: null, whiskerY: null, dots: [], ...more }) as PlacedPoint;
const end = (at: number, cut = false) => ({ at, cut });

describe('what is around the marks of a frontier', () => {
  it('is one path of each kind for each algorithm, however many points and repetitions there are', () => {
    const [cubic, bbr] = [series('cubic'), series('bbr')];
    const dots = [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ];
    const found = surroundingsOf({
      points: [
        ...Array.from({ length: 50 }, () => point(cubic, { dots, whiskerX: [end(5), end(15)] })),
        point(bbr, { dots }),
        point(series('quiet'), {}),
      ],
      stacks: [{ members: [point(bbr, {})], leader: true, at: { x: 1, y: 1 }, x: 30, y: 40 } as unknown as Stack],
    });
    expect(found.map((one) => one.series.key)).toEqual(['cubic', 'bbr']);
    expect(found[0]?.judged.match(/M/g)).toHaveLength(100);
    expect(found[0]?.alone).toBe('');
    expect(found[0]?.whiskers.startsWith('M5,20H15M5,17v6M15,17v6')).toBe(true);
    expect(found[1]).toMatchObject({ judged: '', alone: 'M1,2h0M3,4h0', whiskers: '', leaders: 'M1,1L30,40' });
    expect(found[1]?.homes).toMatch(/^M-1.5,1a2.5,2.5/);
  });

  it('leaves the end of an interval open that goes on beyond the axis', () => {
    const own = series('cubic');
    const [found] = surroundingsOf({ points: [point(own, { whiskerY: [end(30), end(5, true)] })], stacks: [] });
    expect(found?.whiskers).toBe('M10,30V5M7,30h6');
  });
});
