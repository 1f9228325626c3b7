import { describe, expect, test } from 'vitest';
import { resultsOf } from '#analysis/results';
import { shareCrossings } from '#analysis/share-crossings';
import { LISTING, experimentOf, type TestRun } from '#analysis/testing';
import type { BufferSpec } from '#protocol/spec';

/** A pair per repetition in which the rival has this share of 12 Mbps. */
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
const crossings = (runs: readonly TestRun[]) => shareCrossings(resultsOf(experimentOf(runs), LISTING.ccas));

describe('where shares of a link with the baseline cross', () => {
  test('by hand: as far above a half at 1 BDP as below it at 16, so at 4', () => {
    const [found, ...others] = crossings([...pairs({ bdp: 1 }, [0.7]), ...pairs({ bdp: 16 }, [0.3])]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ label: 'RIVAL', unit: 'BDP', crossing: { kind: 'one', above: 'b', interval: null } });
    expect(found?.crossing.kind === 'one' ? found.crossing.at : NaN).toBeCloseTo(4, 9);
  });

  test('of each trace for itself, with an interval from three repetitions on', () => {
    const [a, b] = crossings([
      ...pairs({ bdp: 1 }, [0.7, 0.72, 0.68]),
      ...pairs({ bdp: 16 }, [0.3, 0.33, 0.27]),
      ...pairs({ bdp: 1 }, [0.9], { trace: '5g.down' }),
      ...pairs({ bdp: 16 }, [0.8], { trace: '5g.down' }),
    ]);
    expect(a?.crossing).toMatchObject({ kind: 'one', once: 1 });
    const interval = a?.crossing.kind === 'one' ? a.crossing.interval : null;
    expect(interval?.low).toBeLessThan(4);
    expect(interval?.high).toBeGreaterThan(4);
    expect(b).toMatchObject({ cell: { trace_name: '5g.down' }, crossing: { kind: 'none', above: 'a' } });
  });

  test('limits of other kinds are counted in bytes, and what has no end has no place', () => {
    const [found] = crossings([
      ...pairs({ bytes: 10_000 }, [0.7]),
      ...pairs({ bytes: 1_000_000 }, [0.3]),
      ...pairs({ infinite: true }, [0.9]),
    ]);
    expect(found).toMatchObject({ unit: 'bytes', crossing: { kind: 'one' } });
    expect(found?.crossing.kind === 'one' ? found.crossing.at : NaN).toBeCloseTo(100_000, 3);
  });

  test('one limit is no sweep, and the baseline is not held against itself', () => {
    expect(crossings(pairs({ bdp: 1 }, [0.7]))).toEqual([]);
    expect(crossings([1, 16].flatMap((bdp) => pairs({ bdp }, [0.5], { cca: 'base', ccas: ['base', 'base'] })))).toEqual(
      [],
    );
  });
});
