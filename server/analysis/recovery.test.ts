import { describe, expect, test } from 'vitest';
import { capacityDips } from '#analysis/capacity-dips';
import { recoveries } from '#analysis/recovery';
import { meanBetween } from '#analysis/series-mean';
import { seriesOf, type Pieces } from '#analysis/testing-rates';

const PACE = { window_s: 0.2, hold_s: 1, step_s: 0.1 };

function recovered(capacity: Pieces, delivered: Pieces) {
  const link = seriesOf(capacity);
  const end = capacity.at(-1)?.[0] ?? 0;
  const found = recoveries(capacityDips(link), meanBetween(seriesOf(delivered)), meanBetween(link), PACE, end);
  return found.map(({ kind, recovered_after_s }) => [
    kind,
    recovered_after_s === null ? null : Number(recovered_after_s.toFixed(2)),
  ]);
}

describe('time to recover', () => {
  const outage: Pieces = [
    [5, 100],
    [7, 0],
    [20, 100],
  ];

  test('by hand: a sender that needs three seconds after an outage, and one that needs none', () => {
    // Back at 7.05 s. Windows begin each 0.1 s from there: the first with at least 80 % begins at 9.95, of which 0.15 of 0.2 s has 100 and
    // the rest 50.
    expect(
      recovered(outage, [
        [5, 100],
        [7, 0],
        [10, 50],
        [20, 100],
      ]),
    ).toEqual([['outage', 2.9]]);
    expect(recovered(outage, outage)).toEqual([['outage', 0]]);
  });

  test('a fifth short of the link is not recovered, nor is a visit', () => {
    expect(
      recovered(outage, [
        [5, 100],
        [7, 0],
        [20, 79],
      ]),
    ).toEqual([['outage', null]]);
    expect(
      recovered(outage, [
        [5, 100],
        [7, 0],
        [10, 50],
        [10.7, 100],
        [20, 50],
      ]),
    ).toEqual([['outage', null]]);
  });

  test('of a drop that lasts it counts from the fall, of what is left of the link', () => {
    expect(
      recovered(
        [
          [5, 100],
          [40, 10],
        ],
        [
          [5, 100],
          [6, 0],
          [40, 10],
        ],
      ),
    ).toEqual([['drop', expect.closeTo(0.9, 1)]]);
  });

  test('not before the next dip is not at all', () => {
    const twice: Pieces = [
      [5, 100],
      [6, 0],
      [8, 100],
      [9, 0],
      [20, 100],
    ];
    expect(
      recovered(twice, [
        [5, 100],
        [9, 0],
        [20, 100],
      ]),
    ).toEqual([
      ['outage', null],
      ['outage', 0],
    ]);
  });
});
