import { describe, expect, test } from 'vitest';
import { resultsOf } from '#analysis/results';
import { sharePlanes } from '#analysis/share-lines';
import { LISTING, experimentOf, type TestRun } from '#analysis/testing';
import type { BufferSpec } from '#protocol/spec';

const pairs = (buffer: BufferSpec, shares: readonly number[], more: Partial<TestRun> = {}): TestRun[] =>
  shares.map((share, repetition) => ({
    cca: 'rival',
    ccas: ['rival', 'base'],
    role: 'baseline_pair',
    buffer,
    repetition,
    utilisation: 1,
    queueing_ms: 10,
    throughput_mbps: [12 * share, 12 * (1 - share)],
    ...more,
  }));
const planes = (runs: readonly TestRun[]) => sharePlanes(resultsOf(experimentOf(runs), LISTING.ccas));

describe('shares over queue limits', () => {
  test('are means over repetitions at each limit, in BDP from small to large', () => {
    const found = planes([...pairs({ bdp: 16 }, [0.3, 0.2, 0.4]), ...pairs({ bdp: 1 }, [0.7])]);
    expect([found.unit, found.planes.map(({ values }) => values)]).toEqual(['BDP', [[1, 16]]]);
    const points = found.planes[0]?.lines[0]?.points.map(({ at, y }) => [at, y.mean, y.n]);
    expect(points).toEqual([
      [1, expect.closeTo(0.7, 12), 1],
      [16, expect.closeTo(0.3, 12), 3],
    ]);
  });

  test('of limits that are not all in BDP of the base RTT are told in bytes', () => {
    // 12 Mbps x 20 ms = 30 kB, and half of it one way.
    const found = planes([...pairs({ bdp: 1 }, [0.7]), ...pairs({ bdp: 1, delay: 'link' }, [0.9])]);
    expect([found.unit, found.planes[0]?.values]).toEqual(['kB', [15, 30]]);
  });

  test('need two finite limits', () => {
    expect(planes([...pairs({ bdp: 1 }, [0.7]), ...pairs({ infinite: true }, [0.9])]).planes).toEqual([]);
  });
});
